package graph

import (
	"slices"
	"strings"

	"seaworthy/inventory"
)

// addMAC notes which adapters have a MAC address.
func (g *Graph) addMAC(e *Element) {
	switch e.Is.Kind {
	case inventory.Virtual, inventory.VNIC, inventory.Physical:
		if strings.Trim(e.Is.MAC, "0:") != "" {
			g.macs[e.Is.MAC] = append(g.macs[e.Is.MAC], e)
		}
	}
}

// maxDuplicates bounds how many are named where many copies were made.
const maxDuplicates = 4

// Duplicates gives the adapters of other hosts that have e's MAC address and may
// be in a VLAN with it.
func (e *Element) Duplicates() ([]*Element, error) {
	if strings.Trim(e.Is.MAC, "0:") == "" {
		return nil, e.Missing("MAC address", "entstat -d "+e.Name)
	}
	var out []*Element
	for _, x := range e.graph.macs[e.Is.MAC] {
		if x.Host != e.Host && !apart(e, x) && len(out) < maxDuplicates {
			out = append(out, x)
		}
	}
	return out, nil
}

// apart says that two adapters have no VLAN in common, as far as both are known.
func apart(a, b *Element) bool {
	ours, err := a.VLANs()
	theirs, err2 := b.VLANs()
	return err == nil && err2 == nil && !slices.ContainsFunc(ours, func(v int) bool { return slices.Contains(theirs, v) })
}
