package report

import (
	"fmt"
	"strings"

	"seaworthy/audit/diff"
	"seaworthy/audit/finding"
	"seaworthy/inventory"
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
	for _, why := range notRead {
		p.Entry(p.Style("bad", "NOT READ"), why)
	}
	for _, x := range []struct {
		what  string
		hosts []string
	}{{"only in the later reading", d.Added}, {"only in the earlier reading", d.Removed}} {
		if len(x.hosts) > 0 {
			p.Entry(p.Style("dim", x.what), strings.Join(x.hosts, ", "))
		}
	}
	for _, text := range compared(d.Compared) {
		p.Entry(p.Style("dim", "compared"), strings.Replace(text, "counters by their growth from", "from", 1))
	}
	for _, kind := range diff.Kinds {
		changes(p, d, kind)
	}
	if len(d.Unread) > 0 && !verbose {
		p.Line("")
		p.Line("Not read this time, so unknown: %s of %s (-v lists them)", Plural(values(d.Unread), "value"), Plural(len(d.Unread), "element"))
	}
	for i, u := range d.Unread {
		if !verbose {
			break
		}
		if i == 0 {
			heading2(p, "Not read this time, so unknown")
		}
		p.Entry("  "+Safe(u.Ref.String()), strings.Join(u.What, ", "))
	}
	findings(p, d.Findings)
	counters(p, d, verbose)
	p.Line("")
	p.Line("%s", tally(d))
}

func heading2(p *Printer, text string) {
	p.Line("")
	p.Line("%s", p.Style("head", text))
}

// changes prints those of one kind, who is active with the failovers.
func changes(p *Printer, d *diff.Diff, kind diff.Kind) {
	t := Table{Head: []string{"at", "what", "before", "now", ""}, Wrap: true}
	if kind == diff.Active {
		for _, f := range d.Failovers {
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
			t.Add(Safe(f.System), Safe(where), Safe(elements(f.Before)), Safe(elements(f.After)), note)
		}
	}
	for _, c := range d.Changes {
		if c.Kind == kind {
			t.Add(Safe(c.Ref.String()), Safe(c.What), Safe(or(c.Before, "unset")), Safe(or(c.After, "unset")), c.Value)
		}
	}
	if len(t.Rows) > 0 {
		heading2(p, kindHeads[kind])
		t.Print(p)
	}
}

func elements(at []inventory.Ref) string {
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

// findings prints what came, what went and what is no longer known.
func findings(p *Printer, f diff.Findings) {
	if len(f.New)+len(f.Gone)+len(f.Lost) == 0 {
		return
	}
	heading2(p, "Findings")
	for _, x := range []struct {
		kind string
		list []finding.Finding
	}{{"new", f.New}, {"gone", f.Gone}, {"not assessed now", f.Lost}} {
		for _, f := range x.list {
			kind := x.kind
			if f.Change == diff.Assessed {
				kind = "new or not assessed before"
			}
			title(p, "", fmt.Sprintf("%-4s  %s", kind, p.Style(string(f.Severity), fmt.Sprintf("%-8s", f.Severity))), f)
		}
	}
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
