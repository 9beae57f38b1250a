package commands

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/lab/effect"
	"seaworthy/lab/node"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// interfaces are the IP interfaces of a node.
type interfaces struct {
	sim  *node.Simulator
	node *topology.Node
}

func (c *call) interfaces() interfaces { return interfaces{c.sim, c.config} }

// netif is an interface with its state and counters.
type netif struct {
	name  string
	link  wire.Link
	stats wire.Stats
	up    bool
}

// names lists the interfaces that the IP layer knows, in their order, and the loopback.
func (i interfaces) names() []string {
	var out []string
	for _, a := range i.node.Adapters {
		if en := strings.Replace(a.Name, "ent", "en", 1); i.sim.Stores[i.node.Name].Attached(en) {
			out = append(out, en)
		}
	}
	return append(out, "lo0")
}

// all reads the interfaces that the IP layer knows.
func (i interfaces) all() (out []netif, err error) {
	for _, name := range i.names() {
		x := netif{name: name}
		if x.link, err = i.sim.Link(node.End(i.node.Name, name)); err != nil {
			return nil, err
		}
		if x.stats, err = i.sim.Counters().Stats(node.End(i.node.Name, name)); err != nil {
			return nil, err
		}
		x.up = name == "lo0" || i.up(name, x.link)
		out = append(out, x)
	}
	return out, nil
}

// show returns an interface as the kernel has it now, for ifconfig.
func (i interfaces) show(name string) (*ifconfig.Interface, error) {
	if name == "lo0" {
		lo := printing.LoopbackInterface()
		lo.Addresses = []*ifconfig.Address{inet(netip.MustParsePrefix("127.0.0.1/8"))}
		return lo, nil
	}
	link, err := i.sim.Link(node.End(i.node.Name, name))
	if err != nil {
		return nil, err
	}
	large, err := i.largesend(name, link)
	if err != nil {
		return nil, err
	}
	out := printing.EthernetInterface(name, printing.InterfaceState{
		Thread: i.sim.Running(i.node.Name, name, "thread") == "on",
		Up:     i.up(name, link), ChecksumActive: link.TxChecksum, LargeSend: large,
	})
	for _, p := range link.Addresses {
		out.Addresses = append(out.Addresses, inet(p))
	}
	out.Options = i.options(name, node.AdapterOf(i.node, name))
	return out, nil
}

// up reports whether an interface is up. The device of an SEA is always up, for its
// bridge, and that of a port whose cable is out always down: there the database decides.
func (i interfaces) up(name string, link wire.Link) bool {
	a := node.AdapterOf(i.node, name)
	unplugged := i.sim.Faults().Unplugged(i.node.Name, a.Name)
	up := i.sim.Running(i.node.Name, name, "state") == "up"
	if unplugged {
		return up
	}
	return link.Up && (a.Kind != topology.SEA || up)
}

// largesend reports whether the node's settings send large frames: the kernel's TSO,
// also where only the lab keeps it off (see effect.Withheld).
func (i interfaces) largesend(name string, link wire.Link) (bool, error) {
	bypass := i.sim.Running(i.node.Name, name, "mtu_bypass")
	if link.TSO || bypass != "on" && bypass != "plso" {
		return link.TSO, nil
	}
	return i.sim.Withheld(node.End(i.node.Name, name))
}

func inet(p netip.Prefix) *ifconfig.Address {
	return &ifconfig.Address{Family: "inet", Address: p.Addr().String(),
		Netmask: "0x" + net.CIDRMask(p.Bits(), 32).String(), Broadcast: broadcast(p).String()}
}

func broadcast(p netip.Prefix) netip.Addr {
	b := p.Addr().As4()
	for i, m := range net.CIDRMask(p.Bits(), 32) {
		b[i] |= ^m
	}
	return netip.AddrFrom4(b)
}

// options returns the interface's network options, set ones and implied ones.
func (i interfaces) options(name string, a *topology.Adapter) []ifconfig.Option {
	send, recv, scale := effect.ISNO(i.node.Name, a, effect.Lookup{Stores: i.sim.Stores})
	o := []ifconfig.Option{{Name: "tcp_sendspace", Value: uint64(send)}, {Name: "tcp_recvspace", Value: uint64(recv)}}
	for _, attr := range []string{"tcp_nodelay", "tcp_mssdflt"} {
		if v, err := strconv.ParseUint(i.sim.Running(i.node.Name, name, attr), 10, 64); err == nil {
			o = append(o, ifconfig.Option{Name: attr, Value: v})
		}
	}
	r := ifconfig.Option{Name: "rfc1323"}
	if scale {
		r.Value = 1
	}
	return append(o, r)
}
