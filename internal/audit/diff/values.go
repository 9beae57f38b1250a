package diff

import (
	"maps"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Layer says when a value holds.
type Layer string

// The layers of a value. What nobody sets, as a link's state, is running.
const (
	Running  Layer = "running"
	NextBoot Layer = "next boot"
	Default  Layer = "default" // as the host itself names it
)

// Value is one thing that a reading says about an element or a host.
type Value struct {
	Element string // "host" for what is of the whole host, "no" or "sysctl" for its tunables
	What    string // the attribute, or what of the element: "port VLAN"
	Layer   Layer
	Text    string
	Listing Listing
	Kind    Kind
}

// Listing is what a reading holds whole: a Value that belongs to it and is not there has
// gone. Any other Value that is not there was not read.
type Listing uint8

// The listings of a reading; they are bits.
const (
	Elements Listing = 1 << iota // the elements, and lists of an element such as its VLANs
	Routes
)

// Listed says which listings a reading of a host has whole. The caller knows whether the
// commands that list ran to their end.
func Listed(h *model.Host) Listing {
	var l Listing
	if len(h.Elements) > 0 {
		l |= Elements
	}
	if h.Routes != nil {
		l |= Routes
	}
	return l
}

// ElementExists is the What of a Value that says that there is such an element; its
// text is the kind.
const ElementExists = "element"

// What an element is built on, by names of elements of its host; of several with commas between them.
const (
	Adapter       = "adapter"
	RealAdapter   = "real adapter"
	TrunkAdapters = "trunk adapters"
	Members       = "members"
)

// IsAspect says whether a What is not the name of an attribute, though an attribute may be called the same.
func IsAspect(what string) bool {
	return what == ElementExists ||
		slices.ContainsFunc(ofElement, func(a aspect[*model.Element]) bool { return a.what == what }) ||
		slices.ContainsFunc(ofHost, func(a aspect[*model.Host]) bool { return a.what == what })
}

// What identifies a host, and an adapter of it.
const (
	MACAddress      = "MAC address"
	ManagedSystem   = "managed system"
	PartitionNumber = "partition number"
)

// Values are all that Of compares of a host but counters, sorted by element and what.
// What was not read is not among them.
func Values(h *model.Host) []Value {
	out := aspectValues("host", ofHost, h)
	out = append(out, attributeValues(tunablesOf(h), h.Tunables)...)
	for i, text := range slices.Sorted(slices.Values(routes(h))) {
		if i == 0 || out[len(out)-1].What != "route "+text {
			out = append(out, Value{"host", "route " + text, Running, "set", Routes, Topology})
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		e := h.Elements[name]
		if e == nil {
			continue
		}
		out = append(out, Value{name, ElementExists, Running, string(e.Kind), Elements, Topology})
		out = append(out, aspectValues(name, ofElement, e)...)
		out = append(out, attributeValues(name, e.Attrs)...)
	}
	return out
}

// tunablesOf is the element that has a host's tunables.
func tunablesOf(h *model.Host) string {
	if h.Platform == model.Linux {
		return "sysctl"
	}
	return "no"
}

func aspectValues[T any](element string, all []aspect[T], of T) []Value {
	var out []Value
	for _, a := range all {
		text := a.of(of)
		if text == "" || a.what == "kind" { // which ElementExists has
			continue
		}
		v := Value{Element: element, What: a.what, Layer: Running, Text: text, Kind: a.kind}
		if a.list {
			v.Listing = Elements
		}
		out = append(out, v)
	}
	return out
}

func attributeValues(element string, attrs map[string]*model.Attr) []Value {
	var out []Value
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		a := attrs[name]
		if a == nil {
			continue
		}
		kind := kindOf(name)
		for _, x := range []struct {
			layer Layer
			text  *string
		}{{Running, a.Running}, {NextBoot, a.NextBoot}, {Default, a.Default}} {
			if x.text != nil {
				out = append(out, Value{Element: element, What: name, Layer: x.layer, Text: *x.text, Kind: kind})
			}
		}
	}
	return out
}
