package audit

import (
	"fmt"
	"maps"
	"slices"

	"seaworthy/inventory"
)

// drift lists the attributes whose next-boot value differs. Of an element in
// use at least one must be known in both ways: what was not compared did not
// prove equal.
func (s *session) drift(e *element) ([]string, error) {
	if e.used() && !slices.ContainsFunc(slices.Collect(maps.Values(e.is.Attrs)), both) {
		return nil, missing(describe(e, "values in force beside those of the next boot", comparedBy(e)))
	}
	var names []string
	for _, n := range drifted(e.is.Attrs) {
		if s.claimed[value{e.ref(), n}] || s.own(e, n) {
			continue
		}
		names = append(names, n)
		a := e.is.Attrs[n]
		s.seen.add(Evidence{Host: e.Host, Command: s.howToRead(e, n),
			Text: fmt.Sprintf("%s %s: running %s, next boot %s", e.Name, n, *a.Running, *a.NextBoot)})
	}
	return names, nil
}

func both(a *inventory.Attr) bool { return a != nil && a.Running != nil && a.NextBoot != nil }

// comparedBy names the commands that show an element's values in both ways.
func comparedBy(e *element) string {
	switch e.Kind {
	case kindTunables:
		return "no -L"
	case string(inventory.Interface):
		return "lsattr -El " + e.Name + ", ifconfig " + e.Name
	}
	return "lsattr -El " + e.Name + ", entstat -d " + e.Name
}

// own says that AIX itself gives an option of no its running value: one that
// nothing sets (thewall), or one that we know nothing of and whose next value
// is its default (poolbuckets grows with the processors).
func (s *session) own(e *element, name string) bool {
	if e.Kind != kindTunables || e.Platform == string(inventory.Linux) {
		return false
	}
	if a, ok := s.cat.Attribute("no", name); ok {
		return a.ReadOnly || len(a.Set) == 0
	}
	a := e.is.Attrs[name]
	return a.Default != nil && *a.Default == *a.NextBoot
}
