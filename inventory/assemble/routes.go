package assemble

import (
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/dialect/aix/netstat/routes"
	"seaworthy/dialect/linux/iplink"
	"seaworthy/inventory"
)

// netstatRn reads the routes of AIX.
func (b *builder) netstatRn(o Output, t *routes.Table) {
	if b.host.Routes == nil {
		b.host.Routes = []inventory.Route{}
	}
	for _, f := range t.Families {
		for _, r := range f.Routes {
			to, ok := destination(r.Destination, f.Number == 24, strings.Contains(r.Flags, "H"))
			if !ok || r.Interface == "lo0" {
				continue
			}
			x := inventory.Route{To: to, Interface: r.Interface}
			if strings.Contains(r.Flags, "G") {
				gateway, err := netip.ParseAddr(r.Gateway)
				if err != nil {
					continue // a gateway that is not an address leads nowhere we could follow
				}
				x.Gateway = gateway
			}
			b.host.Routes = append(b.host.Routes, x)
		}
	}
}

// destination reads netstat's short forms: default, 10.1/23, 10.1.1.7,
// fe80::/64. No column gives the length of a network that lacks it.
func destination(s string, v6, host bool) (netip.Prefix, bool) {
	if s == "default" {
		if v6 {
			return netip.PrefixFrom(netip.IPv6Unspecified(), 0), true
		}
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), true
	}
	text, length, cut := strings.Cut(s, "/")
	text, _, _ = strings.Cut(text, "%")
	if !strings.Contains(text, ":") {
		if n := strings.Count(text, "."); n < 3 && cut {
			text += strings.Repeat(".0", 3-n)
		}
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || !cut && !host {
		return netip.Prefix{}, false
	}
	bits := addr.BitLen()
	if cut {
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 || n > bits {
			return netip.Prefix{}, false
		}
		bits = n
	}
	return netip.PrefixFrom(addr, bits), true
}

// ipRoute reads ip -j route.
func (b *builder) ipRoute(o Output, t *iplink.Routes) {
	if b.host.Routes == nil {
		b.host.Routes = []inventory.Route{}
	}
	for _, r := range t.Routes {
		to, ok := destination(r.To, strings.Contains(r.Gateway, ":"), true)
		if !ok || r.Device == "" {
			continue
		}
		x := inventory.Route{To: to, Interface: r.Device, Metric: r.Metric.Uint(), Origin: r.Protocol}
		if r.Gateway != "" {
			gateway, err := netip.ParseAddr(r.Gateway)
			if err != nil {
				continue
			}
			x.Gateway = gateway
		}
		b.host.Routes = append(b.host.Routes, x)
	}
}
