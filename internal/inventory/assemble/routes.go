package assemble

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/iplink"
)

// routeFeed has what leads to other hosts: routes, ARP, round trips, and the counters of the protocols of AIX.
type routeFeed struct{ *hostBuilder }

var routeRows = []row{
	{"netstat-s", feeds(3, routeFeed.netstatS)},
	{"netstat-rn", feeds(3, routeFeed.netstatRn)},
	{"arp-an", feeds(3, routeFeed.arpAn)},
	{"ip-neigh", feeds(3, routeFeed.neighbours)},
	{"ping", feeds(4, routeFeed.ping)},
	{"ip-route ip-route-text ip-route-get", feeds(2, routeFeed.ipRoute)},
}

// netstatRn reads the routes of AIX.
func (b routeFeed) netstatRn(o Output, t *routes.Table) {
	if b.host.Routes == nil {
		b.host.Routes = []model.Route{}
	}
	for _, f := range t.Families {
		b.costs(o, f)
		for _, r := range f.Routes {
			to, ok := destination(r.Destination, f.Number == 24, strings.Contains(r.Flags, "H"))
			if !ok || r.Interface == "lo0" {
				continue
			}
			x := model.Route{To: to, Interface: r.Interface}
			if r.PMTU != nil && *r.PMTU > 0 && strings.ContainsAny(r.Flags, "DMWH") { // older levels have the column
				b.learntMTU(r.Interface, r.Destination, *r.PMTU, o.says(""))
			}
			if strings.ContainsAny(r.Flags, "DMWc") {
				x.Origin = model.Learnt
			}
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

// costs counts the routes whose cost is not the one that they were given.
func (b routeFeed) costs(o Output, f *routes.Family) {
	raised, known := 0, false
	from := o.says("no cost was raised")
	for _, r := range f.Routes {
		if r.Costs == nil || r.Costs.Current == nil || r.Costs.Configured == nil {
			continue
		}
		known = true
		if *r.Costs.Current > *r.Costs.Configured {
			raised++
			from = search(o, r.Destination, r.Gateway, r.Interface)
		}
	}
	if known {
		b.most(model.RaisedCosts, float64(raised), from)
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

// inet reads the host name and the routes of inet0: net,-hopcount,0,-netmask,255.255.0.0,,10.9.0.0,10.1.0.5
// with the destination and the gateway at the end, 0 for the default route.
func (b routeFeed) inet(l *lsattr.Listing) {
	if b.host.ODMRoutes == nil {
		b.host.ODMRoutes = []model.Route{}
	}
	for _, x := range l.Attributes {
		if x.Name == "hostname" && x.Value != nil {
			b.hostnames().NextBoot = x.Value
		}
		if x.Name != "route" || x.Value == nil || *x.Value == "" {
			continue
		}
		words := strings.Split(*x.Value, ",")
		if len(words) < 2 {
			continue
		}
		to := words[len(words)-2]
		mask := ""
		for i, w := range words[:len(words)-1] {
			if w == "-netmask" {
				mask = words[i+1]
			}
		}
		gateway, err := netip.ParseAddr(words[len(words)-1])
		if err != nil {
			continue
		}
		if p, ok := routeTo(to, mask, words[0] == "host"); ok {
			b.host.ODMRoutes = append(b.host.ODMRoutes, model.Route{To: p, Gateway: gateway})
		}
	}
}

// routeTo is a destination with its mask, or that of its class if none is named.
func routeTo(to, mask string, host bool) (netip.Prefix, bool) {
	if to == "0" || to == "default" || to == "0.0.0.0" {
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), true
	}
	a, err := netip.ParseAddr(to)
	if err != nil || !a.Is4() {
		return netip.Prefix{}, false
	}
	m := net.IP(a.AsSlice()).DefaultMask()
	if ip := net.ParseIP(mask).To4(); ip != nil {
		m = net.IPMask(ip)
	}
	bits, size := m.Size()
	if host {
		bits, size = 32, 32
	}
	return netip.PrefixFrom(a, bits).Masked(), size == 32
}

// ipRoute reads ip route. Who asked for all tables gets routes that only some packets take.
func (b routeFeed) ipRoute(o Output, t *iplink.Routes) {
	if b.host.Routes == nil {
		b.host.Routes = []model.Route{}
	}
	for _, r := range t.Routes {
		to, ok := destination(r.To, strings.Contains(r.Gateway, ":"), true)
		if ok && (r.Table == "" || r.Table == "main") && slices.Contains(model.Refusing, r.Type) {
			b.host.Routes = append(b.host.Routes, model.Route{To: to, Metric: r.Metric.Uint(), Origin: r.Type})
			continue
		}
		if !ok || r.Device == "" || r.Table != "" && r.Table != "main" || r.Type != "" && r.Type != "unicast" {
			continue
		}
		if e := b.host.Elements[r.Device]; e != nil {
			routeLimits(e, r, model.Origin{Command: o.Command})
		}
		x := model.Route{To: to, Interface: r.Device, Metric: r.Metric.Uint(), Origin: r.Protocol}
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

// netstatS keeps the protocol counters that rules ask for.
func (b routeFeed) netstatS(o Output, s *protocols.Statistics) {
	for _, p := range s.Protocols {
		if p.Name == "" {
			continue
		}
		p.Each(func(key string, n uint64) {
			b.protocols[p.Name+"."+key] = n
		})
		// Each leaves out what stands in brackets behind a count.
		if n, ok := p.Get("ack_only_packets.delayed"); ok && p.Name == "tcp" {
			b.protocols["tcp.packets_sent.ack_only_packets.delayed"] = n
		}
	}
}

// neighbours takes from ip neigh whom nobody answered for, and who answered.
func (b routeFeed) neighbours(_ Output, t *linewise.NeighbourTable) {
	if b.host.Unmet == nil {
		b.host.Unmet = []netip.Addr{}
	}
	for _, e := range t.Entries {
		if e.Silent() && e.Address.Is4() {
			b.host.Unmet = append(b.host.Unmet, e.Address)
		}
	}
}

// arpAn takes what was set by hand, which does not come back by itself, what was learnt, and what
// nobody answered for.
func (b routeFeed) arpAn(o Output, t *linewise.ARPTable) {
	if b.host.Unmet == nil {
		b.host.Unmet = []netip.Addr{}
	}
	for _, e := range t.Entries {
		n := model.Neighbour{Address: e.Address, MAC: e.MAC, Published: e.Published}
		switch {
		case e.MAC == "":
			b.host.Unmet = append(b.host.Unmet, e.Address)
		case e.Permanent:
			b.host.ARP = append(b.host.ARP, n)
		default:
			b.host.Learnt = append(b.host.Learnt, n)
		}
	}
}

// ping keeps the round trip from an interface to the farthest of the hosts that
// were read with this one.
func (b routeFeed) ping(o Output, r *linewise.PingReplies) {
	ms, ok := r.RoundTrip()
	switch {
	case o.Element == "": // imported
		measuredFeed(b).savedPing(o, r)
		return
	case !ok && r.Whole && len(r.Times) > 0:
		b.gap(o.Command, "round trip from "+o.Element+": ping prints whole milliseconds, which is too coarse here")
	case !ok:
		b.gap("round trip from "+o.Element+" to "+o.Attribute, "not answered in the time it was given")
	}
	if ok {
		least := slices.Min(r.Times)
		text := fmt.Sprintf("shortest of %d round trips: %.3g ms", len(r.Times), least)
		b.figure(model.RoundTripTo(o.Element, o.Attribute), least, model.Origin{Command: "ping " + o.Attribute, Text: text})
	}
	for _, name := range []string{o.Element + " " + model.RoundTrip, "sysctl " + model.RoundTrip} {
		if had, known := b.host.Figures[name]; ok && (!known || ms > had.Value) {
			text := fmt.Sprintf("median of %d round trips: %.3g ms", len(r.Times), ms)
			b.figure(name, ms, model.Origin{Command: "ping " + o.Attribute, Text: text})
		}
	}
}
