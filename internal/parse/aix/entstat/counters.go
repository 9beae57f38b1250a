package entstat

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse/labels"
)

// Counters are all single numbers printed for this adapter, its members'
// excluded. Those of two columns have "tx." or "rx." before the label. A label
// that several sections print has the section's own headings before it:
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
		if f.Side != labels.OneColumn {
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
