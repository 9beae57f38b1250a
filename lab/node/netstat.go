package node

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"net"
	"net/netip"
	"strings"

	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/aix/netstat/routes"
)

// netstat prints the kernel's tables and counters of the node's namespace.
func (w *Simulator) netstat(ctx context.Context, c *Call, o *Options) error {
	if c.VIOS {
		o = asAIX(o)
	}
	switch {
	case o.Has("v") && !c.VIOS:
		return w.netstatAdapters(c, o.Rest)
	case len(o.Rest) > 0 && (c.VIOS || o.Has("r") || o.Has("s") || o.Has("p") || o.Has("a") || o.Has("D")):
		return tooMany(o.Rest)
	case len(o.Rest) > 0:
		only, _ := o.Get("I")
		return w.netstatRate(ctx, c, only, o.Rest)
	case o.Has("D"):
		return w.netstatDrops(c)
	case o.Has("r"):
		return w.netstatRoutes(c)
	case o.Has("s") || o.Has("p"):
		proto, _ := o.Get("p")
		return w.netstatProtocols(c, proto)
	case o.Has("v"):
		return w.netstatAdapters(c, nil)
	case o.Has("i") || o.Has("I"):
		only, _ := o.Get("I")
		return w.netstatInterfaces(c, only)
	}
	if c.VIOS {
		return wrong("one of its flags is required")
	}
	return w.netstatSockets(c, o.Has("a"), o.Has("n"))
}

// asAIX are the flags of ioscli's netstat as AIX has them.
func asAIX(o *Options) *Options {
	names := map[string]string{"num": "n", "state": "i", "routtable": "r", "routinfo": "r", "cdlistats": "v", "stats": "p"}
	out := &Options{}
	for _, x := range o.List {
		out.List = append(out.List, Option{names[x.Name], x.Value})
	}
	return out
}

// netstatInterfaces is netstat -in: a row for the link and one per address.
func (w *Simulator) netstatInterfaces(c *Call, only string) error {
	_, n := w.node(c.Node)
	t := &interfaces.Table{}
	for k, name := range append(w.attached(n), "lo0") {
		if only != "" && name != only {
			continue
		}
		e, index := end(c.Node, name), k+2
		if name == "lo0" {
			index = 1
		}
		link, err := w.Link(e)
		if err != nil {
			return err
		}
		st, err := w.stats(e)
		if err != nil {
			return err
		}
		add := func(network, address string) {
			r := &interfaces.Row{Name: name, MTU: uint64(link.MTU), Network: network, Address: address,
				Counters: map[string]uint64{"Ipkts": st.RxPackets, "Ierrs": st.RxErrors, "Opkts": st.TxPackets, "Oerrs": st.TxErrors, "Coll": 0}}
			if name != "lo0" {
				r.Down = !w.ipUp(c.Node, name, adapterOf(n, name), link)
			}
			t.Rows = append(t.Rows, r)
		}
		add(fmt.Sprintf("link#%d", index), dotMAC(link.MAC))
		for _, p := range link.Addresses {
			add(network(p), p.Addr().String())
		}
	}
	if only != "" && len(t.Rows) == 0 {
		return fmt.Errorf("%s: no such interface", only)
	}
	return c.Print(interfaces.Format(t))
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
func (w *Simulator) netstatRoutes(c *Call) error {
	text, err := w.ReadFile(c.Node, "/proc/net/route")
	if err != nil {
		return err
	}
	f := &routes.Family{Number: 2, Name: "Internet"}
	for _, line := range strings.Split(string(text), "\n") {
		if r, ok := kernelRoute(line); ok {
			f.Routes = append(f.Routes, r)
		}
	}
	own, err := w.ownRoutes(c.Node)
	if err != nil {
		return err
	}
	for _, r := range f.Routes {
		if to, ok := own.gateways[[2]string{r.Interface, r.Destination}]; ok && r.Gateway == "-" {
			r.Gateway = to
		}
	}
	f.Routes = append(f.Routes, own.hosts...)
	f.Routes = append(f.Routes, &routes.Route{Destination: "127/8", Gateway: "127.0.0.1", Flags: "U", Interface: "lo0"})
	return c.Print(routes.Format(&routes.Table{Families: []*routes.Family{f}}))
}

// ownRoutes are what the addresses of a node bring with them.
type ownRoutes struct {
	gateways map[[2]string]string // interface, network -> the address that reaches it
	hosts    []*routes.Route      // the address itself, and its network's broadcasts
}

// ownRoutes reads the addresses of a node's interfaces. AIX shows them as the
// gateways of their networks, and as routes of their own.
func (w *Simulator) ownRoutes(node string) (ownRoutes, error) {
	_, n := w.node(node)
	out := ownRoutes{gateways: map[[2]string]string{}}
	for _, name := range w.attached(n) {
		link, err := w.Link(end(node, name))
		if err != nil {
			return out, err
		}
		if !w.ipUp(node, name, adapterOf(n, name), link) {
			continue
		}
		for _, p := range link.Addresses {
			if !p.Addr().Is4() || p.Bits() > 30 {
				continue
			}
			self := p.Addr().String()
			at := [2]string{name, fmt.Sprintf("%s/%d", network(p), p.Bits())}
			if _, second := out.gateways[at]; second {
				out.hosts = append(out.hosts, &routes.Route{Destination: self, Gateway: "127.0.0.1", Flags: "UGHS", Interface: "lo0"})
				continue
			}
			out.gateways[at] = self
			out.hosts = append(out.hosts,
				&routes.Route{Destination: p.Masked().Addr().String(), Gateway: self, Flags: "UHSb", Interface: name},
				&routes.Route{Destination: self, Gateway: "127.0.0.1", Flags: "UGHS", Interface: "lo0"},
				&routes.Route{Destination: broadcast(p).String(), Gateway: self, Flags: "UHSb", Interface: name})
		}
	}
	return out, nil
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
