package model

import "slices"

// Interfaces names what a path can end at, in the order people count: interfaces; on
// Linux, where interface and adapter are one, all devices.
func (h *Host) Interfaces() []string {
	var names []string
	for n, e := range h.Elements {
		if e != nil && (e.Kind == Interface || h.Platform == Linux) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	return names
}
