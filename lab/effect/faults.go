package effect

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
