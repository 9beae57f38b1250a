package effect

import (
	"strconv"
	"strings"

	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Lookup is what Desired works with.
type Lookup struct {
	Stores
	Faults  Faults
	Primary map[[2]string]bool // node, SEA: primary until now; one with noauto_failback does not take back from it
}

const (
	hypervisorMTU = 65394 // a frame of 65408 bytes without its Ethernet header
	ethernetMTU   = 1500
)

// withoutLargesend is how many segments TCP hands down at once if nothing below
// cuts them. Linux would make 64 KB and cut that itself, which saves a sender
// most of what largesend saves; AIX takes every segment through TCP and IP. Two
// leave together, since a receiver acknowledges every second one.
const withoutLargesend = 2

// Desired is the state in which the kernel does what the running values say.
// It names every device of the layout.
func Desired(t *topology.Topology, look Lookup) (wire.State, error) {
	l, err := wire.BuildLayout(t)
	if err != nil {
		return wire.State{}, err
	}
	v := newView(t, look)
	without := v.withoutMismatch()
	st := wire.State{
		Ends:    make(map[wire.End]wire.Settings, len(l.Devices)),
		Routes:  map[string][]wire.Route{},
		Sysctls: map[string]map[string]string{},
		LAGs:    v.lags(l),
	}
	for _, d := range l.Devices {
		w := v.settings(d)
		w.Line = d.Line
		if len(w.Addresses) > 0 && !without.settings(d).TSO {
			w.Segments = withoutLargesend
		}
		st.Ends[d.End] = w
	}
	st.Sysctls[wire.SwitchNS(t.Switch.Name)] = wire.GatewaySysctls()
	for _, s := range t.Systems {
		for i := range s.Nodes {
			n := &s.Nodes[i]
			st.Routes[n.Name] = look.Routes(n.Name)
			st.Sysctls[n.Name] = v.sysctls(n)
		}
	}
	return st, nil
}

// view is the topology with the running values, asked by node and adapter.
type view struct {
	Lookup
	t           *topology.Topology
	pairs       map[[2]string]*Failover // node, SEA
	seas        map[[2]string]string    // node, adapter -> SEA that holds it
	channels    map[[2]string]string    // node, port -> EtherChannel that holds it
	adapters    map[[2]string]*topology.Adapter
	mtuMismatch bool // some interface sends more than an element of its network passes
}

func newView(t *topology.Topology, look Lookup) *view {
	v := &view{Lookup: look, t: t, seas: map[[2]string]string{}, channels: map[[2]string]string{}, adapters: map[[2]string]*topology.Adapter{}}
	for _, n := range t.Nodes() {
		for k := range n.Adapters {
			a := &n.Adapters[k]
			v.adapters[[2]string{n.Name, a.Name}] = a
			switch a.Kind {
			case topology.SEA:
				for _, m := range append([]string{a.Real}, a.Trunks...) {
					v.seas[[2]string{n.Name, m}] = a.Name
				}
			case topology.Channel:
				for _, m := range a.Holds() {
					v.channels[[2]string{n.Name, m}] = a.Name
				}
			}
		}
	}
	v.mtuMismatch = v.detectMTUMismatch()
	v.pairs, _ = v.failovers()
	return v
}

func (v *view) is(node, device, attr, want string) bool {
	x, ok := v.Running(node, device, attr)
	return ok && x == want
}

func (v *view) number(node, device, attr string, def int) int {
	x, _ := v.Running(node, device, attr)
	if n, err := strconv.Atoi(x); err == nil {
		return n
	}
	return def
}

// iface is the interface enN of adapter entN.
func iface(adapter string) string { return "en" + strings.TrimPrefix(adapter, "ent") }

// up says whether an interface carries IP traffic now.
func (v *view) up(node, adapter string) bool {
	en := iface(adapter)
	return v.Available(node, v.base(node, adapter)) && v.Available(node, adapter) && v.Available(node, en) && v.is(node, en, "state", "up")
}

// portMTU is the largest IP packet a physical port passes.
func (v *view) portMTU(node, adapter string) int {
	if !v.is(node, adapter, "jumbo_frames", "yes") {
		return ethernetMTU
	}
	return v.number(node, adapter, "jumbo_size", 9014) - 14
}

// trunkMTU is the largest IP packet an SEA passes between its two sides.
func (v *view) trunkMTU(node, sea string) int {
	if v.is(node, sea, "jumbo_frames", "yes") {
		return hypervisorMTU
	}
	return ethernetMTU
}
