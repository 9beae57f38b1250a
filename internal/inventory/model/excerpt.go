package model

import (
	"maps"
	"slices"
)

// Excerpt is a path and what is known of the elements that carry its frames, or
// could: enough to draw it later.
type Excerpt struct {
	Path  Path   `json:"path"`
	Fleet *Fleet `json:"fleet"`
}

// Excerpt keeps of the hosts on a path, and of the VIOSes of their systems, the
// elements with the attributes and counters of these names.
func (f *Fleet) Excerpt(p *Path, attrs, counters []string) *Excerpt {
	on, systems := map[string]bool{}, map[string]bool{}
	for _, hop := range p.Hops {
		if hop.Ref == nil {
			continue
		}
		on[hop.Ref.Host] = true
		if h := f.Host(hop.Ref.Host); h != nil {
			systems[h.MachineID] = true
		}
	}
	out := &Excerpt{Path: *p, Fleet: &Fleet{}}
	for _, h := range f.Hosts {
		if !on[h.Name] && (h.Platform != VIOS || h.MachineID == "" || !systems[h.MachineID]) {
			continue
		}
		kept := &Host{Name: h.Name, Platform: h.Platform, MachineID: h.MachineID, Partition: h.Partition, Taken: h.Taken,
			Elements: map[string]*Element{}, Figures: map[string]Figure{}}
		for _, name := range []string{CoresUsed, CoresLimit} {
			if x, ok := h.Figures[name]; ok {
				kept.Figures[name] = Figure{Value: x.Value}
			}
		}
		for name, e := range h.Elements {
			kept.Elements[name] = e.excerpt(attrs, counters)
		}
		out.Fleet.Hosts = append(out.Fleet.Hosts, kept)
	}
	return out
}

func (e *Element) excerpt(attrs, counters []string) *Element {
	kept := *e
	kept.Buffers, kept.Clients, kept.Flags = nil, nil, nil
	kept.Attrs = map[string]*Attr{}
	for _, name := range attrs {
		if a := e.Attrs[name]; a != nil {
			kept.Attrs[name] = &Attr{Name: a.Name, Running: a.Running, NextBoot: a.NextBoot}
		}
	}
	values := map[string]uint64{}
	for _, name := range counters {
		if v, ok := e.Counters.Get(name); ok && v > 0 {
			values[name] = v
		}
	}
	kept.Counters = CountersOf(values)
	return &kept
}

// Whole reports whether an excerpt out of a file holds what a drawing takes for
// granted.
func (x *Excerpt) Whole() bool {
	if x == nil || x.Fleet == nil || len(x.Path.Hops) < 2 {
		return false
	}
	for _, h := range x.Fleet.Hosts {
		if h == nil || lacks(h.Elements) {
			return false
		}
		for _, e := range h.Elements {
			if lacks(e.Attrs) {
				return false
			}
		}
	}
	return true
}

func lacks[T any](m map[string]*T) bool { return slices.Contains(slices.Collect(maps.Values(m)), nil) }
