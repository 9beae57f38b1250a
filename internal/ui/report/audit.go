package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/ui/report/doc"
)

// Audited is an audit as it is printed.
type Audited struct {
	At       time.Time         // when it was made
	Version  string            // of the program
	Since    bool              // there are earlier snapshots: findings are marked as new
	Gone     []finding.Finding // found in the earlier snapshot, and no more
	Lost     []finding.Finding // found there, and not assessed now
	Findings []finding.Finding // as the audit gave them
	Groups   []finding.Group   // of the FINDINGs among them
	Passed   int               // verdicts that were only counted
	Waived   []waiver.Waived
	Compared []growth.Interval // hosts whose counters are compared with an earlier snapshot
	NotRead  []string          // why hosts were not read, or not completely
	Absent   []string          // their names, as far as known
	// Platforms are those of the hosts: what to save on each is said where most checks could not judge.
	Platforms []string
	// LevelsNotRead are known defects that may bite, and what has to be asked to know.
	LevelsNotRead []rule.UnreadLevel
	Narrowed      bool // only some rules were asked for
	Details       bool // evidence, reason and remedy however many groups there are
	Verbose       bool // every element, every line of evidence, all notes, all that was missing
}

// detailed is up to how many groups are printed with evidence and remedy.
const detailed = 10

// Audit says what was found, a group of findings with one cause at a time,
// most severe first: each with evidence, reason and remedy, or, if there are
// many, in a line each. Then in a line each what is only worth knowing
// (severity info), and what could not be assessed. Passed rules are only counted.
func Audit(d *Document, a Audited) {
	open, info := a.split()
	if a.NothingJudged() {
		addWanted(d, &a)
	}
	d.Table(findingsTable(open, info))
	for _, text := range compared(a.Compared) {
		d.Entry(doc.Styled(doc.Dim, "compared"), text)
	}
	if len(a.Compared) > 0 {
		d.Gap()
	}
	brief := len(open) > detailed && !a.Details && !a.Verbose
	if brief {
		d.On(doc.Terminal, func(d *Document) {
			for _, g := range open {
				addHeading(d, g)
			}
			d.Gap()
		})
		d.On(doc.Page, func(d *Document) { a.addGroups(d, open) })
	} else {
		a.addGroups(d, open)
	}
	a.addNotes(d, info)
	a.addChanged(d)
	a.addWaived(d)
	a.addMissing(d)
	addLevelsNotRead(d, a.LevelsNotRead, a.Verbose)
	if brief {
		d.On(doc.Terminal, func(d *Document) {
			d.Line("-v shows evidence, reason and remedy of everything, --only %s of one rule.", open[0].Rule)
		})
	}
	d.Line("%s", a.count(open, info))
}

func (a *Audited) addGroups(d *Document, open []finding.Group) {
	for _, g := range open {
		addGroup(d, g, a.Verbose)
	}
}

// addNotes adds what is only worth knowing.
func (a *Audited) addNotes(d *Document, info []finding.Group) {
	for _, g := range info {
		if a.Verbose {
			addGroup(d, g, true)
			continue
		}
		addHeading(d, g)
	}
	if len(info) > 0 && !a.Verbose {
		d.Gap()
	}
}

// addChanged adds what earlier snapshots had and this one has not.
func (a *Audited) addChanged(d *Document) {
	for _, f := range a.Gone {
		AddFinding(d, doc.Styled(doc.Dim, "gone    "), f)
	}
	for _, f := range a.Lost {
		AddFinding(d, doc.Styled(doc.Dim, "was there, not assessed now"), f)
	}
	if len(a.Gone)+len(a.Lost) > 0 {
		d.Gap()
	}
}

