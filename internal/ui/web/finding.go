package web

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/web/store"
)

type findings struct {
	Show       string // groups, findings, unassessed, waived
	Severities []finding.Severity
	Groups     []finding.Group
	List       []*finding.Finding
	Waived     []waiver.Waived
	Pager      Pager
	Passed     int
	Rule       string
}

// findings lists causes, or with a rule or a filter of its own each finding.
func (s *Server) findings(r *request) (*view, error) {
	b := findings{Show: r.Get("show"), Severities: severities, Passed: r.state.Healthy, Rule: r.Get("rule")}
	words, severity := r.words(), finding.Severity(r.Get("severity")).Rank()
	verdict := finding.Found
	if b.Show == "unassessed" {
		verdict = finding.NotAssessed
	}
	switch {
	case b.Show == "waived":
		b.Waived, b.Pager = chosen(r.query, r.state.Waived, perPage, func(w waiver.Waived) bool {
			return matches(words, w.ID, w.Title, w.Reason, w.Owner)
		})
	case b.Show == "each" || b.Show == "unassessed" || b.Rule != "":
		var all []*finding.Finding
		for i := range r.state.Findings {
			f := &r.state.Findings[i]
			if f.Verdict == verdict && f.Severity.Rank() <= severity && (b.Rule == "" || f.Rule == b.Rule) && matches(words, f.ID, f.Title) {
				all = append(all, f)
			}
		}
		b.List, b.Pager = paged(r.query, all, perPage)
	default:
		b.Show = "groups"
		b.Groups, b.Pager = chosen(r.query, r.state.Groups, perPage, func(g finding.Group) bool {
			return g.Severity.Rank() <= severity && matches(words, g.Rule, g.Title, g.Where())
		})
	}
	return &view{Title: "Findings", Body: b}, nil
}

// proof is a line of evidence in its output.
type proof struct {
	finding.Evidence
	Why     string // the output is not shown
	Lines   []numbered
	Link    string // to the whole output
	Context bool
}

type numbered struct {
	N      int
	Text   string
	Marked bool
}

type shown struct {
	*finding.Finding
	Proofs   []proof
	More     int
	Sources  []source
	Commands []string // what to type
	Symptoms []string
	Plan     string
}

type source struct{ Cited, Title, Where string }

// Of a finding these many lines of evidence are shown, and of an output these
// many lines around each.
const (
	mostProofs = 12
	around     = 6
)

// finding shows why it is one: the lines that prove it, in what the host printed.
func (s *Server) finding(r *request) (*view, error) {
	f := r.state.Finding(r.Get("id"))
	if f == nil {
		return nil, missing("there is no finding %s now: it may be gone since the last reading", r.Get("id"))
	}
	b := shown{Finding: f}
	for i, e := range f.Evidence {
		if i == mostProofs {
			b.More = len(f.Evidence) - i
			break
		}
		b.Proofs = append(b.Proofs, proved(r.state, e))
	}
	for _, cited := range f.Sources {
		b.Sources = append(b.Sources, sourceOf(cited))
	}
	if len(f.Remedy) > 0 {
		b.Plan = link("/plan", "only", f.ID)
	}
	return &view{Title: f.ID, Body: b}, nil
}

func sourceOf(cited string) source {
	x := source{Cited: cited}
	key, _, _ := strings.Cut(cited, ":")
	if known, ok := knowledge.BuiltIn().Source(key); ok {
		x.Title, x.Where = known.Title, known.Where
	}
	return x
}

// proved finds a line of evidence in the output it was read from.
func proved(state *store.State, e finding.Evidence) proof {
	p := proof{Evidence: e}
	if e.Command == "" {
		return p
	}
	out, err := state.Output(e.Host, e.Command, e.Line, e.Text)
	if err != nil {
		p.Why = err.Error()
		return p
	}
	p.Link = link("/output", "host", e.Host, "command", e.Command, "line", fmt.Sprint(e.Line), "text", e.Text)
	if !out.Has(e.Line, e.Text) {
		p.Why = "this line is not in the newest output: it was in the one before, or is made of several"
		return p
	}
	p.Lines = lines(out.Lines, e.Line-around, e.Line+around, e.Line)
	return p
}

// lines are some of an output, from 1, with one marked.
func lines(all []string, from, to, mark int) []numbered {
	from, to = max(from, 1), min(to, len(all))
	var out []numbered
	for n := from; n <= to; n++ {
		out = append(out, numbered{n, untabbed(shortened(all[n-1])), n == mark})
	}
	return out
}

// longestLine is how much of a line a page has, in bytes.
const longestLine = 10_000

// shortened cuts a line that no screen shows.
func shortened(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return fmt.Sprintf("%s… (%d of %d bytes)", strings.ToValidUTF8(line[:longestLine], ""), longestLine, len(line))
}

// untabbed keeps the columns of a text in which tabs do not stay.
func untabbed(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for _, c := range s {
		if c != '\t' {
			b.WriteRune(c)
			column++
			continue
		}
		blanks := 8 - column%8
		b.WriteString(strings.Repeat(" ", blanks))
		column += blanks
	}
	return b.String()
}

type output struct {
	*store.Output
	Lines []numbered
	Pager Pager
}

// linesPerPage is how much of an output a page has.
const linesPerPage = 500

// output shows what a command printed, the part with the line asked for first.
func (s *Server) output(r *request) (*view, error) {
	line := 0
	_, _ = fmt.Sscan(r.Get("line"), &line) // no number: no line is marked
	out, err := r.state.Output(r.Get("host"), r.Get("command"), line, r.Get("text"))
	if err != nil {
		return nil, missing("%s", err)
	}
	b := output{Output: out}
	if r.Get("page") == "" && line > linesPerPage && line <= len(out.Lines) {
		r.values.Set("page", fmt.Sprint((line-1)/linesPerPage+1))
	}
	_, b.Pager = paged(r.query, out.Lines, linesPerPage)
	mark := 0
	if out.Has(line, r.Get("text")) {
		mark = line
	}
	b.Lines = lines(out.Lines, b.Pager.First, b.Pager.Last, mark)
	return &view{Title: r.Get("host") + " $ " + out.Command, Body: b}, nil
}

// severe are a host's findings, the severe first, and how many more verdicts there are.
func severe(all []*finding.Finding) (found []*finding.Finding, unassessed int) {
	for _, f := range all {
		if f.Verdict == finding.Found {
			found = append(found, f)
		} else if f.Verdict == finding.NotAssessed {
			unassessed++
		}
	}
	slices.SortStableFunc(found, func(a, b *finding.Finding) int { return a.Severity.Rank() - b.Severity.Rank() })
	return found, unassessed
}
