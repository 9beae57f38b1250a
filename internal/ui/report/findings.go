package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
)

// addHeading says what a group is about, in a line if it fits.
func addHeading(d *Document, g finding.Group) {
	severity := doc.Styled(doc.Style(g.Severity), fmt.Sprintf("%-8s", g.Severity.Word()))
	d.Entry(doc.Textf("%s  %s  %s", severity, g.Rule, doc.Styled(doc.Head, g.Where())), g.Title+fresh(g))
}

// fresh says which of a group's findings are new since the earlier snapshot.
func fresh(g finding.Group) string {
	switch n := g.Size() - still(g); {
	case g.Members[0].Change == "" || n == 0:
		return ""
	case n == g.Size():
		return " (new)"
	default:
		return fmt.Sprintf(" (%d of %d new)", n, g.Size())
	}
}

// still counts a group's findings that were there before.
func still(g finding.Group) int {
	n := 0
	for _, f := range g.Members {
		if f.Change == diff.Still {
			n++
		}
	}
	return n
}

// Of a group not printed in full, these many of each are named.
const (
	someRefs     = 8
	someEvidence = 4
)

// addGroup adds a group with its evidence, reason and remedy.
func addGroup(d *Document, g finding.Group, all bool) {
	addHeading(d, g)
	limit := func(n int) int {
		if all {
			return math.MaxInt
		}
		return n
	}
	first := g.Members[0]
	where := g.At()
	if g.Size() > 1 {
		d.Prose("where", refs(where, limit(someRefs)))
	}
	proof, complete := g.Evidence()
	shown := min(limit(max(complete, someEvidence)), len(proof))
	addEvidence(d, proof[:shown])
	if more := proof[shown:]; len(more) > 0 {
		d.Fold(fmt.Sprintf("and %s more", Plural(len(more), "line")), func(d *Document) { addEvidence(d, more) })
	}
	d.Prose("affects", refs(g.Affects, limit(someRefs)))
	d.Prose("why", first.Why)
	d.Prose("effect", first.Effect)
	addRemedy(d, g, limit(someRefs))
	d.Prose("advice", common(g, (*finding.Finding).AdviceText)...)
	d.Prose("caution", common(g, func(f *finding.Finding) []string { return f.Cautions })...)
	d.Prose("sources", cited(first))
	d.Gap()
}

// addRemedy names what to set and, up to a number of elements, where.
func addRemedy(d *Document, g finding.Group, most int) {
	for _, w := range g.Remedy {
		if len(w.At) == 1 {
			d.Prose("remedy", fmt.Sprintf("%s %s: %s=%s", w.At[0].Host, w.At[0].Element, w.Attr, w.Value))
			continue
		}
		at := refs(w.At, most)
		if slices.Equal(w.At, g.At()) {
			at = "each of them"
		}
		d.Prose("remedy", fmt.Sprintf("%s=%s on %s", w.Attr, w.Value, at))
	}
}

func addEvidence(d *Document, lines []finding.Evidence) {
	for _, e := range lines {
		d.Code("evidence", evidence(e))
	}
}

// cited are the keys of a finding's sources, and where their titles and places are.
func cited(f *finding.Finding) string {
	var keys []string
	for _, s := range f.Sources {
		key, _, _ := strings.Cut(s, ":")
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return ""
	}
	return strings.Join(keys, ", ") + ": " + f.ExplainedBy()
}

// evidence is a line of output with its place, cut to a readable length.
func evidence(e finding.Evidence) string {
	where := e.Host + " $ " + commandHead(e.Command)
	switch {
	case e.Command == "":
		where = e.Host
	case e.Line > 0:
		where += fmt.Sprintf(" (line %d)", e.Line)
	}
	text := []rune(e.Text)
	if len(text) > 400 {
		text = append(text[:400], '…')
	}
	return where + ": " + string(text)
}

// commandHead leaves out the end of a command line that asks for many things at once.
func commandHead(command string) string {
	const most = 80
	if len(command) <= most {
		return command
	}
	cut := strings.LastIndexByte(command[:most], ' ')
	if cut <= 0 {
		return command
	}
	return command[:cut] + " …"
}

// refs names elements, at most so many.
func refs(at []model.Ref, most int) string {
	var names []string
	for i, r := range at {
		if i >= most && len(at) > most+1 {
			names = append(names, fmt.Sprintf("and %d more (-v)", len(at)-i))
			break
		}
		names = append(names, r.String())
	}
	return strings.Join(names, ", ")
}

// allRefs names elements.
func allRefs(at []model.Ref) string { return refs(at, len(at)) }

// common gives the lines that any member of a group has; those not of all name
// theirs.
func common(g finding.Group, of func(*finding.Finding) []string) []string {
	var lines []string
	has := map[string][]model.Ref{}
	for _, f := range g.Members {
		for _, l := range of(f) {
			if has[l] == nil {
				lines = append(lines, l)
			}
			has[l] = append(has[l], f.Element)
		}
	}
	for i, l := range lines {
		if n := len(has[l]); n < g.Size() {
			lines[i] = refs(has[l], 3) + ": " + l
		}
	}
	return lines
}

// AddFinding says what a finding is, in a line if it fits, behind a word for its state.
func AddFinding(d *Document, state doc.Text, f finding.Finding) {
	d.Entry(doc.Textf("%s  %s  %s", state, f.Rule, doc.Styled(doc.Head, f.Element.String())), f.Title)
}
