package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// ifconfig shows and changes what runs. What it changes is gone at the next
// boot; the database keeps what chdev wrote.
func (w *Simulator) ifconfig(ctx context.Context, c *call) error {
	args := c.Rest
	if len(args) == 0 {
		return wrong("an interface, -a or -l is required")
	}
	if strings.HasPrefix(args[0], "-") {
		return w.ifconfigAll(c)
	}
	name := args[0]
	if len(args) == 1 || len(args) == 2 && args[1] == "inet" {
		if name != "lo0" && !c.db.Attached(name) {
			return noInterface(name)
		}
		return w.ifconfigShow(c, []string{name})
	}
	d, ok := c.db.Device(name)
	if !ok || d.On == "" || d.Status != odm.Available {
		return noInterface(name)
	}
	x, err := changesOf(args[1:])
	if err != nil {
		return err
	}
	return ioctl(name, w.change(ctx, c.Node, "", func(s *odm.Store) error { return x.apply(s, d) }))
}

func noInterface(name string) error { return fmt.Errorf("%s: No such device", name) }

// ioctl is an error in the words of an ioctl.
func ioctl(name string, err error) error {
	var e *odm.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && e.Code == "0514-018":
		return fmt.Errorf("%s: %s", name, strings.TrimSuffix("Invalid argument: "+e.Reason, ": "))
	}
	return fmt.Errorf("%s: %v", name, err)
}

// attached are the interfaces the IP layer knows, in their order, and the loopback.
func (w *Simulator) attached(n *topology.Node) []string {
	var out []string
	for _, a := range n.Adapters {
		if en := strings.Replace(a.Name, "ent", "en", 1); w.Stores[n.Name].Attached(en) {
			out = append(out, en)
		}
	}
	return append(out, "lo0")
}

type netif struct {
	name  string
	link  wire.Link
	stats wire.Stats
	up    bool
}

// netifs are those that the IP layer knows.
func (w *Simulator) netifs(n *topology.Node) (out []netif, err error) {
	for _, name := range w.attached(n) {
		x := netif{name: name}
		if x.link, err = w.Link(end(n.Name, name)); err != nil {
			return nil, err
		}
		if x.stats, err = w.stats(end(n.Name, name)); err != nil {
			return nil, err
		}
		x.up = name == "lo0" || w.ipUp(n, name, x.link)
		out = append(out, x)
	}
	return out, nil
}

// ifconfigAll is ifconfig -a, or -l for the names alone; -u and -d choose those
// that are up or down.
func (w *Simulator) ifconfigAll(c *call) error {
	o, err := Letters("aldu", c.Argv[1:])
	switch {
	case err != nil:
		return err
	case !o.Has("a") && !o.Has("l"):
		return wrong("-d and -u choose of -a or -l")
	case len(o.Rest) > 1 || len(o.Rest) == 1 && o.Rest[0] != "inet":
		return tooMany(o.Rest)
	}
	all, err := w.netifs(c.n)
	if err != nil {
		return err
	}
	var names []string
	for _, i := range all {
		if i.up && !o.Has("d") || !i.up && !o.Has("u") {
			names = append(names, i.name)
		}
	}
	if o.Has("l") {
		return c.Print(printing.FormatIfconfig(&ifconfig.Config{Names: names}))
	}
	return w.ifconfigShow(c, names)
}

func (w *Simulator) ifconfigShow(c *call, names []string) error {
	out := &ifconfig.Config{}
	for _, name := range names {
		i, err := w.interfaceOf(c.n, name)
		if err != nil {
			return err
		}
		out.Interfaces = append(out.Interfaces, i)
	}
	return c.Print(printing.FormatIfconfig(out))
}

// interfaceOf is an interface as the kernel has it now.
func (w *Simulator) interfaceOf(n *topology.Node, name string) (*ifconfig.Interface, error) {
	if name == "lo0" {
		i := printing.LoopbackInterface()
		i.Addresses = []*ifconfig.Address{inet(netip.MustParsePrefix("127.0.0.1/8"))}
		return i, nil
	}
	link, err := w.Link(end(n.Name, name))
	if err != nil {
		return nil, err
	}
	large, err := w.largesend(n.Name, name, link)
	if err != nil {
		return nil, err
	}
	i := printing.EthernetInterface(name, printing.InterfaceState{
		Thread: w.running(n.Name, name, "thread") == "on",
		Up:     w.ipUp(n, name, link), ChecksumActive: link.TxChecksum, LargeSend: large,
	})
	for _, p := range link.Addresses {
		i.Addresses = append(i.Addresses, inet(p))
	}
	i.Options = w.isnoOptions(n.Name, name, adapterOf(n, name))
	return i, nil
}

// running is the value of an attribute of a device; empty if it has none of that name.
func (w *Simulator) running(node, device, attr string) string {
	v, _ := w.Stores[node].Running(device, attr)
	return v
}

// ipUp says whether an interface is up. The device of an SEA is up for its bridge's
// sake, and that of a port whose cable is out is down for the fault's: there the
// database decides.
func (w *Simulator) ipUp(n *topology.Node, name string, link wire.Link) bool {
	a := adapterOf(n, name)
	w.changing.Lock()
	unplugged := w.seen.faults.Unplugged(n.Name, a.Name)
	w.changing.Unlock()
	up := w.running(n.Name, name, "state") == "up"
	if unplugged {
		return up
	}
	return link.Up && (a.Kind != topology.SEA || up)
}

// largesend is the kernel's TSO, or what holds it back is this lab's way to
// lose frames one by one (see effect.Withheld) and not the node.
func (w *Simulator) largesend(node, name string, link wire.Link) (bool, error) {
	bypass := w.running(node, name, "mtu_bypass")
	if link.TSO || bypass != "on" && bypass != "plso" {
		return link.TSO, nil
	}
	w.changing.Lock()
	look := w.look()
	w.changing.Unlock()
	return effect.Withheld(w.Plan(), look, end(node, name))
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

// isnoOptions are the interface's network options, set ones and implied ones.
func (w *Simulator) isnoOptions(node, name string, a *topology.Adapter) []ifconfig.Option {
	send, recv, scale := effect.ISNO(node, a, effect.Lookup{Stores: w.Stores})
	o := []ifconfig.Option{{Name: "tcp_sendspace", Value: uint64(send)}, {Name: "tcp_recvspace", Value: uint64(recv)}}
	for _, attr := range []string{"tcp_nodelay", "tcp_mssdflt"} {
		if v, err := strconv.ParseUint(w.running(node, name, attr), 10, 64); err == nil {
			o = append(o, ifconfig.Option{Name: attr, Value: v})
		}
	}
	r := ifconfig.Option{Name: "rfc1323"}
	if scale {
		r.Value = 1
	}
	return append(o, r)
}
