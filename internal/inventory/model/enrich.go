package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MergeHMC gives the hosts what the HMCs, the VIOSes and the KVM hosts say of them:
// the VLANs and the switch of a virtual adapter, the managed system, what backs a
// vNIC, the tap device of a virtual machine's interface.
// A host's own answer stays; where another differs the host has a gap that
// says so. An adapter that is not found beyond doubt is left alone. Doing it
// again changes nothing.
func (f *Fleet) MergeHMC() {
	if len(f.HMCs) > 0 {
		index := f.adapters()
		for _, c := range f.HMCs {
			for i := range c.Adapters {
				c.Adapters[i].Is = index.find(&c.Adapters[i])
			}
			index.systems(c)
			c.sharePorts()
			c.portStates()
			// Knowing who is on which system may distinguish adapters that were alike before.
			for i := range c.Adapters {
				if a := &c.Adapters[i]; a.Is == nil {
					a.Is = index.find(a)
				}
				index.fill(c, &c.Adapters[i])
			}
			f.shares(c)
		}
	}
	f.backings()
	f.guests()
}

// adapterIndex finds the adapter that an HMC means.
type adapterIndex struct {
	hosts map[string]*Host
	macs  map[string][]Ref
	slots map[string][]Ref // "-V3-C2" of the location → adapters
	ports map[string][]Ref // location of an SR-IOV logical port → adapters
}

func (f *Fleet) adapters() *adapterIndex {
	x := &adapterIndex{
		hosts: make(map[string]*Host, len(f.Hosts)),
		macs:  map[string][]Ref{}, slots: map[string][]Ref{}, ports: map[string][]Ref{},
	}
	for _, h := range f.Hosts {
		x.hosts[h.Name] = h
		for name, e := range h.Elements {
			if e == nil {
				continue
			}
			adapter := e
			if e.Kind == Interface {
				adapter = h.Elements[e.On]
			}
			if adapter == nil || adapter.Kind != Virtual && adapter.Kind != VNIC && adapter.Kind != Physical {
				continue
			}
			r := Ref{h.Name, adapter.Name}
			if mac := e.MAC; mac != "" && strings.Trim(mac, "0:") != "" && !slices.Contains(x.macs[mac], r) {
				x.macs[mac] = append(x.macs[mac], r)
			}
			if slot := slotOf(e.Location); slot != "" && adapter.Name == name {
				x.slots[slot] = append(x.slots[slot], r)
			}
			if logicalPortOf(e.Location) != "" && adapter.Name == name {
				x.ports[e.Location] = append(x.ports[e.Location], r)
			}
		}
	}
	return x
}

// find is the one adapter that has the MAC address, or the slot, and belongs to
// the partition; nil if none or several do.
func (x *adapterIndex) find(a *AdapterProfile) *Ref {
	one := func(refs []Ref, sure func(*Host) bool) *Ref {
		var found []Ref
		for _, r := range refs {
			h := x.hosts[r.Host]
			if e := h.Elements[r.Element]; e.Kind == a.Kind && a.may(h) && sure(h) {
				found = append(found, r)
			}
		}
		if len(found) != 1 {
			return nil
		}
		return &found[0]
	}
	if r := one(x.macs[a.MAC], func(*Host) bool { return true }); r != nil {
		return r
	}
	if a.Location != "" {
		return one(x.ports[a.Location], func(*Host) bool { return true })
	}
	if a.LPARID == nil || a.Slot == nil {
		return nil
	}
	return one(x.slots[fmt.Sprintf("V%d-C%d", *a.LPARID, *a.Slot)], func(h *Host) bool {
		return h.Partition.Name == a.LPAR && a.LPAR != "" || a.System != "" && h.MachineID == a.System
	})
}

// may reports whether nothing a host says of itself speaks against its being the
// partition.
func (a *AdapterProfile) may(h *Host) bool {
	p := h.Partition
	return (a.System == "" || h.MachineID == "" || a.System == h.MachineID) &&
		(a.LPARID == nil || p.Number == nil || *a.LPARID == *p.Number)
}

