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
	if e.Used() && !some(e, both) {
		how := "lsattr -El " + e.Name + ", entstat -d " + e.Name
		switch e.Kind {
		case graph.KindTunables:
			how = "no -L"
		case string(inventory.Interface):
			how = "lsattr -El " + e.Name + ", ifconfig " + e.Name
		}
		return nil, e.Missing("running and next-boot values", how)
	}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(e.Is.Attrs)) {
		a := e.Is.Attrs[n]
		if drifts(a) && !s.Claimed[Attr{e.Ref(), n}] && !s.own(e, n) {
			names = append(names, n)
			s.evidence(e, s.howToRead(e, n), "%s %s: running %s, next boot %s", e.Name, n, *a.Running, *a.NextBoot)
		}
	}
	return names, nil
}

func some(e *graph.Element, is func(*inventory.Attr) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(e.Is.Attrs)), is)
}

// own says that AIX itself gives an option of no its running value: one that
// nothing sets (thewall), or one that we know nothing of and whose next value
// is its default (poolbuckets grows with the processors).
func (s *Session) own(e *graph.Element, name string) bool {
	if e.Kind != graph.KindTunables || e.Linux() {
		return false
	}
	if a, ok := s.Catalog.Attribute("no", name); ok {
		return a.ReadOnly || len(a.Set) == 0
	}
	a := e.Is.Attrs[name]
	return a.Default != nil && *a.Default == *a.NextBoot
}

// unusual lists an element's attributes that are not at the default the host
// itself names, and that no rule speaks about. Where the host named no default
// at all, nothing was compared.
func (s *Session) unusual(e *graph.Element) ([]string, error) {
	layer, how := e.Kind, "lsattr -Dl "+e.Name
	if layer == graph.KindTunables {
		layer, how = "no", "no -L"
	}
	if !some(e, func(a *inventory.Attr) bool { return a != nil && a.Default != nil }) {
		return nil, e.Missing("defaults", how)
	}
	var names []string
	for _, n := range s.ordinary(layer) {
		a := e.Is.Attrs[n]
		if v, ok := s.value(a); ok && a.Default != nil && !Same(v, *a.Default) {
			names = append(names, n)
			s.evidence(e, s.howToRead(e, n), "%s %s = %s, default %s", e.Name, n, v, *a.Default)
		}
	}
	return names, nil
}

// ordinary are the attributes of a layer that have a usual value, as addresses,
// names and cables have not, and that no rule speaks about. A run asks for them
// at every element.
func (s *Session) ordinary(layer string) []string {
	names, known := s.ordinaries[layer]
	if known {
		return names
	}
	for _, a := range s.Catalog.Attributes(layer) {
		if !a.ReadOnly && !s.Mentioned[a.Name] && slices.Contains([]string{"int", "bool", "enum"}, a.Type) {
			names = append(names, a.Name)
		}
	}
	s.ordinaries[layer] = names
	return names
}
