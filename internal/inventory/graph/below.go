package graph

import (
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// endless says that the text named devices in a circle.
const endless = ": the chain of devices does not end"

// Named gives another element of e's host.
func (e *Element) Named(name string) (*Element, error) {
	switch {
	case name == "" && e.Linux():
		return nil, e.Missing("the port below it", "collect of the machine that it runs on")
	case name == "":
		return nil, e.Missing("the element below it", "lsdev")
	}
	if x := e.graph.At(model.Ref{Host: e.Host, Element: name}); x != nil {
		return x, nil
	}
	return nil, e.Missing(name+" below it was not read", "")
}

// namedAll gives named elements of e's host, or says which was not read.
func namedAll(e *Element, names []string, what string) ([]*Element, error) {
	if len(names) == 0 {
		return nil, e.Missing("its "+what, "lsattr -El "+e.Name)
	}
	var out []*Element
	for _, n := range names {
		x, err := e.Named(n)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// Real gives an SEA's adapter to the outside.
func (e *Element) Real() (*Element, error) { return e.Named(e.Is.Real) }

// Trunks gives an SEA's trunk adapters.
func (e *Element) Trunks() ([]*Element, error) { return namedAll(e, e.Is.Trunks, "trunk adapters") }

// Members gives an EtherChannel's adapters.
func (e *Element) Members() ([]*Element, error) { return namedAll(e, e.Is.Members, "members") }

// Adapter follows an interface, or a VLAN device, down to its adapter.
func (e *Element) Adapter() (*Element, error) {
	x, _, err := bottomOf(e)
	if err == nil && x.Is.Kind == model.VLANDevice {
		return x.Named("")
	}
	return x, err
}

// Underlay gives the device by which a tunnel's packets leave.
func Underlay(e *Element) (*Element, error) {
	if e.Is.On == "" {
		return nil, e.Missing("the device by which its packets leave", "ip -j route")
	}
	return e.Named(e.Is.On)
}

// Tap gives the tap device of the KVM host to which an interface of a virtual machine leads.
func (e *Element) Tap() (*Element, error) {
	if e.Is.Tap != nil {
		if x := e.graph.At(*e.Is.Tap); x != nil {
			return x, nil
		}
	}
	return nil, e.Missing("the tap device of its KVM host", "virsh dumpxml, bridge fdb show")
}

// bottomOf follows an interface, or a VLAN device, to what is below it, and gives
// the VLAN device's tag; nil without one. On Linux adapter and interface are one.
func bottomOf(e *Element) (x *Element, tag *int, err error) {
	x = e
	for range len(e.graph.Of(e.Host)) + 1 { // more than there are is a circle
		if x.Is.Kind == model.VLANDevice && len(x.Is.VLANs) == 1 {
			tag = &x.Is.VLANs[0]
		}
		switch {
		case x.Is.Kind == model.Adapter:
			return nil, nil, x.Missing("what kind of adapter it is", "lsdev -Cc adapter")
		case !isStacked(x), x.Linux() && x.Is.On == "":
			return x, tag, nil
		}
		if x, err = x.Named(x.Is.On); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, x.Missing("the adapter below it"+endless, "")
}

// isStacked says whether an element is one that another carries.
func isStacked(e *Element) bool {
	return e.Is.Kind == model.Interface || e.Is.Kind == model.VLANDevice
}

// Ports gives the physical ports on which an element's frames leave its host, of a
// virtual machine those of its KVM host; none for a virtual adapter.
func (e *Element) Ports() ([]*Element, error) {
	if e.Is.Tap != nil || e.Is.Kind == model.Interface && len(e.Is.Members) > 0 {
		return uplinkPorts(e)
	}
	return portsBelow(e, map[*Element]bool{})
}

// uplinkPorts gives the ports behind bridges.
func uplinkPorts(e *Element) ([]*Element, error) {
	refs, gaps := e.Uplinks()
	if len(gaps) > 0 {
		return nil, e.Missing("the ports below it: "+gaps[0].What+": "+gaps[0].Why, "")
	}
	var out []*Element
	for _, r := range refs {
		out = append(out, e.graph.At(r))
	}
	return out, nil
}

// portsBelow gives those on e's own host; met are the elements on the way there, and says of
// those that were left whether they are above e.
func portsBelow(e *Element, met map[*Element]bool) ([]*Element, error) {
	below := []string{e.Is.On}
	switch e.Is.Kind {
	case model.Physical, model.VNIC:
		return []*Element{e}, nil
	case model.Virtual:
		return nil, nil
	case model.SEA:
		below = []string{e.Is.Real}
	case model.EtherChannel:
		below = e.Is.Members
	}
	list, err := namedAll(e, below, "members")
	if err != nil {
		return nil, err
	}
	met[e] = true
	defer func() { met[e] = false }()
	var out []*Element
	for _, x := range list {
		above, done := met[x]
		if above {
			return nil, e.Missing("the ports below it"+endless, "")
		}
		if done {
			continue
		}
		more, err := portsBelow(x, met)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// VirtualAdapters gives the virtual adapters by which an element's frames leave
// its host: the one below an interface, also through a VLAN device, or both of
// a Network Interface Backup. None if there are ports below it.
func (e *Element) VirtualAdapters() ([]*Element, error) {
	list, _, err := leavesBy(e)
	return list, err
}

// leavesBy gives the virtual adapters and the VLAN device's tag; nil without one.
func leavesBy(e *Element) (adapters []*Element, tag *int, err error) {
	x, tag, err := bottomOf(e)
	switch {
	case err != nil:
		return nil, nil, err
	case x.Is.Kind == model.Virtual, isStacked(x) && strings.Contains(x.Is.Driver, "ibmveth"):
		return []*Element{x}, tag, nil
	case x.Is.Kind == model.EtherChannel:
		adapters, err = backupPair(x)
		return adapters, tag, err
	}
	return nil, nil, nil
}

// backupPair gives the adapters of a Network Interface Backup; none if they
// are ports.
func backupPair(e *Element) (adapters []*Element, err error) {
	names := e.Is.Members
	if b := e.Is.Backup(); b != "" {
		names = append(slices.Clone(names), b)
	}
	for _, n := range names {
		m, err := e.Named(n)
		if err != nil {
			return nil, err
		}
		if m.Is.Kind != model.Virtual {
			return nil, nil
		}
		adapters = append(adapters, m)
	}
	return adapters, nil
}

// VLANs gives the PVID and the tagged VLANs of a virtual adapter, sorted.
func (e *Element) VLANs() ([]int, error) {
	if e.Is.PVID == nil {
		return nil, e.Missing("port VLAN id", "entstat -d "+e.Name)
	}
	out := append([]int{*e.Is.PVID}, e.Is.VLANs...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Tag gives the VLAN of the VLAN device that an interface is on, or that e is; nil
// if there is none, or it was not read.
func Tag(e *Element) *int {
	_, tag, _ := bottomOf(e)
	return tag
}
