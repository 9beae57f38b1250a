package effect

import (
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Lookup gives the running values that Desired works with.
type Lookup interface {
	// Running is the value of an attribute; false if the device has none of that name.
	Running(node, device, attr string) (string, bool)
	// Tunable is the value of an option of no(1).
	Tunable(node, option string) (string, bool)
	// Available says whether a device is configured.
	Available(node, device string) bool
	// Addresses are those an interface answers to; none if it is detached.
	Addresses(node, iface string) []netip.Prefix
	// Routes are the node's static routes that are set now.
	Routes(node string) []wire.Route
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
	faults      Faults
	pairs       map[[2]string]*Failover // node, SEA
	seas        map[[2]string]string    // node, adapter -> SEA that holds it
	channels    map[[2]string]string    // node, port -> EtherChannel that holds it
	adapters    map[[2]string]*topology.Adapter
	mtuMismatch bool // some interface sends more than an element of its network passes
}

func newView(t *topology.Topology, look Lookup) *view {
	v := &view{Lookup: look, t: t, seas: map[[2]string]string{}, channels: map[[2]string]string{}, adapters: map[[2]string]*topology.Adapter{}}
	if f, ok := look.(Faulty); ok {
		v.faults = f.Faults()
	}
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
