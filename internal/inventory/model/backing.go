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
				VIOS: cmp.Or(v.Partition.Name, v.Name), Host: v.Name, Device: s.Backing, Server: s.Name,
				State: s.State, Ready: s.Ready, Priority: s.Priority,
			}
			if state := strings.ToLower(s.State); state == "active" || state == "inactive" || state == "standby" {
				b.Active = new(state == "active")
			}
			b.take(e.Backing, v.Name)
			e.Backing = slices.DeleteFunc(e.Backing, func(x Backing) bool { return b.replaces(x, v.Name) })
			e.Backing = append(e.Backing, b)
			slices.SortStableFunc(e.Backing, func(x, y Backing) int { return turn(x.Active) - turn(y.Active) })
		}
	}
}

// replaces reports whether another entry is the same device: what the HMC said of this VIOS
// is less than what the VIOS says of itself.
func (b *Backing) replaces(x Backing, vios string) bool {
	if x.Host != "" {
		return x.Host == b.Host && x.Server == b.Server
	}
	if x.Priority != nil && b.Priority != nil && *x.Priority != *b.Priority {
		return false // the VIOS has another one, which it lists too
	}
	return x.VIOS == b.VIOS || x.VIOS == vios
}

// take keeps what only the HMC knows of the device: its physical port and its shares of it. Of
// several entries that may be the device none is taken.
func (b *Backing) take(had []Backing, vios string) {
	var found []Backing
	for _, x := range had {
		if b.replaces(x, vios) {
			found = append(found, x)
		}
	}
	if len(found) != 1 {
		return
	}
	x := found[0]
	b.LogicalPort, b.Port, b.PortShare = x.LogicalPort, x.Port, x.PortShare
	if b.Priority == nil {
		b.Priority = x.Priority
	}
	if b.Active == nil {
		b.Active = x.Active
	}
	if b.Ready == nil {
		b.Ready = x.Ready
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

// logicalPortOf is the physical port's location of an SR-IOV logical port,
// U78D3.001.WZS0001-P1-C4-T1-S3; empty if the location is another one's.
func logicalPortOf(location string) string {
	at := strings.LastIndex(location, "-S")
	if at < 0 || at+2 == len(location) || strings.Trim(location[at+2:], "0123456789") != "" || !strings.Contains(location[:at], "-T") {
		return ""
	}
	return location[:at]
}

// PhysicalPort is the location of the physical port of an adapter: of an SR-IOV logical port without
// its own part; empty if it is not known.
func (e *Element) PhysicalPort() string {
	if port := logicalPortOf(e.Location); port != "" {
		return port
	}
	return e.Location
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
