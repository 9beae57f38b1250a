package audit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

var quoted = regexp.MustCompile(`"([a-z0-9_.]+)"`)

// mentioned are the attributes that rules have an opinion about.
func mentioned(rules []catalog.Rule) map[string]bool {
	out := map[string]bool{}
	read := func(text string) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	for _, r := range rules {
		for _, k := range r.Checks {
			read(k.When)
			read(k.Condition)
			for _, m := range k.Remedy {
				out[m.Attr] = true
			}
		}
	}
	return out
}

// unusual lists an element's attributes that are not at the default the host
// itself names, and that no rule speaks about. Addresses, names and cables have
// no usual value. Where the host named no default at all, nothing was compared.
func (s *session) unusual(e *element) ([]string, error) {
	layer := e.Kind
	if e.Kind == kindTunables {
		layer = "no"
	}
	var out []string
	compared := false
	for _, name := range s.ordinary(layer) {
		have := e.is.Attrs[name]
		if have == nil || have.Default == nil {
			continue
		}
		compared = true
		v, ok := s.value(have)
		if !ok || v == *have.Default {
			continue
		}
		x, xok := boolean(v)
		if y, yok := boolean(*have.Default); xok && yok && x == y {
			continue
		}
		out = append(out, name)
		s.seen.add(Evidence{Host: e.Host, Command: s.howToRead(e, name), Text: fmt.Sprintf("%s %s = %s, default %s", e.Name, name, v, *have.Default)})
	}
	if !compared && !slices.ContainsFunc(slices.Collect(maps.Values(e.is.Attrs)), func(a *inventory.Attr) bool { return a != nil && a.Default != nil }) {
		how := "lsattr -Dl " + e.Name
		if e.Kind == kindTunables {
			how = "no -L"
		}
		return nil, missing(describe(e, "defaults", how))
	}
	return out, nil
}

// ordinary are the attributes of a layer that have a usual value and that no
// rule speaks about. A run asks for them at every element.
func (s *session) ordinary(layer string) []string {
	names, known := s.ordinaries[layer]
	if known {
		return names
	}
	for _, a := range s.cat.Attributes(layer) {
		if !a.ReadOnly && !s.mentioned[a.Name] && (a.Type == "int" || a.Type == "bool" || a.Type == "enum") {
			names = append(names, a.Name)
		}
	}
	if s.ordinaries == nil {
		s.ordinaries = map[string][]string{}
	}
	s.ordinaries[layer] = names
	return names
}
