package node

import (
	"fmt"
	"maps"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// Faults are the faults of a lab as its nodes notice them.
type Faults struct{ sim *Simulator }

// Down says why nobody can log in to a node; nil if they can.
func (f Faults) Down(node string) error {
	f.sim.changing.Lock()
	defer f.sim.changing.Unlock()
	if f.sim.faults.Of(effect.Crash, node) > 0 {
		return fmt.Errorf("%s is down: it has crashed; seaworthy lab mend %s boots it", node, node)
	}
	return nil
}

// Serial is the serial number of the managed system that a node says it runs on: see the fault moved.
func (f Faults) Serial(node, serial string) string {
	f.sim.changing.Lock()
	defer f.sim.changing.Unlock()
	if f.sim.faults.Of(effect.Moved, node) == 0 || serial == "" {
		return serial
	}
	last := len(serial) - 1
	if serial[last] == 'Z' {
		return serial[:last] + "Y"
	}
	return serial[:last] + "Z"
}

// RefuseChange counts a change of a device, or of the tunables of no, and gives the error of the one that
// is to be refused.
func (f Faults) RefuseChange(node, device string) error {
	f.sim.changing.Lock()
	defer f.sim.changing.Unlock()
	at := effect.Fault{Kind: effect.Refuse, At: [2]string{node, device}}
	left := f.sim.faults[at]
	if left == 0 {
		return nil
	}
	faults := maps.Clone(f.sim.faults) // readers of the kernel's state hold the old one
	faults[at] = left - 1
	f.sim.faults = faults
	if left > 1 {
		return nil
	}
	return odm.Busy("/usr/lib/methods/chgent")
}

// Unplugged reports whether the cable of a port is out.
func (f Faults) Unplugged(node, port string) bool {
	f.sim.changing.Lock()
	defer f.sim.changing.Unlock()
	return f.sim.faults.Unplugged(node, port)
}

// LinkRate returns the rate of a port's link, in bit/s.
func (f Faults) LinkRate(node string, port *topology.Adapter) uint64 {
	f.sim.changing.Lock()
	defer f.sim.changing.Unlock()
	return f.sim.faults.LinkRate(node, port.Name, port.LineRate)
}
