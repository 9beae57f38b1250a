package model

import (
	"cmp"
	"slices"
	"strings"
)

// backings joins the vNIC servers of the VIOSes to their clients' vNICs.
func (f *Fleet) backings() {
	if !slices.ContainsFunc(f.Hosts, func(h *Host) bool { return len(h.Servers) > 0 }) {
		return
	}
	clients := f.vnics()
	for _, v := range f.Hosts {
		for i := range v.Servers {
			s := &v.Servers[i]
			e := clients.clientOf(v, s)
			if e == nil || s.Backing == "" {
				continue
			}
			b := Backing{
				VIOS: cmp.Or(v.Partition.Name, v.Name), Host: v.Name, Device: s.Backing, Server: s.Name, State: s.State, Priority: s.Priority,
			}
			if state := strings.ToLower(s.State); state == "active" || state == "inactive" || state == "standby" {
				b.Active = new(state == "active")
			}
			e.Backing = slices.DeleteFunc(e.Backing, func(x Backing) bool {
				// What the HMC said of this VIOS is less than what it says itself.
				return x.Host == "" && (x.VIOS == b.VIOS || x.VIOS == v.Name) || x.Host == b.Host && x.Server == b.Server
			})
			e.Backing = append(e.Backing, b)
			slices.SortStableFunc(e.Backing, func(x, y Backing) int { return turn(x.Active) - turn(y.Active) })
		}
	}
}

// turn sorts what is active first, what does not say next, and what is on standby last.
func turn(active *bool) int {
	switch {
	case active == nil:
		return 1
	case *active:
		return 0
	}
	return 2
}

// vnics finds clients' vNICs by what a VIOS says of them.
type vnics struct {
	places map[string][]*Element // by location, without the port at its end
	lpars  map[lpar]*Host
}

// lpar is a partition of a managed system.
type lpar struct {
	system string
	number int
}

// lpars are the hosts whose managed system and number are known.
func (f *Fleet) lpars() map[lpar]*Host {
	out := map[lpar]*Host{}
	for _, h := range f.Hosts {
		if h.MachineID != "" && h.Partition.Number != nil {
			out[lpar{h.MachineID, *h.Partition.Number}] = h
		}
	}
	return out
}

func (f *Fleet) vnics() *vnics {
	x := &vnics{places: map[string][]*Element{}, lpars: f.lpars()}
	for _, h := range f.Hosts {
		for _, e := range h.Elements {
			if e != nil && e.Kind == VNIC && slotOf(e.Location) != "" {
				at := withoutPort(e.Location)
				x.places[at] = append(x.places[at], e)
			}
		}
	}
	return x
}

// withoutPort is the location of the adapter whose port ends in -T0.
func withoutPort(location string) string {
	if at := strings.LastIndex(location, "-T"); at > 0 {
		return location[:at]
	}
	return location
}

// clientOf finds the vNIC that a server of a VIOS carries: by the location of the
// client's device, which names system, partition and slot; else by the
// partition's number and the device's name on the same managed system.
func (x *vnics) clientOf(v *Host, s *VNICServer) *Element {
	if at := x.places[withoutPort(s.ClientLocation)]; len(at) == 1 {
		return at[0]
	}
	if v.MachineID == "" || s.ClientID == nil {
		return nil
	}
	if h := x.lpars[lpar{v.MachineID, *s.ClientID}]; h != nil {
		if e := h.Elements[s.ClientDevice]; e != nil && e.Kind == VNIC {
			return e
		}
	}
	return nil
}

// slotOf is the partition and slot in a virtual adapter's location,
// U9009.22A.7812345-V3-C2-T1; empty if it has none.
func slotOf(location string) string {
	parts := strings.Split(location, "-")
	if len(parts) < 3 || len(parts[1]) < 2 || len(parts[2]) < 2 || parts[1][0] != 'V' || parts[2][0] != 'C' {
		return ""
	}
	return parts[1] + "-" + parts[2]
}
