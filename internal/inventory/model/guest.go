package model

import "slices"

// OpenVSwitch is the driver of what Open vSwitch makes.
const OpenVSwitch = "openvswitch"

// Guest is the virtual machine whose interface a tap device of a KVM host is.
type Guest struct {
	Name string `json:"name"` // as libvirt has it; without libvirt, of the host that was read
	MAC  string `json:"mac"`  // of its interface; the tap device has another
	// Learned: the bridge has seen frames of that MAC address come in; libvirt did not say it.
	Learned bool `json:"learned,omitempty"`
}

// guests joins the interfaces of virtual machines that were read themselves to the tap
// devices of their KVM hosts: by a MAC address that only one of each has. What libvirt
// says of a tap device is surer than what its bridge has learned.
func (f *Fleet) guests() {
	type port struct { // not a Ref: a folder may hold a host twice, of different days
		host string
		*Element
	}
	taps, ports := map[string][]Ref{}, map[string][]port{}
	each := func(do func(at Ref, e *Element)) {
		for _, h := range f.Hosts {
			for name, e := range h.Elements {
				if e != nil {
					do(Ref{h.Name, name}, e)
				}
			}
		}
	}
	each(func(at Ref, e *Element) {
		switch {
		case e.Guest == nil:
			for _, mac := range e.Learned { // one of several VLANs is there as often
				if !slices.Contains(taps[mac], at) {
					taps[mac] = append(taps[mac], at)
				}
			}
		case e.Guest.MAC != "":
			taps[e.Guest.MAC] = append(taps[e.Guest.MAC], at)
		}
	})
	if len(taps) == 0 {
		return
	}
	each(func(at Ref, e *Element) {
		if e.Guest == nil && taps[e.MAC] != nil && e.On == "" && len(e.Members) == 0 && (e.Kind == Interface || e.Kind == Physical) {
			ports[e.MAC] = append(ports[e.MAC], port{at.Host, e})
		}
	})
	for mac, at := range taps {
		if len(at) != 1 || len(ports[mac]) != 1 {
			continue
		}
		ports[mac][0].Tap = &at[0]
		if tap := f.Element(at[0]); tap != nil && tap.Guest == nil {
			tap.Guest = &Guest{Name: ports[mac][0].host, MAC: mac, Learned: true}
		}
	}
}
