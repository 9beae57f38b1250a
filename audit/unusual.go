package audit

import (
	"fmt"
	"regexp"

	"seaworthy/catalog"
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
// no usual value.
func (s *session) unusual(e *element) []string {
	layer := e.Kind
	if e.Kind == kindTunables {
		layer = "no"
	}
	var out []string
	for _, a := range s.cat.Attributes(layer) {
		have := e.is.Attrs[a.Name]
		if have == nil || have.Default == nil || a.ReadOnly || s.mentioned[a.Name] {
			continue
		}
		v, ok := s.value(have)
		if !ok || v == *have.Default || a.Type != "int" && a.Type != "bool" && a.Type != "enum" {
			continue
		}
		x, xok := boolean(v)
		if y, yok := boolean(*have.Default); xok && yok && x == y {
			continue
		}
		out = append(out, a.Name)
		s.seen.add(Evidence{Host: e.Host, Command: s.howToRead(e, a.Name), Text: fmt.Sprintf("%s %s = %s, default %s", e.Name, a.Name, v, *have.Default)})
	}
	return out
}
