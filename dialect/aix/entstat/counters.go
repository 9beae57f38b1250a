package entstat

import (
	"strconv"
	"strings"

	"seaworthy/dialect/labels"
)

// Counter is the number printed with a label. Transmit and Receive choose the
// column; OneColumn finds what is printed alone, anywhere in this adapter's own
// text. A label that several sections print needs the section before it, as in
// Counters. The second result is false if there is no such number.
func (s *Statistics) Counter(side labels.Side, label string) (uint64, bool) {
	for _, f := range s.Fields {
		if f.Side == side && f.Section == "" && f.Kind == labels.Value && f.Number != nil && labels.Same(f.Label, label) {
			return *f.Number, true
		}
	}
	switch side {
	case Receive:
		return 0, false
	case Transmit: // left column, with nothing to the right
		for _, f := range s.Fields {
			if f.Side == OneColumn && f.Section == "" && f.Kind == labels.Value && f.Number != nil && labels.Same(f.Label, label) {
				return *f.Number, true
			}
		}
		return 0, false
	}
	var found *uint64
	for _, f := range s.Fields {
		n := f.Counter()
		if n == nil || f.Side != OneColumn {
			continue
		}
		if labels.Same(f.Label, label) {
			if found != nil {
				found = nil
				break
			}
			found = n
		}
	}
	if found != nil {
		return *found, true
	}
	if !strings.Contains(label, ".") {
		return 0, false
	}
	n, ok := s.Counters()[label]
	return n, ok
}

// Counters are all single numbers printed for this adapter, its members'
// excluded. Those of two columns have "tx." or "rx." before the label. A label
// that stands in several sections has the section's own headings before it:
// "Real Side Statistics.Packets received", "Receive Q1 Statistics.Receive Q Bytes".
func (s *Statistics) Counters() map[string]uint64 {
	type key struct {
		side  labels.Side
		label string
	}
	times := map[key]int{}
	for _, f := range s.Fields {
		if f.Counter() != nil {
			times[key{f.Side, f.Label}]++
		}
	}
	all := make(map[string]uint64, len(times))
	for _, f := range s.Fields {
		n := f.Counter()
		if n == nil {
			continue
		}
		name := f.Label
		if f.Side != OneColumn {
			name = string(f.Side) + "." + name
		}
		if times[key{f.Side, f.Label}] > 1 && f.Section != "" {
			name = shortSection(f.Section) + "." + name
		}
		unique := name
		for k := 2; ; k++ {
			if _, taken := all[unique]; !taken {
				break
			}
			unique = name + " (" + strconv.Itoa(k) + ")"
		}
		all[unique] = *n
	}
	return all
}

// shortSection is a section without its major heading, if it has others.
func shortSection(section string) string {
	if _, minor, ok := strings.Cut(section, " / "); ok {
		return minor
	}
	return section
}
