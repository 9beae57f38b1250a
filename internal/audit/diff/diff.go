package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
)

// Schema names the format of a Diff.
const Schema = "seaworthy.diff/1"

// Kind says what sort of thing changed.
type Kind string

// The kinds, in the order they are shown.
const (
	Setting  Kind = "setting"  // an attribute or a tunable
	Active   Kind = "active"   // which of several carries the traffic
	Level    Kind = "level"    // software, and what the partition is given
	Topology Kind = "topology" // what there is, and what is built on what
	Link     Kind = "link"     // link, speed, and what the switch says
)

// Kinds are all, in the order they are shown.
var Kinds = []Kind{Setting, Active, Level, Topology, Link}

// Change is one difference. A nil side had no such thing.
type Change struct {
	model.Ref
	Kind   Kind    `json:"kind"`
	What   string  `json:"what"`            // the attribute, or what of the element: "port VLAN"
	Value  string  `json:"value,omitempty"` // of a setting: "running", "next boot", or both: ""
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// Failover is a change of the SEAs that bridge some VLANs.
type Failover struct {
	System  string      `json:"system"`
	VSwitch string      `json:"vswitch,omitempty"`
	VLANs   []int       `json:"vlans"`
	Before  []model.Ref `json:"before"` // empty: none
	After   []model.Ref `json:"after"`
}

// Diff holds what changed. Lists are empty, never nil.
type Diff struct {
	Schema    string            `json:"schema"`
	Compared  []growth.Interval `json:"compared"` // hosts that were read both times
	Added     []string          `json:"hosts_added"`
	Removed   []string          `json:"hosts_removed"`
	Failovers []Failover        `json:"failovers"`
	Changes   []Change          `json:"changes"`
	Unread    []Unread          `json:"unread"` // known before, not read now
	Findings  Findings          `json:"findings"`
	Counters  []Counter         `json:"counters"` // of errors, that grew
}

// Unread holds what an element said before and does not say now.
type Unread struct {
	model.Ref
	What []string `json:"what"`
}

// Changed reports whether anything but counters changed on hosts that were read
// both times.
func (d *Diff) Changed() bool {
	return len(d.Failovers)+len(d.Changes)+len(d.Findings.New)+len(d.Findings.Gone) > 0
}

// Of compares two readings, the earlier first. Findings are the caller's; the
// error is the context's.
func Of(ctx context.Context, before, now *model.Fleet) (*Diff, error) {
	d := &Diff{
		Schema: Schema, Compared: []growth.Interval{}, Added: []string{}, Removed: []string{}, Changes: []Change{}, Unread: []Unread{},
		Failovers: failovers(before, now), Counters: []Counter{}, Findings: Compare(nil, nil),
	}
	d.Compared = append(d.Compared, growth.Intervals(now, before)...)
	was, is := growth.ByName(before), growth.ByName(now)
	for _, h := range before.Hosts {
		if is[h.Name] == nil {
			d.Removed = append(d.Removed, h.Name)
		}
	}
	for _, h := range now.Hosts {
		b := was[h.Name]
		if b == nil {
			d.Added = append(d.Added, h.Name)
			continue
		}
		c := comparison{Diff: d, before: b, now: h, probes: func() uint64 { return ownProbes(h.Name, before, now) }}
		if len(b.Elements) > 0 && len(h.Elements) == 0 {
			c.unread("host", "all of it")
			continue
		}
		c.host()
		c.elements(ctx)
		c.counters(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("comparison of %d hosts: %w", len(now.Hosts), context.Cause(ctx))
		}
	}
	rank := func(k Kind) int { return slices.Index(Kinds, k) }
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(rank(a.Kind)-rank(b.Kind), a.Ref.Compare(b.Ref), cmp.Compare(a.What, b.What))
	})
	slices.SortFunc(d.Unread, func(a, b Unread) int { return a.Ref.Compare(b.Ref) })
	return d, nil
}

