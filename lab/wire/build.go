package wire

import (
	"cmp"
	"slices"

	"seaworthy/lab/topology"
)

// Tagged frames need no 802.1Q in the kernel, which few machines let users
// have: every VLAN that is tagged somewhere is a VLAN instance of its own. A trunk
// adapter, an SEA, a port or an EtherChannel that carries tags 10 and 20 is
// three devices, one per VLAN instance: en4, en4.10, en4.20. They lead to bridges of
// their own all the way, so that frames of two VLANs never meet. A port's line
// rate they share: see lag.go.

// BuildLayout derives the layout. It fails on what this lab cannot cable.
func BuildLayout(t *topology.Topology) (*Layout, error) {
	l := &layoutBuilder{sw: SwitchNS(t.Switch.Name), out: &Layout{}, known: map[End]bool{}, lags: map[string]string{},
		aggregated: map[string][]int{}, bonded: map[string]string{}, untagged: map[string]int{}}
	for _, p := range t.Switch.Ports {
		l.lags[p.Name] = p.LAG
		l.untagged[p.Name] = p.VLAN
		if p.LAG != "" {
			l.aggregated[p.LAG] = []int{0}
		}
	}
	l.bridge(Device{End: End{l.sw, "switch"}, Place: Switch})
	l.bonds(t)
	nth := 0
	for i := range t.Systems {
		s := &t.Systems[i]
		for _, list := range [][]topology.Node{s.Nodes, s.Linux} {
			for j := range list {
				l.node(HypervisorNS(s.Name), &list[j], nth)
				nth++
			}
		}
		l.out.Namespaces = append(l.out.Namespaces, HypervisorNS(s.Name))
	}
	for i := range t.Servers {
		l.node("", &t.Servers[i], nth)
		nth++
	}
	l.out.Namespaces = append(l.out.Namespaces, l.sw)
	l.aggregates(t)
	for _, g := range t.Switch.Gateways {
		near := Device{End: End{l.sw, Tagged("gateway", g.VLAN)}, Place: Gateway, MAC: gatewayMAC(g.VLAN), VLAN: g.VLAN}
		l.cable(near, Device{End: End{l.sw, Tagged("gwport", g.VLAN)}, Place: GatewayPort, Bridge: l.vlanBridge(g.VLAN), VLAN: g.VLAN})
	}
	l.out.Devices = slices.Concat(l.bridges, l.lines, l.pairs)
	return l.out, nil
}

// layoutBuilder is a layout in the making.
type layoutBuilder struct {
	sw         string
	out        *Layout
	bridges    []Device // and bonds
	lines      []Device
	pairs      []Device // both ends of a cable, one after the other
	known      map[End]bool
	lags       map[string]string // switch port -> aggregate
	aggregated map[string][]int  // aggregate -> VLAN instances
	untagged   map[string]int    // switch port -> VLAN of its frames without a tag
	bonded     map[string]string // aggregate that leads to a bond -> the switch's own bond
}

// bridge adds a bridge or bond, once.
func (l *layoutBuilder) bridge(d Device) {
	if !l.known[d.End] {
		l.known[d.End] = true
		l.bridges = append(l.bridges, d)
	}
}

// cable adds the two ends of a cable.
func (l *layoutBuilder) cable(near, far Device) {
	near.Peer, far.Peer = far.End, near.End
	l.pairs = append(l.pairs, near, far)
}

// VLAN instances of a node: which tags each adapter carries, and which devices have a
// name of their own because a VLAN pseudo device is on them.
type vlanInstances struct {
	n     *topology.Node
	tags  map[string][]int  // adapter -> 0 and its tags
	above map[string]string // adapter -> SEA that bridges it, or bond that it is a port of
}

func newVLANInstances(n *topology.Node) *vlanInstances {
	p := &vlanInstances{n: n, tags: map[string][]int{}, above: map[string]string{}}
	carry := func(adapter string, tags ...int) {
		for _, t := range tags {
			if !slices.Contains(p.tags[adapter], t) {
				p.tags[adapter] = append(p.tags[adapter], t)
			}
		}
	}
	for _, a := range n.Adapters {
		carry(a.Name, 0)
		if a.Kind == topology.VLAN {
			carry(a.Base, a.Tag)
		}
	}
	for _, a := range n.Adapters {
		if a.Kind != topology.SEA {
			continue
		}
		for _, t := range a.Trunks {
			p.above[t] = a.Name
			carry(t, n.Adapter(t).VLANs...)
			carry(a.Name, n.Adapter(t).VLANs...)
		}
		p.above[a.Real] = a.Name
		carry(a.Real, p.tags[a.Name]...)
	}
	for _, a := range n.Adapters {
		if a.Kind != topology.Channel && a.Kind != topology.Bond {
			continue
		}
		for _, m := range a.Holds() {
			carry(m, p.tags[a.Name]...)
			if a.Kind == topology.Bond {
				p.above[m] = a.Name
			}
		}
	}
	return p
}

// Tags are those of every adapter of a node that has devices of their own for
// them.
func Tags(n *topology.Node) map[string][]int {
	out := newVLANInstances(n).tags
	for adapter, tags := range out {
		out[adapter] = tags[1:] // 0 is the first
	}
	return out
}

