package replica

import (
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// need returns the hosts that the copy needs: those that Options name, the VIOSes that join them to
// the network, and whoever feels a change of theirs. all: no host is named, so every one.
func (b *builder) need() (needed map[string]bool, all bool) {
	if len(b.options.Hosts) == 0 && len(b.options.Touched) == 0 {
		return nil, true
	}
	needed = map[string]bool{}
	for _, name := range slices.Concat(b.options.Hosts, b.options.Touched) {
		needed[name] = true
	}
	// What a change of a VIOS interrupts are its clients, behind it or its partner.
	for _, name := range b.options.Touched {
		h := b.fleet.Host(name)
		if h == nil || h.Platform != model.VIOS {
			continue
		}
		for _, o := range b.fleet.Hosts {
			if shareVLAN(h, o) {
				needed[o.Name] = true
			}
		}
	}
	for _, name := range b.options.Touched {
		b.neighbours(name, needed)
	}
	for _, h := range b.fleet.Hosts {
		if h.Platform != model.VIOS {
			continue
		}
		for _, o := range b.fleet.Hosts {
			if needed[o.Name] && shareVLAN(h, o) {
				needed[h.Name] = true
				break
			}
		}
	}
	return needed, false
}

// fewNeighbours are enough to see that a host is cut off.
const fewNeighbours = 3

// neighbours adds hosts of a host's networks, for packets to be sent to, until there are a few.
func (b *builder) neighbours(name string, needed map[string]bool) {
	h := b.fleet.Host(name)
	if h == nil {
		return
	}
	var others []*model.Host
	found := 0
	for _, o := range b.fleet.Hosts {
		switch {
		case o == h || !shareNetwork(h, o):
		case needed[o.Name]:
			found++
		default:
			others = append(others, o)
		}
	}
	slices.SortFunc(others, func(a, b *model.Host) int { return model.Natural(a.Name, b.Name) })
	for _, o := range others[:min(len(others), max(0, fewNeighbours-found))] {
		needed[o.Name] = true
	}
}

// shareNetwork says whether two hosts have addresses in one network.
func shareNetwork(a, b *model.Host) bool {
	for _, e := range a.Elements {
		for _, o := range b.Elements {
			if _, neighbours := e.Neighbour(o); neighbours {
				return true
			}
		}
	}
	return false
}

// notNeeded notes the hosts that the copy does without.
func (b *builder) notNeeded(needed map[string]bool) {
	for _, h := range b.fleet.Hosts {
		if !needed[h.Name] {
			b.unneeded = append(b.unneeded, h.Name)
		}
	}
	if len(b.unneeded) == 0 {
		return
	}
	slices.SortFunc(b.unneeded, model.Natural)
	why := "no path between the hosts that are asked for passes them: %s"
	if len(b.options.Touched) > 0 {
		why = "neither the plan nor what it interrupts reaches them: %s"
	}
	b.add(LeftOut, "hosts", why+" (--all takes them)", someOf(b.unneeded))
}

// shareVLAN says whether a trunk adapter of a VIOS carries a VLAN of another host's virtual adapters. Where
// one of the VLANs was not read, it may.
func shareVLAN(vios, other *model.Host) bool {
	if vios == other || vios.MachineID != other.MachineID {
		return false
	}
	for _, t := range vios.Names(model.Virtual) {
		trunk := vios.Elements[t]
		if trunk.Trunk == nil || !*trunk.Trunk {
			continue
		}
		for _, v := range other.Names(model.Virtual) {
			if joined(trunk, other.Elements[v]) {
				return true
			}
		}
	}
	return false
}

// joined says whether two virtual adapters of a managed system have a VLAN in common, as far as is known.
func joined(a, b *model.Element) bool {
	if a.VSwitch != "" && b.VSwitch != "" && !strings.EqualFold(a.VSwitch, b.VSwitch) {
		return false
	}
	if a.PVID == nil || b.PVID == nil {
		return true
	}
	carried := append([]int{*a.PVID}, a.VLANs...)
	for _, vlan := range append([]int{*b.PVID}, b.VLANs...) {
		if slices.Contains(carried, vlan) {
			return true
		}
	}
	return false
}