// failovers joins the VLANs of a switch that went from the same SEAs to the same.
func failovers(before, now *model.Fleet) []Failover {
	out := []Failover{}
	was, is := graph.Of(before).Active(), graph.Of(now).Active()
	for at, after := range is {
		seas, known := was[at]
		if !known || slices.Equal(seas, after) {
			continue
		}
		i := slices.IndexFunc(out, func(x Failover) bool {
			return x.System == at.System && x.VSwitch == at.VSwitch && slices.Equal(x.Before, seas) && slices.Equal(x.After, after)
		})
		if i < 0 {
			i = len(out)
			out = append(out, Failover{System: at.System, VSwitch: at.VSwitch, Before: seas, After: after})
		}
		out[i].VLANs = append(out[i].VLANs, at.VLAN)
	}
	for i := range out {
		slices.Sort(out[i].VLANs)
	}
	slices.SortFunc(out, func(a, b Failover) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.VSwitch, b.VSwitch), slices.Compare(a.VLANs, b.VLANs))
	})
	return out
}

// Audited is Of two readings with their findings compared, those of the later one by
// the growth of counters.
func Audited(ctx context.Context, set *rule.Set, before, now *model.Fleet) (*Diff, error) {
	d, err := Of(ctx, before, now)
	if err != nil {
		return nil, err
	}
	was, err := set.Run(ctx, before, rule.Options{Passed: new(int)})
	if err != nil {
		return nil, err
	}
	is, err := set.Run(ctx, now, rule.Options{Passed: new(int), Before: before})
	if err != nil {
		return nil, err
	}
	d.Findings = Compare(was, is)
	d.Findings.Unread(now.HasRead)
	return d, nil
}

// What became of a finding since the earlier snapshot, in Finding.Change.
const (
	New      = "new"
	Assessed = "newly assessed" // the earlier snapshot lacked a fact, so it may have been there
	Still    = "still there"
)

// became holds what a finding is now, by its verdict before.
var became = map[finding.Verdict]string{finding.Found: Still, finding.NotAssessed: Assessed}

// Findings are two audits compared. Lists are empty, never nil.
type Findings struct {
	New   []finding.Finding `json:"new"` // also those that could not be assessed before
	Gone  []finding.Finding `json:"gone"`
	Lost  []finding.Finding `json:"lost"` // found before, and not known now
	Still []finding.Finding `json:"still"`
}

// Compare sorts findings by what became of them, and marks those of now. A
// finding that is only a symptom of another is there all the same.
func Compare(before, now []finding.Finding) Findings {
	out := Findings{New: []finding.Finding{}, Gone: []finding.Finding{}, Lost: []finding.Finding{}, Still: []finding.Finding{}}
	was, is := verdicts(before), verdicts(now)
	for i := range now {
		f := &now[i]
		if f.Verdict != finding.Found {
			continue
		}
		f.Change = cmp.Or(became[was[f.ID]], New)
		if f.Change == Still {
			out.Still = append(out.Still, *f)
		} else {
			out.New = append(out.New, *f)
		}
	}
	for _, f := range before {
		switch {
		case f.Verdict != finding.Found || is[f.ID] == finding.Found:
		case is[f.ID] == finding.NotAssessed:
			out.Lost = append(out.Lost, f)
		default:
			out.Gone = append(out.Gone, f)
		}
	}
	return out
}

// Unread moves what is gone only because its host was not read.
func (f *Findings) Unread(read func(host string) bool) {
	f.Gone = slices.DeleteFunc(f.Gone, func(x finding.Finding) bool {
		if read(x.Element.Host) {
			return false
		}
		f.Lost = append(f.Lost, x)
		return true
	})
}

// verdicts are those of all findings, of symptoms too.
func verdicts(all []finding.Finding) map[string]finding.Verdict {
	out := map[string]finding.Verdict{}
	for _, f := range all {
		for _, id := range f.Symptoms {
			out[id] = finding.Found
		}
		out[f.ID] = f.Verdict
	}
	return out
}
