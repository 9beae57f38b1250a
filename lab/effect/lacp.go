package effect

import (
	"slices"

	"seaworthy/lab/topology"
)

// Aggregation is what LACP makes of an EtherChannel with mode=8023ad. No LACP
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
