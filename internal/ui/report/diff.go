package report

import (
	"fmt"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
)

// someCounters is how many counters are listed; verbose lists all.
const someCounters = 10

// kindHeads begin the parts of a diff.
var kindHeads = map[diff.Kind]string{
	diff.Active: "Who is active", diff.Setting: "Settings", diff.Level: "Levels", diff.Topology: "Topology", diff.Link: "Links",
}

// Diff prints what changed between two readings: first what was not read, last
// how much error counters grew.
func Diff(p *Printer, d *diff.Diff, notRead []string, verbose bool) {
	p.Lay("diff", struct {
		*diff.Diff
		NotRead []string
		Verbose bool
	}{d, notRead, verbose})
	counters(p, d, verbose)
	p.Line("")
	p.Line("%s", tally(d))
}

func heading2(p *Printer, text string) {
	p.Line("")
	p.Line("%s", p.Style("head", text))
}

// failover is one as a row.
func failover(f diff.Failover) []string {
	where := "VLAN " + ranges(f.VLANs)
	if f.VSwitch != "" {
		where += " on " + f.VSwitch
	}
	note := "failed over"
	switch {
	case len(f.After) == 0:
		note = "no SEA bridges them now"
	case len(f.After) > 1:
		note = "several SEAs bridge them now"
	}
	return []string{f.System, where, elements(f.Before), elements(f.After), note}
}

func elements(at []model.Ref) string {
	if len(at) == 0 {
		return "none"
	}
	return refs(at, len(at))
}

func values(all []diff.Unread) int {
	n := 0
	for _, u := range all {
		n += len(u.What)
	}
	return n
}

// kept is a finding that came, went or is no longer known.
type kept struct {
	Kind string
	finding.Finding
}

func mark(kind string, f finding.Finding) kept {
	if f.Change == diff.Assessed {
		kind = "new or not assessed before"
	}
	return kept{kind, f}
}

func counters(p *Printer, d *diff.Diff, verbose bool) {
	if len(d.Counters) == 0 {
		return
	}
	heading2(p, "Error counters that grew")
	t := Table{Head: []string{"at", "counter", "by"}, Wrap: true}
	more, rare, events := 0, 0, uint64(0)
	for _, c := range d.Counters {
		switch {
		case verbose:
		case c.Rare():
			rare, events = rare+1, events+c.Growth
			continue
		case len(t.Rows) == someCounters:
			more++
			continue
		}
		t.Add(Safe(c.Ref.String()), Safe(c.Name), c.Text)
	}
	if len(t.Rows) > 0 {
		t.Print(p)
	}
	if more > 0 {
		p.Line("… and %s (-v)", Plural(more, "counter"))
	}
	if rare > 0 {
		p.Line("%s grew by less than one in a million packets, by %d in all (-v)", Plural(rare, "counter"), events)
	}
}

// tally is a diff in a line.
func tally(d *diff.Diff) string {
	f := d.Findings
	if !d.Changed() {
		return fmt.Sprintf("No changes. %s still there.", Plural(len(f.Still), "finding"))
	}
	return fmt.Sprintf("%s, %s. Findings: %d new, %d gone, %d still there.",
		Plural(len(d.Failovers), "failover"), Plural(len(d.Changes), "change"), len(f.New), len(f.Gone), len(f.Still))
}
