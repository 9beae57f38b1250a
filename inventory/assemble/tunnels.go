package assemble

import (
	"fmt"
	"net/netip"
	"strconv"

	"seaworthy/inventory"
)

// tunnels are the bytes that a tunnel puts before the packets it carries, at least: the
// Ethernet header of the inner frame, its own, and those of UDP and IPv4 (RFC 7348,
// RFC 8926, RFC 2784). gre is Open vSwitch's word for what ip calls gretap.
var tunnels = map[string]int{"vxlan": 14 + 8 + 8 + 20, "geneve": 14 + 8 + 8 + 20, "gretap": 14 + 4 + 20, "gre": 14 + 4 + 20}

// tunnel takes what a tunnel adds to its packets, and where they go.
func (b *builder) tunnel(e *inventory.Element, kind, remote string, from inventory.Origin) {
	to, _ := netip.ParseAddr(remote)
	n := tunnels[kind]
	if to.Is6() {
		n += 20
	}
	b.tunnels[e.Name] = to
	from.Text = e.Name + ": " + kind
	if to.IsValid() {
		from.Text += " to " + to.String()
	}
	from.Text += fmt.Sprintf(" adds %d bytes", n)
	now(e, "tunnel-overhead", strconv.Itoa(n), from)
}

// underlays finds the devices by which the packets of tunnels leave that name none: by
// the routes, when all of them are read.
func (b *builder) underlays() {
	for name, to := range b.tunnels {
		if e := b.host.Elements[name]; e != nil && e.On == "" && to.IsValid() {
			if r := b.host.Route(to); r != nil && r.Interface != name {
				e.On = r.Interface
			}
		}
	}
}
