package report

import (
	"fmt"
	"strings"

	"seaworthy/audit"
)

// Findings prints what an audit found, most severe first; then, in a line each,
// what is only worth knowing (severity info); then what could not be judged.
// Passed rules are only counted. Verbose tells all of everything.
func Findings(p *Printer, all []audit.Finding, verbose bool) { Audit(p, all, 0, verbose) }

// Audit is Findings where rules that passed were only counted.
func Audit(p *Printer, all []audit.Finding, passed int, verbose bool) {
	var open, notes, unknown []audit.Finding
	for _, f := range all {
		switch {
		case f.Verdict == audit.Found && f.Severity == audit.Info:
			notes = append(notes, f)
		case f.Verdict == audit.Found:
			open = append(open, f)
		case f.Verdict == audit.NotAssessed:
			unknown = append(unknown, f)
		case f.Verdict == audit.Pass:
			passed++
		}
	}
	for _, f := range open {
		finding(p, f)
	}
	for _, f := range notes {
		if verbose {
			finding(p, f)
			continue
		}
		title(p, "", p.Style("info", fmt.Sprintf("%-8s", "note")), f)
	}
	if verbose {
		for _, f := range unknown {
			title(p, "", p.Style("dim", "not assessed"), f)
			p.Prose("missing", strings.Join(f.Missing, "; "))
		}
	} else if len(unknown) > 0 {
		if len(notes) > 0 {
			p.Line("")
		}
		p.Prose("unknown", byRule(unknown)+": not assessed, a fact is missing (-v says which)")
	}
	p.Line("%s, %s, %d not assessed, %d passed.", plural(len(open), "finding"), plural(len(notes), "note"), len(unknown), passed)
}

func finding(p *Printer, f audit.Finding) {
	title(p, "", p.Style(string(f.Severity), fmt.Sprintf("%-8s", f.Severity)), f)
	for _, e := range f.Evidence {
		where := e.Host + " $ " + e.Command
		if e.Line > 0 {
			where += fmt.Sprintf(" (line %d)", e.Line)
		}
		p.Prose("evidence", where+": "+e.Text)
	}
	if len(f.Affects) > 0 {
		var names []string
		for _, r := range f.Affects {
			names = append(names, r.String())
		}
		p.Prose("affects", strings.Join(names, ", "))
	}
	p.Prose("why", f.Why)
	p.Prose("effect", f.Effect)
	for _, s := range f.Remedy {
		p.Prose("remedy", fmt.Sprintf("%s %s: %s=%s", s.Host, s.Element, s.Attr, s.Value))
	}
	for _, a := range f.Advice {
		p.Prose("advice", a)
	}
	for _, c := range f.Cautions {
		p.Prose("caution", c)
	}
	p.Prose("sources", strings.Join(f.Sources, ", "))
	p.Line("")
}

// title prints what a finding is, in a line if it fits.
func title(p *Printer, indent, kind string, f audit.Finding) {
	p.Entry(indent+kind+"  "+Safe(f.Rule)+"  "+p.Style("head", Safe(f.Element.String())), f.Title)
}

func byRule(fs []audit.Finding) string {
	var order []string
	count := map[string]int{}
	for _, f := range fs {
		if count[f.Rule] == 0 {
			order = append(order, f.Rule)
		}
		count[f.Rule]++
	}
	for i, r := range order {
		if count[r] > 1 {
			order[i] = fmt.Sprintf("%s (%d)", r, count[r])
		}
	}
	return strings.Join(order, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
