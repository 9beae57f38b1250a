package node

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"net"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/lab/printing"
)

func (w *Simulator) netstat(ctx context.Context, c *call) error {
	for i, x := range c.List { // the flags of ioscli as AIX has them
		c.List[i].Name = cmp.Or(map[string]string{"num": "n", "state": "i", "routtable": "r", "routinfo": "r", "cdlistats": "v",
			"stats": "p"}[x.Name], x.Name)
	}
	switch {
	case c.Has("v") && !c.VIOS:
		return w.netstatAdapters(c)
	case len(c.Rest) > 0 && (c.VIOS || c.Has("r") || c.Has("s") || c.Has("p") || c.Has("a") || c.Has("D")):
		return tooMany(c.Rest)
	case len(c.Rest) > 0:
		return w.netstatRate(ctx, c)
	case c.Has("D"):
		return w.netstatDrops(c)
	case c.Has("r"):
		return w.netstatRoutes(c)
	case c.Has("s") || c.Has("p"):
		return w.netstatProtocols(c)
	case c.Has("v"):
		return w.netstatAdapters(c)
	case c.Has("i") || c.Has("I"):
		return w.netstatInterfaces(c)
	case c.VIOS:
		return wrong("one of its flags is required")
	}
	return w.netstatSockets(c)
}

// netstatInterfaces is netstat -in: a row for the link and one per address.
func (w *Simulator) netstatInterfaces(c *call) error {
	all, err := w.netifs(c.n)
	if err != nil {
		return err
	}
	t, only := &interfaces.Table{}, c.Value("I")
	for k, i := range all {
		if only != "" && i.name != only {
			continue
		}
		add := func(network, address string) {
			t.Rows = append(t.Rows, &interfaces.Row{Name: i.name, MTU: uint64(i.link.MTU), Network: network, Address: address, Down: !i.up,
				Counters: map[string]uint64{"Ipkts": i.stats.RxPackets, "Ierrs": i.stats.RxErrors, "Opkts": i.stats.TxPackets,
					"Oerrs": i.stats.TxErrors, "Coll": 0}})
		}
		index := k + 2
		if i.name == "lo0" {
			index = 1
		}
		add(fmt.Sprintf("link#%d", index), dotMAC(i.link.MAC))
		for _, p := range i.link.Addresses {
			add(network(p), p.Addr().String())
		}
	}
	if only != "" && len(t.Rows) == 0 {
		return noSuchInterface(only)
	}
	return c.Print(printing.FormatInterfaces(t))
}

// dotMAC prints a hardware address with dots and no leading zeros; that of the
// loopback, all zero, not at all.
func dotMAC(mac string) string {
	b, err := net.ParseMAC(mac)
	if err != nil || len(b) != 6 || [6]byte(b) == [6]byte{} {
		return ""
	}
	return fmt.Sprintf("%x.%x.%x.%x.%x.%x", b[0], b[1], b[2], b[3], b[4], b[5])
}

// network prints a network without its trailing zero bytes: 10.1.2.
func network(p netip.Prefix) string {
	bytes := strings.Split(p.Masked().Addr().String(), ".")
	return strings.Join(bytes[:max(1, (p.Bits()+7)/8)], ".")
}

// netstatRoutes prints the kernel's routing table. Use counts are not: the
// kernel keeps none.
func (w *Simulator) netstatRoutes(c *call) error {
	text, err := w.ReadFile(c.Node, "/proc/net/route")
	if err != nil {
		return err
	}
	f := &routes.Family{Number: 2, Name: "Internet"}
	for line := range strings.Lines(string(text)) {
		if r, ok := kernelRoute(line); ok {
			f.Routes = append(f.Routes, r)
		}
	}
	all, err := w.netifs(c.n)
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