// device is the node's end of an adapter in a VLAN instance: an interface of its own
// if a VLAN pseudo device is there.
func (p *vlanInstances) device(a *topology.Adapter, tag int) Device {
	d := Device{End: End{p.n.Name, Tagged(DeviceName(a.Name), tag)}, Node: p.n.Name, Adapter: a.Name, Below: a.Name, MAC: a.MAC, VLAN: tag}
	for _, own := range p.n.Adapters {
		if own.Kind == topology.VLAN && own.Base == a.Name && own.Tag == tag {
			d.Device, d.Adapter = DeviceName(own.Name), own.Name
		}
	}
	if p.n.OS == topology.Linux { // whose devices are named as in the topology
		d.Device, d.Bond = a.Name, p.above[a.Name]
	} else if sea := p.above[a.Name]; sea != "" && slices.Contains(p.tags[sea], tag) {
		d.Bridge = p.device(p.n.Adapter(sea), tag).Device
	}
	return d
}

// node adds what belongs to the nth node of the lab.
func (l *layoutBuilder) node(hyp string, n *topology.Node, nth int) {
	l.out.Namespaces = append(l.out.Namespaces, n.Name)
	if n.OS == topology.Linux {
		l.out.Linux = append(l.out.Linux, n.Name)
	}
	p := newVLANInstances(n)
	for i := range n.Adapters {
		a := &n.Adapters[i]
		if a.Kind == topology.VLAN {
			continue // it is a VLAN instance of its base
		}
		for _, tag := range p.tags[a.Name] {
			near := p.device(a, tag)
			far := Device{Node: n.Name, Adapter: a.Name, Below: a.Name, VLAN: tag}
			port := portName(n.Name, Tagged(a.Name, tag), nth)
			switch a.Kind {
			case topology.SEA:
				near.Place = SEA
				l.bridge(near)
				continue
			case topology.Bond:
				set := n.Set[a.Name]
				near.Place, near.Mode = Bond, a.Mode
				near.Bonding = Bonding{Monitor: set["miimon"], Hash: set["xmit_hash_policy"], LACPRate: set["lacp_rate"]}
				l.bridge(near)
				continue
			case topology.Virtual:
				near.Place, far.Place, far.End = Virtual, Hypervisor, End{hyp, port}
				if vlan := cmp.Or(tag, a.PVID); slices.Contains(a.Carries(), vlan) {
					far.Bridge = vlanName(vlan)
					l.bridge(Device{End: End{hyp, far.Bridge}, Place: VLANBridge})
				}
			case topology.Physical:
				far.End = End{l.sw, port}
				if len(p.tags[a.Name]) > 1 {
					near.Line, far.Line = lineOf(DeviceName(a.Name)), portName(n.Name, lineOf(a.Name), nth)
				}
				l.physical(a, &near, &far)
			case topology.Channel:
				near.Place, far.Place = Channel, Distributor
				far.End = End{n.Name, DistributorOf(near.Device)}
			}
			l.cable(near, far)
		}
	}
}

// physical leads a VLAN instance of a port to the Ethernet switch: to the bridge of its
// VLAN, or to the aggregate that the switch's port is part of. VLAN instances that
// share a line get it with the first of them.
func (l *layoutBuilder) physical(a *topology.Adapter, near, far *Device) {
	near.Place, far.Place, far.Port = Physical, SwitchPort, a.Port
	if far.VLAN == 0 && near.Line != "" {
		l.lines = append(l.lines,
			Device{End: End{near.Namespace, near.Line}, Place: Line, Node: near.Node, Adapter: a.Name, Below: a.Name},
			Device{End: End{far.Namespace, far.Line}, Place: Line, Node: near.Node, Adapter: a.Name, Below: a.Name, Port: a.Port})
	}
	lag := l.lags[a.Port]
	far.Bond = l.bonded[lag]
	if far.Bond != "" {
		return
	}
	if lag == "" {
		far.Bridge = l.vlanBridge(cmp.Or(far.VLAN, l.untagged[a.Port]))
	} else if !slices.Contains(l.aggregated[lag], far.VLAN) {
		l.aggregated[lag] = append(l.aggregated[lag], far.VLAN)
	}
}

// vlanBridge is the Ethernet switch's bridge for a VLAN.
func (l *layoutBuilder) vlanBridge(tag int) string {
	name := Tagged("switch", tag)
	l.bridge(Device{End: End{l.sw, name}, Place: Switch, VLAN: tag})
	return name
}

// bonds adds the Ethernet switch's ends of bonds with LACP: bonds as well, so that
// LACP frames are answered.
func (l *layoutBuilder) bonds(t *topology.Topology) {
	nth := map[string]int{}
	for i, p := range slices.Backward(t.Switch.Ports) {
		nth[p.LAG] = i
	}
	for _, n := range t.Hosts() {
		for _, a := range n.Adapters {
			if a.Kind != topology.Bond || a.Mode != topology.LACP {
				continue
			}
			lag := l.lags[n.Adapter(a.Members[0]).Port]
			d := Device{End: End{l.sw, lagName(lag, nth[lag], 0)}, Place: SwitchBond, Bridge: "switch", Port: lag, Mode: a.Mode}
			l.bonded[lag] = d.Device
			l.bridge(d)
		}
	}
}

// aggregates adds the Ethernet switch's ends of EtherChannels.
func (l *layoutBuilder) aggregates(t *topology.Topology) {
	done := map[string]bool{}
	for i, p := range t.Switch.Ports {
		if p.LAG == "" || done[p.LAG] || l.bonded[p.LAG] != "" {
			continue
		}
		done[p.LAG] = true
		for _, tag := range l.aggregated[p.LAG] {
			near := Device{End: End{l.sw, lagName(p.LAG, i, tag)}, Place: SwitchLAG, Bridge: l.vlanBridge(tag), Port: p.LAG, VLAN: tag}
			l.cable(near, Device{End: End{l.sw, DistributorOf(near.Device)}, Place: Distributor, Port: p.LAG, VLAN: tag})
		}
	}
}
