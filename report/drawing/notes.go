package drawing

import (
	"slices"

	"seaworthy/audit/finding"
	"seaworthy/inventory"
)

// Kinds of notes that are no findings.
const (
	Drops = "drops"
	Gap   = "gap"
)

// notes numbers what is wrong on the path and marks its elements.
func (g *graph) notes(p *inventory.Path) {
	mark := func(n *node, kind, at, text string) {
		g.d.Notes = append(g.d.Notes, Note{kind, at, text})
		if n != nil {
			n.Marks = append(n.Marks, len(g.d.Notes))
		}
	}
	for _, f := range g.options.Findings {
		if f.Verdict != finding.Found {
			continue
		}
		for _, r := range append([]inventory.Ref{f.Element}, f.Affects...) {
			if n := g.nodes[r.String()]; n != nil {
				mark(n, string(f.Severity), f.Element.String(), f.Rule+": "+f.Title)
				break
			}
		}
	}
	for _, n := range slices.Clone(g.order) {
		if n.host == "" {
			continue
		}
		if el := g.fleet.Element(inventory.Ref{Host: n.host, Element: n.Name}); el != nil {
			if text := lost(el); text != "" {
				mark(n, Drops, n.ID, "lost packets: "+text)
			}
		}
	}
	for _, x := range p.Gaps {
		mark(nil, Gap, x.What, x.Why)
	}
}
