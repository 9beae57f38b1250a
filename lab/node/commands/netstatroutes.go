package commands

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/lab/printing"
)

// routes prints the kernel's routing table. Use counts are not: the
// kernel keeps none.
func (c netstatCall) routes() error {
	text, err := c.sim.ReadFile(c.Node, "/proc/net/route")
	if err != nil {
		return err
	}
	f := &routes.Family{Number: 2, Name: "Internet"}
	for line := range strings.Lines(string(text)) {
		if r, ok := kernelRoute(line); ok {
			f.Routes = append(f.Routes, r)
		}
	}
	all, err := c.interfaces().all()
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.up && i.name != "lo0" {
			f.Routes = append(f.Routes, ownRoutes(i, f.Routes)...)
		}
	}
	f.Routes = append(f.Routes, &routes.Route{Destination: "127/8", Gateway: "127.0.0.1", Flags: "U", Interface: "lo0"})
	return c.Print(printing.FormatRoutes(&routes.Table{Families: []*routes.Family{f}}))
}

// ownRoutes are those that the addresses of an interface bring with them: the address
// itself and its network's broadcasts. AIX shows it as the gateway of the network, too.
func ownRoutes(i netif, kernel []*routes.Route) (hosts []*routes.Route) {
	var networks []string
	for _, p := range i.link.Addresses {
		if !p.Addr().Is4() || p.Bits() > 30 {
			continue
		}
		self, to := p.Addr().String(), fmt.Sprintf("%s/%d", network(p), p.Bits())
		local := &routes.Route{Destination: self, Gateway: "127.0.0.1", Flags: "UGHS", Interface: "lo0"}
		if slices.Contains(networks, to) {
			hosts = append(hosts, local)
			continue
		}
		networks = append(networks, to)
		for _, r := range kernel {
			if r.Interface == i.name && r.Destination == to && r.Gateway == "-" {
				r.Gateway = self
			}
		}
		hosts = append(hosts, &routes.Route{Destination: p.Masked().Addr().String(), Gateway: self, Flags: "UHSb", Interface: i.name},
			local, &routes.Route{Destination: broadcast(p).String(), Gateway: self, Flags: "UHSb", Interface: i.name})
	}
	return hosts
}

// kernelRoute reads a line of /proc/net/route: addresses are 32-bit words in
// hexadecimal, in the machine's byte order.
func kernelRoute(line string) (*routes.Route, bool) {
	const up, gateway, host = 1, 2, 4
	var to, via, mask []byte
	var flags, skip uint32
	r := &routes.Route{Flags: "U", Gateway: "-"}
	_, err := fmt.Sscanf(line, "%s %x %x %x %d %d %d %x", &r.Interface, &to, &via, &flags, &skip, &skip, &skip, &mask)
	dst, ok1 := kernelHost(to)
	gw, ok2 := kernelHost(via)
	if err != nil || !ok1 || !ok2 || len(to)+len(mask) != 8 || flags&up == 0 {
		return nil, false
	}
	if flags&gateway != 0 {
		r.Flags, r.Gateway = r.Flags+"G", gw.String()
	}
	if flags&host != 0 {
		r.Flags += "H"
	}
	switch length := bits.OnesCount32(binary.BigEndian.Uint32(mask)); length {
	case 0:
		r.Destination = "default"
	case 32:
		r.Destination = dst.String()
	default:
		r.Destination = fmt.Sprintf("%s/%d", network(netip.PrefixFrom(dst, length)), length)
	}
	return r, true
}

// kernelHost is an address as /proc/net prints it: words in the machine's byte order, 1 of IPv4 and 4 of IPv6.
func kernelHost(words []byte) (netip.Addr, bool) {
	var b []byte
	for w := range slices.Chunk(words, 4) {
		if len(w) < 4 {
			return netip.Addr{}, false
		}
		b = binary.BigEndian.AppendUint32(b, binary.NativeEndian.Uint32(w))
	}
	a, ok := netip.AddrFromSlice(b)
	return a.Unmap(), ok
}