// systems finds the managed system of each list by the hosts that are in it,
// and sets it in those that did not know.
func (x *adapterIndex) systems(c *HMC) {
	known, odd := map[int]string{}, map[int]bool{}
	see := func(list int, id string) {
		if id != "" {
			odd[list] = odd[list] || known[list] != "" && known[list] != id
			known[list] = id
		}
	}
	for _, a := range c.Adapters {
		see(a.List, a.System)
		if a.Is != nil {
			see(a.List, x.hosts[a.Is.Host].MachineID)
		}
	}
	for i := range c.Adapters {
		a := &c.Adapters[i]
		if odd[a.List] || known[a.List] == "" {
			continue
		}
		a.System = known[a.List]
		if a.Is != nil && x.hosts[a.Is.Host].MachineID == "" {
			x.hosts[a.Is.Host].MachineID = a.System
		}
	}
}

// fill gives an adapter what its host did not say.
func (x *adapterIndex) fill(c *HMC, a *AdapterProfile) {
	if a.Is == nil {
		return
	}
	h := x.hosts[a.Is.Host]
	e := h.Elements[a.Is.Element]
	if h.Partition.Number == nil && h.Partition.Name == "" && a.LPARID != nil {
		h.Partition.Number, h.Partition.Name = new(*a.LPARID), a.LPAR
	}
	differs := func(what, own, other string) {
		h.gap(Gap{What: e.Name, Why: fmt.Sprintf("%s is %s, but %s says %s (%s): the host's own answer was taken", what, own, c.Name, other,
			a.From.Command)})
	}
	switch {
	case a.PVID == nil || a.Kind != Virtual:
	case e.PVID == nil:
		e.PVID, e.VLANs = new(*a.PVID), slices.Clone(a.VLANs)
	case *e.PVID != *a.PVID:
		differs("the port VLAN id", fmt.Sprint(*e.PVID), fmt.Sprint(*a.PVID))
	}
	switch {
	case a.VSwitch == "":
	case e.VSwitch == "":
		e.VSwitch = a.VSwitch
	case e.VSwitch != a.VSwitch:
		differs("the hypervisor switch", e.VSwitch, a.VSwitch)
	}
	if e.Trunk == nil {
		e.Trunk = a.Trunk
	}
	if e.MAC == "" {
		e.MAC = a.MAC
	}
	if len(e.Backing) == 0 {
		e.Backing = slices.Clone(a.Backing)
	}
	e.ListedBy = cmp.Or(e.ListedBy, a.ListedBy)
	if e.AutoFailover == nil {
		e.AutoFailover = a.AutoFailover
	}
	if e.Capacity == nil && e.MaxCapacity == nil {
		e.PortShare = a.PortShare
	}
	if e.LinkUp == nil && a.Kind != Virtual {
		e.LinkUp = a.LinkUp
	}
	if e.SpeedMb == nil && a.Kind != Virtual {
		e.SpeedMb = a.SpeedMb
	}
	if a.Sharers != nil {
		e.Sharers, e.SharersMax = a.Sharers, a.SharersMax
	}
}

// shares gives hosts what an HMC says of their processors, where they did not say it: a VIOS
// without oem_setup_env, a Linux partition. A host's own answer stays.
func (f *Fleet) shares(c *HMC) {
	of := f.lpars()
	for i := range c.Shares {
		s := &c.Shares[i]
		if s.Partition.Number == nil || s.System == "" {
			continue
		}
		if h := of[lpar{s.System, *s.Partition.Number}]; h != nil {
			h.share(c.Name, s)
		}
	}
}

func (h *Host) share(hmc string, s *ProcessorShare) {
	own, said := &h.Partition, s.Partition
	if own.Mode != "" && said.Mode != "" && !strings.EqualFold(own.Mode, said.Mode) {
		h.gap(Gap{What: "partition " + said.Name, Why: fmt.Sprintf("its mode is %s, but %s says %s (%s): the host's own answer was taken",
			own.Mode, hmc, said.Mode, s.From.Command)})
		return
	}
	if own.Type == "" && own.Mode == "" && own.Entitled == nil { // all or nothing: they belong together
		own.Type = said.Type
		own.Mode = said.Mode
		own.Entitled = said.Entitled
		own.VirtualCPUs = said.VirtualCPUs
		own.Weight = said.Weight
	}
	most := own.MostCores()
	if _, known := h.Figures[CoresLimit]; known || most == nil {
		return
	}
	if h.Figures == nil {
		h.Figures = map[string]Figure{}
	}
	h.Figures[CoresLimit] = Figure{Value: *most, From: s.From}
}
