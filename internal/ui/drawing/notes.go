package drawing

import (
	"fmt"
	"slices"
	"strconv"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/quote"
	"seaworthy/internal/ui/report/typeset"
)

// Kinds of notes that are no findings.
const (
	Drops = "drops"
	Gap   = "gap"
)

// notes numbers what is wrong on the path and marks its elements.
func (g *pathDrawing) notes(p *model.Path) {
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
		for _, r := range append([]model.Ref{f.Element}, f.Affects...) {
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
		if el := g.fleet.Element(model.Ref{Host: n.host, Element: n.Name}); el != nil {
			if text := lost(el); text != "" {
				mark(n, Drops, n.ID, "lost packets: "+text)
			}
		}
	}
	for _, x := range p.Gaps {
		mark(nil, Gap, x.What, x.Why)
	}
}

// markW is the room of a note's number in a box.
const markW = 20

// String is the cores of a host in words.
func (c *Cores) String() string {
	text := strconv.FormatFloat(c.Used, 'f', 2, 64)
	if c.Limit == nil {
		return text + " cores used"
	}
	return fmt.Sprintf("%s of %s cores used", text, strconv.FormatFloat(*c.Limit, 'f', -1, 64))
}

// legend writes what lines, numbers and notes mean from y down, and returns
// where it ends.
func (g *pathDrawing) legend(y float64) float64 {
	d := g.d
	room := d.Width - 2*margin
	line := func(class, text string, x float64) {
		d.put("", class, text, x, y, textSize, room-(x-margin))
		y += lineH + 2
	}
	for _, b := range d.Boxes {
		if b.Standby {
			line("dim", "solid: carries the frames · dashed: stands by", margin)
			break
		}
	}
	if g.options.Proved > 0 {
		line("dim", fmt.Sprintf("%d ✓: packets of so many bytes were seen to pass whole", g.options.Proved), margin)
	}
	for i, n := range d.Notes {
		// Word is the word itself of what is not a severity.
		label := fmt.Sprintf("%d  %s  %s", i+1, finding.Severity(n.Kind).Word(), quote.Plain(n.At))
		for k, s := range typeset.Fold(label+": "+n.Text, room-14, textSize) {
			class := n.Kind
			if k > 0 {
				class += " more"
			}
			line("note "+class, s, margin)
		}
	}
	return y - lineH
}
