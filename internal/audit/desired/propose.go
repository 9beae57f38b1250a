package desired

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// fewest is how many elements must agree before their value is proposed.
const fewest = 2

// group are the elements whose value is proposed together.
type group struct {
	platform, kind, attr string
}

// Propose writes a first file from what most hosts have: of each attribute that a rule has an opinion on, the value that
// more than half of the elements of a kind run with. Where there is no majority, nothing is proposed.
func Propose(ctx context.Context, hosts *model.Fleet) (*Site, error) {
	g, err := graph.New(ctx, hosts)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	judged := judgedAttributes()
	counts := map[group]map[string]int{}
	for _, h := range hosts.Hosts {
		for _, e := range g.Of(h.Name) {
			for name, a := range e.Is.Attrs {
				if !judged[name] || a.Running == nil || *a.Running == "" || !e.Used() {
					continue
				}
				of := group{e.Platform, e.Kind, name}
				if counts[of] == nil {
					counts[of] = map[string]int{}
				}
				counts[of][*a.Running]++
			}
		}
	}
	return proposed(counts), nil
}

// judgedAttributes are those that a rule can ask to change.
func judgedAttributes() map[string]bool {
	all := map[string]bool{}
	for _, r := range knowledge.BuiltIn().Rules() {
		for _, c := range r.Checks {
			for _, remedy := range c.Remedy {
				all[remedy.Attr] = true
			}
		}
	}
	return all
}

// proposed makes an entry of the majorities of a platform's kind.
func proposed(counts map[group]map[string]int) *Site {
	s := &Site{Schema: Schema}
	entries := map[string]*Wanted{}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.platform, b.platform), cmp.Compare(a.kind, b.kind), cmp.Compare(a.attr, b.attr))
	})
	for _, of := range order {
		value, n, total := majority(counts[of])
		if n < fewest || 2*n <= total {
			continue
		}
		name := of.platform + "-" + of.kind
		w := entries[name]
		if w == nil {
			w = &Wanted{Name: name, Of: Selector{Kind: of.kind, Platform: of.platform}, Values: map[string]string{},
				Reason: "what most hosts have: replace this by why it should be so"}
			entries[name] = w
		}
		w.Values[of.attr] = value
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		s.Wanted = append(s.Wanted, *entries[name])
	}
	return s
}

// majority is the most frequent value, how many have it, and how many there are.
func majority(values map[string]int) (value string, n, total int) {
	for _, v := range slices.Sorted(maps.Keys(values)) {
		total += values[v]
		if values[v] > n {
			value, n = v, values[v]
		}
	}
	return value, n, total
}
