package expr

import (
	"maps"
	"slices"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// unusual lists an element's attributes that are not at the default the host
// itself names, and that no rule speaks about. Addresses, names and cables have
// no usual value. Where the host named no default at all, nothing was compared.
func (s *Session) unusual(e *graph.Element) ([]string, error) {
	layer := e.Kind
	if e.Kind == graph.KindTunables {
		layer = "no"
	}
	var out []string
	compared := false
	for _, name := range s.ordinary(layer) {
		have := e.Is.Attrs[name]
		if have == nil || have.Default == nil {
			continue
		}
		compared = true
		v, ok := s.value(have)
		if !ok || Same(v, *have.Default) {
			continue
		}
		out = append(out, name)
		s.saw(e, s.howToRead(e, name), "%s %s = %s, default %s", e.Name, name, v, *have.Default)
	}
	withDefault := func(a *inventory.Attr) bool { return a != nil && a.Default != nil }
	if !compared && !slices.ContainsFunc(slices.Collect(maps.Values(e.Is.Attrs)), withDefault) {
		how := "lsattr -Dl " + e.Name
		if e.Kind == graph.KindTunables {
			how = "no -L"
		}
		return nil, e.Missing("defaults", how)
	}
	return out, nil
}

// ordinary are the attributes of a layer that have a usual value and that no
// rule speaks about. A run asks for them at every element.
func (s *Session) ordinary(layer string) []string {
	names, known := s.ordinaries[layer]
	if known {
		return names
	}
	for _, a := range s.Catalog.Attributes(layer) {
		if !a.ReadOnly && !s.Mentioned[a.Name] && (a.Type == "int" || a.Type == "bool" || a.Type == "enum") {
			names = append(names, a.Name)
		}
	}
	s.ordinaries[layer] = names
	return names
}
