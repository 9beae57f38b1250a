package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/app/comparison"
	"seaworthy/internal/ui/report/doc"
)

// someDifferences is how many of a host are listed; verbose lists all.
const someDifferences = 20

// SideBySide puts hosts side by side, the odd one first.
func SideBySide(d *Document, r *comparison.Result, verbose bool) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Right("differs"), doc.Right("alike"), doc.Right("not read"))
	for _, h := range r.Hosts {
		name := h.Name
		if name == r.Golden {
			name += " (golden)"
		}
		t.Add(name, len(h.Differs), h.Alike, h.Unknown)
	}
	d.Table(t)
	others := "most have"
	if r.Golden != "" {
		others = r.Golden
	}
	differ := doc.NewWrapped("differences", doc.Left("at"), doc.Left("what"), doc.Left("of"), doc.Left("value"), doc.Left(others).Keyed("others"),
		doc.Right("hosts"))
	more := 0
	for _, h := range r.Hosts {
		for i, x := range h.Differs {
			media := doc.Medium(0)
			if i >= someDifferences && !verbose {
				media = doc.Data
				more++
			}
			differ.AddOn(media, h.Name+":"+x.Element, x.What, x.Layer, unset(x.Value), unset(x.Others), x.Of)
		}
	}
	addBelow(d, "Differences", differ)
	if more > 0 {
		d.Line("… and %s (-v)", Plural(more, "difference"))
	}
	split := doc.NewWrapped("undecided", doc.Left("element"), doc.Left("what"), doc.Left("of"), doc.Left("values"))
	for _, s := range r.Undecided {
		var parts []string
		for _, value := range slices.Sorted(maps.Keys(s.Hosts)) {
			parts = append(parts, fmt.Sprintf("%s: %s", unset(value), strings.Join(s.Hosts[value], ", ")))
		}
		split.Add(s.Element, s.What, s.Layer, strings.Join(parts, "; "))
	}
	addBelow(d, "Different, and no value is that of most hosts", split)
	d.Gap()
	if differ.Empty() && split.Empty() {
		d.Line("No differences in what was read.")
	}
	if r.Own > 0 {
		d.Line("%s that each host has for itself, such as addresses, not compared.", Plural(r.Own, "value"))
	}
}

// unset is a value as a table has it.
func unset(value string) string {
	if value == "" {
		return "unset"
	}
	return value
}
