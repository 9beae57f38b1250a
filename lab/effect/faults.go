package effect

import (
	"cmp"
	"maps"
	"time"
)

// The faults of a lab: their kinds, and what each changes. All of them act through the
// functions below, which the settings of devices are derived with.

// FaultKind holds what is broken somewhere, as package fault's catalogue names it.
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
	Moved       FaultKind = "moved"           // a node says that it runs on another managed system
	Refuse      FaultKind = "refuse"          // which of a device's next changes is refused, from 1
	FullBuffers FaultKind = "full-buffers"    // bit/s at which a virtual adapter's partition empties its receive queue
)

// Fault is a kind and its place: node and adapter, or a node, switch port or system alone.
type Fault struct {
	Kind FaultKind
	At   [2]string
}

// Faults hold what is broken in a lab now, each with the kind's own value or 1. Empty: a lab in order.
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

// crashed reports whether a node is down.
func (f Faults) crashed(node string) bool { return f.Of(Crash, node) > 0 }

// LinkRate returns the line rate of a port, in bit/s; rate is that of a port in order.
func (f Faults) LinkRate(node, port string, rate uint64) uint64 { return rate }

// delay is how long packets are on the cable of a switch port, each way.
func (v *view) delay(port string) time.Duration {
	return cmp.Or(time.Duration(v.Faults.Of(Delay, port)), v.ports[port].Delay)
}

// switchMTU is the largest IP packet a port of the Ethernet switch passes.
func (v *view) switchMTU(port string) int {
	return cmp.Or(int(v.Faults.Of(NoJumbo, port)), v.ports[port].MTU, hypervisorMTU)
}

// losses are the frames that are lost and damaged on a cable, in millionths.
func (v *view) losses(node, port string) (lost, damaged uint32) {
	return uint32(v.Faults.Of(Loss, node, port)), uint32(v.Faults.Of(HalfDuplex, node, port))
}

// withoutMismatch is the view as if no frame were lost on its way, for its size or by
// chance: the settings that the nodes ask for, also where the lab has frames cut early
// so that each can be lost by itself.
func (v *view) withoutMismatch() *view {
	s := *v
	s.mtuMismatch, s.Faults = false, maps.Clone(v.Faults)
	maps.DeleteFunc(s.Faults, func(f Fault, _ int64) bool { return f.Kind == Loss || f.Kind == HalfDuplex })
	return &s
}

// receiveRate is the rate in bit/s at which a partition empties the receive queue of a
// virtual adapter; 0: as fast as it can.
func (f Faults) receiveRate(node, adapter string) uint64 {
	return uint64(f.Of(FullBuffers, node, adapter))
}

// controlCut reports whether the SEAs of a system do not hear each other.
func (f Faults) controlCut(system string) bool { return f.Of(ControlCut, system) > 0 }
