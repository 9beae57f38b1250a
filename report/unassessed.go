package report

import (
	"fmt"
	"strings"

	"seaworthy/audit/finding"
)

// someLacks is how many missing facts are named; verbose names all.
const someLacks = 6

// unassessed lists the facts that rules lacked, first those that a command
// would provide.
func unassessed(p *Printer, all []finding.Finding, verbose bool) {
	lacks := finding.SummarizeMissing(all)
	if len(lacks) == 0 {
		return
	}
	if verbose {
		for _, f := range all {
			if f.Verdict == finding.NotAssessed {
				title(p, "", p.Style("dim", "not assessed"), f)
				p.Prose("missing", strings.Join(f.Missing, "; "))
			}
		}
		p.Line("")
	}
	t := Table{Head: []string{"missing information ", "obtain with ", " hosts", "rules "}, Wrap: true}
	for i, l := range lacks {
		if i == someLacks && !verbose && len(lacks) > someLacks+1 {
			break
		}
		t.Add(Safe(l.What), Dash(l.How), fmt.Sprint(l.Hosts), strings.Join(l.Rules, " "))
	}
	t.Print(p)
	if n := len(lacks) - len(t.Rows); n > 0 {
		p.Line("… and %s (-v)", Plural(n, "fact"))
	}
	p.Line("")
}

// lack says what is missing in a line.
func lack(l finding.MissingFact) string {
	text := l.What
	if l.How != "" {
		text += " (" + l.How + ")"
	}
	return fmt.Sprintf("%s, for %s: %s", text, Plural(l.Hosts, "host"), strings.Join(l.Rules, ", "))
}
