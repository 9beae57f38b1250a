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

// Inner are the devices that lead into the host from a bridge, and from those that patch
// ports and cables join to it: to machines, containers and the host itself. Those that are down are left out.
func (h *Host) Inner(bridge string) []string {
	var out []string
	next, met := []string{bridge}, map[string]bool{bridge: true}
	for len(next) > 0 {
		b := h.Elements[next[0]]
		next = next[1:]
		if !b.bridges() {
			continue
		}
		for _, m := range b.Members {
			e := h.Elements[m]
			switch {
			case e == nil:
			case e.joins() && h.Elements[e.Peer] != nil && h.Elements[e.Peer].MemberOf != "":
				if over := h.Elements[e.Peer].MemberOf; !met[over] {
					met[over], next = true, append(next, over)
				}
			case e.Kind != Patch && e.inward() && (e.Up == nil || *e.Up):
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, Natural)
	return out
}

// inward reports whether a device leads into its host: to a machine, a container or another
// bridge. What it sends to the outside goes through the bridge that it is a port of.
func (e *Element) inward() bool {
	inside := e.Kind == Interface && slices.Contains([]string{"tun", "veth", OpenVSwitch}, e.Driver)
	return e.Guest != nil || e.Kind == Patch || e.Tap == nil && inside
}

// joins reports whether a port of a bridge is one end of what leads to another bridge.
func (e *Element) joins() bool { return e.Kind == Patch || e.Peer != "" }

// outward reports whether a port of a bridge can lead out of the host.
func (e *Element) outward() bool { return e.Kind != Interface && e.Kind != Patch || e.Tap != nil }

// bridges reports whether an element is a bridge of Linux or Open vSwitch that has ports.
func (e *Element) bridges() bool { return e != nil && e.Kind == Interface && len(e.Members) > 0 }
