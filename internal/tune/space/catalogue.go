package space

import (
	"cmp"
	"slices"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Of returns what the catalogue would vary on a path for a goal, at most at the cost of
// an outage class. A factor is there only if one of its levels differs from the
// present.
func Of(fleet *model.Fleet, path *model.Path, goal string, most knowledge.Class, try Try) (*Space, error) {
	goal = strings.TrimSuffix(goal, "-p50") // what may serve the one may serve the other
	s := &Space{}
	together := map[string]int{} // factors of several attributes, by name
	seen := map[model.Ref]bool{}
	add := func(ref model.Ref, layer string, values map[string]*model.Attr) {
		if seen[ref] {
			return
		}
		seen[ref] = true
		for _, a := range knowledge.BuiltIn().Attributes(layer) {
			v, t := values[a.Name], a.Tuning
			if v == nil || t == nil || a.ReadOnly || len(t.Goals) > 0 && !slices.Contains(t.Goals, goal) || !at(path, t.Side, ref) {
				continue
			}
			if v.Running == nil && v.NextBoot == nil {
				s.Left = append(s.Left, Left{ref.String() + " " + a.Name, "its value was not read"})
				continue
			}
			m := member{ref: ref, attr: &a, have: v.Current(), levels: t.Levels}
			if goal == "latency" || goal == "tps" {
				m.levels = slices.Concat(t.Levels, t.Latency)
			}
			name := cmp.Or(t.Factor, ref.String()+" "+a.Name)
			i, known := together[name]
			if !known {
				i = len(s.Factors)
				together[name] = i
				s.Factors = append(s.Factors, Factor{Name: name})
			}
			s.Factors[i].members = append(s.Factors[i].members, m)
		}
	}
	// In the order of the path, with the tunables of its hosts behind their first element.
	for _, hop := range path.Hops {
		if hop.Ref == nil {
			continue
		}
		h, el := fleet.Host(hop.Ref.Host), fleet.Element(*hop.Ref)
		if h == nil || el == nil {
			continue
		}
		layer, tunables, tunableLayer := string(el.Kind), task.No, string(task.No)
		if h.Platform == model.Linux {
			layer, tunables, tunableLayer = string(model.Linux), task.Sysctl, string(model.Linux)
		}
		add(*hop.Ref, layer, el.Attrs)
		add(model.Ref{Host: h.Name, Element: string(tunables)}, tunableLayer, h.Tunables)
	}
	for i := range s.Factors {
		s.Factors[i].build()
	}
	s.Factors = slices.DeleteFunc(s.Factors, func(f Factor) bool { return len(f.Levels) < 2 })
	return s, s.limited(most, try)
}

// at says whether an element of the path is on a side of it.
func at(path *model.Path, side string, ref model.Ref) bool {
	sends, receives := ref.Host == path.From.Host, ref.Host == path.To.Host
	switch side {
	case "sender":
		return sends
	case "receiver":
		return receives
	case "ends":
		return sends || receives
	}
	return true
}
