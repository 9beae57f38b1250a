package effect

import (
	"maps"

	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Lookup is the input of Desired: databases, faults, and which SEAs were primary.
type Lookup struct {
	Stores
	Faults Faults
	// MTU is that of a device that is a Linux node's own. Nil: not known, and taken as Ethernet's.
	MTU     func(node, device string) int
	Primary map[[2]string]bool // node, SEA: primary until now; one with noauto_failback does not take back from it
}

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
	devices, unaffected := deviceSettings{v}, deviceSettings{v.withoutMismatch()}
	st := wire.State{
		Ends:    make(map[wire.End]wire.Settings, len(l.Devices)),
		Routes:  map[string][]wire.Route{},
		Sysctls: map[string]map[string]string{},
		LAGs:    v.lags(l),
	}
	for _, d := range l.Devices {
		w := devices.settings(d)
		w.Line = d.Line
		if len(w.Addresses) > 0 && !unaffected.settings(d).TSO {
			w.Segments = withoutLargesend
		}
		st.Ends[d.End] = w
	}
	st.Sysctls[wire.SwitchNS(t.Switch.Name)] = wire.GatewaySysctls()
	for _, n := range t.Nodes() {
		st.Routes[n.Name] = nil
		for _, r := range v.of(n.Name).Routes() {
			if r.Active {
				st.Routes[n.Name] = append(st.Routes[n.Name], wire.Route{To: r.To, Via: r.Via})
			}
		}
		st.Sysctls[n.Name] = tcpSettings{v}.sysctls(n)
	}
	return st, nil
}

// Failovers decides for every SEA which of its trunks bridge. The warnings say
// where two SEAs would bridge one VLAN, which is a loop: then the guard leaves
// the trunk of the highest priority open and shuts the others.
func Failovers(t *topology.Topology, look Lookup) (map[[2]string]*Failover, []string) {
	return newView(t, look).failovers()
}

// Live is the state of an EtherChannel, for those who print it.
func Live(t *topology.Topology, look Lookup, node, channel string) (ports []string, backup bool) {
	return newView(t, look).live(node, channel)
}

// MTUMismatch says whether Desired makes senders segment, since some element passes
// less than an interface sends. Then TSO is off at ends that have largesend working.
func MTUMismatch(t *topology.Topology, look Lookup) bool { return newView(t, look).mtuMismatch }

// Withheld says whether it is the lab, and no setting, that keeps large frames
// from an end.
func Withheld(t *topology.Topology, look Lookup, at wire.End) (bool, error) {
	l, err := wire.BuildLayout(t)
	if err != nil {
		return false, err
	}
	v := newView(t, look)
	for _, d := range l.Devices {
		if d.End == at {
			return deviceSettings{v.withoutMismatch()}.settings(d).TSO && !deviceSettings{v}.settings(d).TSO, nil
		}
	}
	return false, nil
}

// withoutMismatch is the view as if no frame were lost on its way, for its size or by
// chance: what the settings of the nodes ask for, also where the lab has frames
// cut early so that each can be lost by itself.
func (v *view) withoutMismatch() *view {
	s := *v
	s.mtuMismatch, s.Faults = false, maps.Clone(v.Faults)
	maps.DeleteFunc(s.Faults, func(f Fault, _ int64) bool { return f.Kind == Loss || f.Kind == HalfDuplex })
	return &s
}

// RFC1323 says whether a node's sockets have window scaling and timestamps.
func RFC1323(n *topology.Node, look Lookup) bool {
	_, _, on := tcpSettings{newView(&topology.Topology{}, look)}.tcp(n)
	return on
}

// ISNO is what ifconfig prints for an interface.
func ISNO(node string, a *topology.Adapter, look Lookup) (send, recv int, scale bool) {
	return tcpSettings{newView(&topology.Topology{}, look)}.isno(node, iface(a.Name), a)
}

// FaultKind is what is broken somewhere, as package fault's catalogue names it.
type FaultKind string

const (
	Crash       FaultKind = "crash"           // a node is down
	PortDown    FaultKind = "port-down"       // the cable of an adapter is out
	Flap        FaultKind = "flap"            // the same, at present
	ControlCut  FaultKind = "control-channel" // the SEAs of a system cannot hear each other
	NoJumbo     FaultKind = "no-jumbo"        // the MTU that a switch port passes instead of the topology's
	Loss        FaultKind = "loss"            // frames lost on an adapter's cable, in millionths
	HalfDuplex  FaultKind = "duplex"          // frames damaged on an adapter's busy cable, in millionths
	ClockJump   FaultKind = "clock-jump"      // how far a node's clock has jumped, in ns
	Delay       FaultKind = "delay"           // how long packets are on a switch port's cable instead of the topology's time, in ns
	FullBuffers FaultKind = "full-buffers"    // bit/s at which a virtual adapter's partition empties its receive queue
)

// Fault is a kind and its place: node and adapter, or a node, switch port or system alone.
type Fault struct {
	Kind FaultKind
	At   [2]string
}

// Faults are what is broken in a lab now, each with the kind's own value or 1. Empty: a lab in order.
type Faults map[Fault]int64

// Of is the value of a fault; 0: there is none of the kind at that place.
func (f Faults) Of(kind FaultKind, at ...string) int64 {
	x := Fault{Kind: kind}
	copy(x.At[:], at)
	return f[x]
}

// Unplugged says whether the cable of a port is out, for whichever reason.
func (f Faults) Unplugged(node, port string) bool {
	return f.Of(PortDown, node, port)+f.Of(Flap, node, port) > 0
}