// addWaived adds the findings that the site accepts.
func (a *Audited) addWaived(d *Document) {
	for i, w := range a.Waived {
		if i == someRefs && !a.Verbose && len(a.Waived) > someRefs+1 {
			d.Line("waived    and %d more (-v)", len(a.Waived)-i)
			break
		}
		d.Entry(doc.Textf("%s  %s  %s", doc.Styled(doc.Dim, "waived  "), w.Rule, doc.Styled(doc.Head, w.Element.String())),
			fmt.Sprintf("%s (%s)", w.Title, waived(w)))
	}
	if len(a.Waived) > 0 {
		d.Gap()
	}
}

// Up to mostMissing missing facts are all listed on a terminal, of more the first
// someMissing.
const (
	mostMissing = 7
	someMissing = 6
)

// addMissing adds what could not be assessed for lack of information.
func (a *Audited) addMissing(d *Document) {
	missing := finding.SummarizeMissing(a.Findings)
	if len(missing) == 0 {
		return
	}
	if a.Verbose {
		for _, f := range a.Findings {
			if f.Verdict == finding.NotAssessed {
				AddFinding(d, doc.Styled(doc.Dim, "not assessed"), f)
				d.Prose("missing", strings.Join(f.Missing, "; "))
			}
		}
		d.Gap()
	}
	if !a.Verbose && len(missing) > mostMissing {
		more := len(missing) - someMissing
		d.On(doc.Terminal, func(d *Document) {
			d.Table(missingTable(missing[:someMissing]))
			d.Line("… and %s (-v)", Plural(more, "fact"))
		})
		d.On(doc.Page|doc.Data, func(d *Document) { d.Table(missingTable(missing)) })
	} else {
		d.Table(missingTable(missing))
	}
	d.Gap()
	if a.mostlyLacking() {
		a.addCommands(d)
	}
}

// addLevelsNotRead names, in a line for each host and reading, known defects that wait for it.
func addLevelsNotRead(d *Document, all []rule.UnreadLevel, verbose bool) {
	for i, u := range all {
		if i == someRefs && !verbose && len(all) > someRefs+1 {
			d.Line("level not read  on %d more hosts (-v)", len(all)-i)
			break
		}
		ids := u.Defects
		more := ""
		if len(ids) > someRefs+1 && !verbose {
			more = fmt.Sprintf(" and %d more", len(ids)-someRefs)
			ids = ids[:someRefs]
		}
		d.Entry(doc.Textf("%s  %s", doc.Styled(doc.Dim, "level not read"), doc.Styled(doc.Head, u.Host)),
			fmt.Sprintf("%s may bite (%s%s): ask %s", Plural(len(u.Defects), "known defect"), strings.Join(ids, ", "), more, u.Ask))
	}
	if len(all) > 0 {
		d.Gap()
	}
}

func missingTable(missing []finding.MissingFact) *doc.Table {
	t := doc.NewWrapped("missing", doc.Left("missing information"), doc.Left("shown by"), doc.Right("hosts"), doc.Left("rules"))
	for _, m := range missing {
		t.Add(m.What, Dash(m.How), m.Hosts, strings.Join(m.Rules, " "))
	}
	return t
}

// findingsTable has a row a finding, for programs that read tables.
func findingsTable(groups ...[]finding.Group) *doc.Table {
	t := doc.NewTable("findings", doc.Left("severity"), doc.Left("rule"), doc.Left("host"), doc.Left("element"), doc.Left("title"),
		doc.Left("change"), doc.Left("remedy"))
	t.Media = doc.Data
	for _, g := range slices.Concat(groups...) {
		for _, f := range g.Members {
			var remedy []string
			for _, r := range f.Remedy {
				remedy = append(remedy, r.Attr+"="+r.Value)
			}
			t.Add(f.Severity, f.Rule, f.Element.Host, f.Element.Element, f.Title, f.Change, strings.Join(remedy, "; "))
		}
	}
	return t
}

