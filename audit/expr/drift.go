package expr

import (
	"maps"
	"slices"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// drift lists the attributes whose next-boot value differs. Of an element in
// use at least one must be known in both ways: what was not compared did not
// prove equal.
func (s *Session) drift(e *graph.Element) ([]string, error) {
	if e.Used() && !slices.ContainsFunc(slices.Collect(maps.Values(e.Is.Attrs)), both) {
		return nil, e.Missing("running and next-boot values", comparedBy(e))
	}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(e.Is.Attrs)) {
		if !drifts(e.Is.Attrs[n]) || s.Claimed[Attr{e.Ref(), n}] || s.own(e, n) {
			continue
		}
		names = append(names, n)
		a := e.Is.Attrs[n]
		s.saw(e, s.howToRead(e, n), "%s %s: running %s, next boot %s", e.Name, n, *a.Running, *a.NextBoot)
	}
	return names, nil
}

func both(a *inventory.Attr) bool { return a != nil && a.Running != nil && a.NextBoot != nil }

// comparedBy names the commands that show an element's values in both ways.
func comparedBy(e *graph.Element) string {
	switch e.Kind {
	case graph.KindTunables:
		return "no -L"
	case string(inventory.Interface):
		return "lsattr -El " + e.Name + ", ifconfig " + e.Name
	}
	return "lsattr -El " + e.Name + ", entstat -d " + e.Name
}

// own says that AIX itself gives an option of no its running value: one that
// nothing sets (thewall), or one that we know nothing of and whose next value
// is its default (poolbuckets grows with the processors).
func (s *Session) own(e *graph.Element, name string) bool {
	if e.Kind != graph.KindTunables || e.Platform == string(inventory.Linux) {
		return false
	}
	if a, ok := s.Catalog.Attribute("no", name); ok {
		return a.ReadOnly || len(a.Set) == 0
	}
	a := e.Is.Attrs[name]
	return a.Default != nil && *a.Default == *a.NextBoot
}

// drifts says whether an attribute's running and next-boot values differ. One
// left empty in the ODM takes its running value from elsewhere, and that is no
// drift.
func drifts(a *inventory.Attr) bool {
	return both(a) && *a.NextBoot != "" && !Same(*a.Running, *a.NextBoot)
}
