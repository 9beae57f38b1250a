package effect

import (
	"cmp"
	"slices"

	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// switchHash is how the Ethernet switch spreads what it sends to an aggregate.
const switchHash = "src_dst_port"

// live are the ports of an EtherChannel that carry frames now; backup says
// that it is the backup port.
//
// With mode=8023ad both ends have to agree: ports that the switch does not
// aggregate, or that are not of one speed, stay single links, and only the first
// of those is used.
func (v *view) live(node, channel string) (ports []string, backup bool) {
	a := v.at(node, channel)
	if !v.Available(node, channel) {
		return nil, false
	}
	for _, m := range a.Members {
		if !v.linked(node, m) {
			continue
		}
		if v.is(node, channel, "mode", "8023ad") && len(ports) > 0 && !v.aggregate(node, ports[0], m) {
			continue
		}
		ports = append(ports, m)
	}
	if len(ports) == 0 && a.Backup != "" && v.linked(node, a.Backup) {
		return []string{a.Backup}, true
	}
	return ports, false
}

// aggregate says whether LACP joins two ports of a node.
func (v *view) aggregate(node, port, other string) bool {
	lag := v.lag(node, port)
	return lag != "" && lag == v.lag(node, other) && v.at(node, port).LineRate == v.at(node, other).LineRate
}

// lag is the switch's aggregate that a port is cabled to.
func (v *view) lag(node, adapter string) string { return v.ports[v.at(node, adapter).Port].LAG }

// channelMTU is the largest IP packet an EtherChannel passes.
func (v *view) channelMTU(node, channel string) int {
	if !v.is(node, channel, "use_jumbo_frame", "yes") {
		return ethernetMTU
	}
	mtu := hypervisorMTU
	for _, m := range v.at(node, channel).Members {
		mtu = min(mtu, v.portMTU(node, m))
	}
	return mtu
}

// lags says for every EtherChannel, and for the switch's end of it, which
// ports carry frames and how they are chosen.
func (v *view) lags(l *wire.Layout) map[wire.End]wire.Aggregate {
	out := map[wire.End]wire.Aggregate{}
	for _, d := range l.Devices {
		distributor := wire.End{Namespace: d.Namespace, Device: wire.DistributorOf(d.Device)}
		switch d.Place {
		case wire.Channel:
			channel := v.base(d.Node, d.Adapter)
			a := wire.Aggregate{Hash: cmp.Or(v.value(d.Node, channel, "hash_mode"), "default")}
			if v.is(d.Node, channel, "mode", "round_robin") {
				a.Hash = "round_robin"
			}
			ports, _ := v.live(d.Node, channel)
			for _, p := range ports {
				a.Ports = append(a.Ports, wire.Tagged(wire.DeviceName(p), d.VLAN))
			}
			out[distributor] = a
		case wire.SwitchLAG:
			out[distributor] = wire.Aggregate{Hash: switchHash, Ports: v.switchSide(l, d)}
		}
	}
	return out
}

// switchSide are the switch's ports of an aggregate whose far ends carry
// frames, in the aggregate's own VLAN.
func (v *view) switchSide(l *wire.Layout, lag wire.Device) []string {
	var out []string
	for _, d := range l.Devices {
		if d.Place != wire.SwitchPort || d.VLAN != lag.VLAN || v.lag(d.Node, d.Adapter) != lag.Port || !v.linked(d.Node, d.Adapter) {
			continue
		}
		ch := v.at(d.Node, d.Adapter).channel
		if ports, _ := v.live(d.Node, ch); ch == "" || slices.Contains(ports, d.Adapter) {
			out = append(out, d.Device)
		}
	}
	return out
}

// linked says whether a port, or an EtherChannel, has a way to the switch.
func (v *view) linked(node, adapter string) bool {
	if v.at(node, adapter).Kind == topology.Channel {
		ports, _ := v.live(node, adapter)
		return len(ports) > 0
	}
	return v.Available(node, adapter) && !v.Faults.Unplugged(node, adapter)
}

// Aggregation is the state of LACP of an EtherChannel with mode=8023ad. No LACP
// packet passes in a lab: both ends know what is cabled and set.
type Aggregation struct {
	Status string          // as entstat has it: Inactive, Negotiating, Aggregated, Failed
	Ports  map[string]Port // member -> its link
}

// Port is one link of an Aggregation.
type Port struct {
	Partner bool // a switch answers at the other end
	Key     int  // of the switch's aggregate, from 1; two ports of one key can be joined
	Number  int  // of the switch's port, from 1
	InStep  bool // the link is part of the aggregation
}

// LACP is the state of an aggregation.
func LACP(t *topology.Topology, look Lookup, node, channel string) Aggregation {
	v := newView(t, look)
	out := Aggregation{Status: "Inactive", Ports: map[string]Port{}}
	if !v.Available(node, channel) {
		return out
	}
	live, backup := v.live(node, channel)
	linked, partners, apart := 0, 0, false
	for _, m := range v.at(node, channel).Members {
		p := Port{}
		if v.linked(node, m) {
			linked++
			p = v.partner(node, m)
		}
		if p.Partner {
			partners++
			p.InStep = !backup && slices.Contains(live, m)
			apart = apart || !p.InStep
		}
		out.Ports[m] = p
	}
	switch {
	case linked == 0 || partners < linked:
		out.Status = "Negotiating"
	case apart:
		out.Status = "Failed" // other speeds, or other aggregates of the switch
	default:
		out.Status = "Aggregated"
	}
	return out
}

// partner is the switch's end of a port's cable: without an aggregate it sends
// no LACP packets.
func (v *view) partner(node, adapter string) Port {
	lag := v.lag(node, adapter)
	if lag == "" {
		return Port{}
	}
	p := Port{Partner: true}
	var names []string
	for i, x := range v.t.Switch.Ports {
		if x.LAG != "" && !slices.Contains(names, x.LAG) {
			names = append(names, x.LAG)
		}
		if x.Name == v.at(node, adapter).Port {
			p.Number = i + 1
		}
	}
	p.Key = slices.Index(names, lag) + 1
	return p
}