// Summary says what an audit comes to: the count, and the severest findings.
func (a *Audited) Summary() []string {
	open, info := a.split()
	out := []string{a.count(open, info)}
	for i, g := range open {
		if i == 5 {
			out = append(out, fmt.Sprintf("And %d more.", len(open)-i))
			break
		}
		out = append(out, fmt.Sprintf("%s: %s at %s.", g.Severity, g.Title, g.Where()))
	}
	return out
}

// split separates findings from notes.
func (a *Audited) split() (open, info []finding.Group) {
	n := slices.IndexFunc(a.Groups, func(g finding.Group) bool { return g.Severity == finding.Info })
	if n < 0 {
		n = len(a.Groups)
	}
	return a.Groups[:n], a.Groups[n:]
}

// count is an audit in a line.
func (a *Audited) count(open, info []finding.Group) string {
	n := map[finding.Verdict]int{}
	for _, f := range a.Findings {
		n[f.Verdict]++
	}
	parts := []string{"No findings"}
	if a.NothingJudged() {
		parts[0] = "Nothing could be judged"
	}
	if len(open) > 0 {
		parts[0] = inGroups(open, "finding")
	}
	if len(info) > 0 {
		parts = append(parts, inGroups(info, "note"))
	}
	if a.Since {
		fresh := 0
		for _, g := range open {
			fresh += g.Size() - still(g)
		}
		parts[0] += fmt.Sprintf(" (%d new, %d gone)", fresh, len(a.Gone))
	}
	if len(a.Waived) > 0 {
		parts = append(parts, fmt.Sprintf("%d waived", len(a.Waived)))
	}
	text := strings.Join(parts, ", ") + "."
	passed := a.Passed + n[finding.Pass]
	if n[finding.NotAssessed] > 0 {
		all := passed + n[finding.Found] + n[finding.NotAssessed]
		text += fmt.Sprintf(" %d of %s passed, %d not possible.", passed, Plural(all, "check"), n[finding.NotAssessed])
	} else if passed > 0 {
		text += fmt.Sprintf(" %s passed.", Plural(passed, "check"))
	}
	if len(a.Absent) > 0 {
		text += " Not read: " + strings.Join(a.Absent, ", ") + "."
	}
	return text
}

// minute is how a time is printed, with its zone.
const minute = "2006-01-02 15:04 MST"

// compared says over which time counters grew, hosts with the same time in one line.
func compared(list []growth.Interval) []string {
	var texts []string
	hosts := map[string][]string{}
	for _, x := range list {
		text := fmt.Sprintf("counters by their growth from %s to %s", x.From.Format(minute), x.To.Format(minute))
		if len(x.Notes) > 0 {
			text += "; " + strings.Join(x.Notes, "; ")
		}
		if hosts[text] == nil {
			texts = append(texts, text)
		}
		hosts[text] = append(hosts[text], x.Host)
	}
	for i, text := range texts {
		names := hosts[text]
		if len(names) > someRefs+1 {
			names = append(slices.Clone(names[:someRefs]), fmt.Sprintf("and %d more", len(names)-someRefs))
		}
		texts[i] = strings.Join(names, ", ") + ": " + text
	}
	return texts
}

// waived says why a finding is accepted, and until when.
func waived(w waiver.Waived) string {
	text := "until " + w.Until + ": " + w.Reason
	if w.Owner != "" {
		text = w.Owner + ", " + text
	}
	return text
}

// inGroups counts findings, and their groups where those are fewer.
func inGroups(groups []finding.Group, word string) string {
	n := 0
	for _, g := range groups {
		n += g.Size()
	}
	if n == len(groups) {
		return Plural(n, word)
	}
	return fmt.Sprintf("%s in %s", Plural(n, word), Plural(len(groups), "group"))
}

// lack says what is missing in a line.
func lack(l finding.MissingFact) string {
	text := l.What
	if l.How != "" {
		text += " (" + l.How + ")"
	}
	return fmt.Sprintf("%s, for %s: %s", text, Plural(l.Hosts, "host"), strings.Join(l.Rules, ", "))
}
