package effect

import (
	"maps"
	"time"
)

// Faults are what is broken in a lab now. The zero value is a lab in order.
type Faults struct {
	Crashed    map[string]bool          // nodes that are down
	PortDown   map[[2]string]bool       // node, adapter: its cable is out
	Flapping   map[[2]string]bool       // node, adapter: its cable is out at present
	ControlCut map[string]bool          // systems whose SEAs cannot hear each other
	SwitchMTU  map[string]int           // switch port: what it passes instead of the topology's
	Loss       map[[2]string]uint32     // node, adapter: frames lost on its cable, in millionths
	HalfDuplex map[[2]string]uint32     // node, adapter: frames damaged on its busy cable, in millionths
	Clock      map[string]time.Duration // node: how far its clock has jumped
	Delay      map[string]time.Duration // switch port: how long packets are on its cable, instead of the topology's time
	Slow       map[[2]string]uint64     // node, virtual adapter: bit/s at which its partition empties the receive queue
}

// slowQueue holds more than all receive buffers of an adapter can: what does
// not fit is lost for want of a buffer, not of room in the queue.
const slowQueue = 64 << 20

// Clone is a copy with maps that can be written to.
func (f Faults) Clone() Faults {
	c := Faults{
		Crashed: map[string]bool{}, PortDown: map[[2]string]bool{}, Flapping: map[[2]string]bool{}, ControlCut: map[string]bool{},
		SwitchMTU: map[string]int{}, Loss: map[[2]string]uint32{}, HalfDuplex: map[[2]string]uint32{}, Clock: map[string]time.Duration{},
		Delay: map[string]time.Duration{}, Slow: map[[2]string]uint64{},
	}
	maps.Copy(c.Crashed, f.Crashed)
	maps.Copy(c.PortDown, f.PortDown)
	maps.Copy(c.Flapping, f.Flapping)
	maps.Copy(c.ControlCut, f.ControlCut)
	maps.Copy(c.SwitchMTU, f.SwitchMTU)
	maps.Copy(c.Loss, f.Loss)
	maps.Copy(c.Slow, f.Slow)
	maps.Copy(c.HalfDuplex, f.HalfDuplex)
	maps.Copy(c.Clock, f.Clock)
	maps.Copy(c.Delay, f.Delay)
	return c
}

// unplugged says whether the cable of a port is out, for whichever reason.
func (f Faults) unplugged(port [2]string) bool { return f.PortDown[port] || f.Flapping[port] }

// Faulty is a Lookup of a lab in which something may be broken.
type Faulty interface {
	Lookup
	Faults() Faults
}

// Broken are databases together with faults.
type Broken struct {
	Stores
	Now   Faults
	First map[[2]string]bool // node, SEA: it was primary until now
}

func (b Broken) Faults() Faults { return b.Now }

// Primaries are the SEAs that one with noauto_failback does not take back from.
func (b Broken) Primaries() map[[2]string]bool { return b.First }

// Available says whether a device is configured, on a node that is up.
func (v *view) Available(node, device string) bool {
	return !v.faults.Crashed[node] && v.Lookup.Available(node, device)
}

// linked says whether a port, or an EtherChannel, has a way to the switch.
func (v *view) linked(node, adapter string) bool {
	if a := v.adapters[[2]string{node, adapter}]; a != nil && len(a.Members) > 0 {
		ports, _ := v.live(node, adapter)
		return v.Available(node, adapter) && len(ports) > 0
	}
	return v.Available(node, adapter) && !v.faults.unplugged([2]string{node, adapter})
}
