package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

type drift struct {
	Readings []store.Reading
	Times    []time.Time // of the host asked for
	Host     string
	From, To string
	Error    string
	Text     template.HTML
	Hosts    []changed // in place of the text, if there are many
	Pager    Pager
	Tally    string
	Compared int
	Waiting  bool
	Command  string
}

// changed is a host with the number of its changes by kind.
type changed struct {
	Host, Link string
	Kinds      []int // as diff.Kinds
	New, Gone  int
}

// shownWhole is up to how many hosts and changes a comparison is shown in full.
const (
	shownWhole   = 12
	shownChanges = 300
)

// drift shows what changed between two readings of all hosts, or of one.
func (s *Server) drift(r *request) (*view, error) {
	b := drift{Readings: r.state.Readings, Host: r.Get("host"), From: r.Get("from"), To: r.Get("to")}
	v := &view{Title: "Drift", Body: &b}
	before, after, err := b.sides(r.state)
	if err != nil {
		b.Error = err.Error()
	}
	if err != nil || before == "" {
		return v, nil
	}
	got, done, err := s.jobs.do(fmt.Sprintf("drift %d %q %q", r.state.Generation, before, after), func(ctx context.Context) (any, error) {
		var fleets [2]*model.Fleet
		for i, dir := range []string{before, after} {
			f, err := collect.Inventories(ctx, dir)
			if err != nil && len(f.Hosts) == 0 {
				return nil, err
			}
			fleets[i] = f
		}
		return diff.Audited(ctx, s.o.Set, fleets[0], fleets[1])
	})
	if err != nil {
		return nil, err
	}
	if !done {
		b.Waiting, v.Busy = true, true
		return v, nil
	}
	d := got.(*diff.Diff)
	b.Compared = len(d.Compared)
	b.Command = commandLine("seaworthy", "diff", before, after)
	if b.Compared <= shownWhole && len(d.Changes) <= shownChanges {
		if b.Text, err = printed(func(p *report.Document) { report.Diff(p, d, nil, false) }); err != nil {
			return nil, err
		}
	} else {
		b.Hosts, b.Pager = paged(r.query, byHost(r, d), perPage)
	}
	b.Tally = fmt.Sprintf("%s compared, %s, %d new findings, %d gone", report.Plural(b.Compared, "host"),
		report.Plural(len(d.Changes), "change"), len(d.Findings.New), len(d.Findings.Gone))
	return v, nil
}

// sides are the folders to compare: of one host its snapshots of two times, of all
// those that hold them. Without a choice they are the newest and the one before.
func (b *drift) sides(state *store.State) (before, after string, err error) {
	if b.Host == "" {
		names := make([]string, len(b.Readings))
		for i, x := range b.Readings {
			names[i] = x.Dir
		}
		if b.From == "" && b.To == "" && len(names) >= 2 {
			b.From, b.To = names[len(names)-2], names[len(names)-1]
		}
		if b.From == "" || b.To == "" {
			return "", "", nil
		}
		if !slices.Contains(names, b.From) || !slices.Contains(names, b.To) { // only folders that were found are read
			return "", "", missing("there is no such reading")
		}
		return b.From, b.To, nil
	}
	b.Times = state.Times(b.Host)
	if len(b.Times) < 2 {
		return "", "", missing("%s was read once: there is nothing to compare it with", b.Host)
	}
	if b.From == "" && b.To == "" {
		b.From, b.To = stamp(b.Times[1]), stamp(b.Times[0])
	}
	for _, t := range b.Times {
		if stamp(t) == b.From {
			before = state.Snapshot(b.Host, t)
		}
		if stamp(t) == b.To {
			after = state.Snapshot(b.Host, t)
		}
	}
	if before == "" || after == "" {
		return "", "", missing("%s was not read at that time", b.Host)
	}
	return before, after, nil
}

// stamp is a time in an address.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// Kinds are the columns of changes.
func (drift) Kinds() []diff.Kind { return diff.Kinds }

// Stamp is a time in an address.
func (drift) Stamp(t time.Time) string { return stamp(t) }

// byHost counts a comparison's changes by host, those with most first.
func byHost(r *request, d *diff.Diff) []changed {
	at := map[string]int{}
	var out []changed
	of := func(host string) *changed {
		i, ok := at[host]
		if !ok {
			i = len(out)
			at[host] = i
			out = append(out, changed{Host: host, Link: link("/drift", "host", host), Kinds: make([]int, len(diff.Kinds))})
		}
		return &out[i]
	}
	for _, c := range d.Changes {
		of(c.Host).Kinds[slices.Index(diff.Kinds, c.Kind)]++
	}
	for _, f := range d.Findings.New {
		of(f.Element.Host).New++
	}
	for _, f := range d.Findings.Gone {
		of(f.Element.Host).Gone++
	}
	words := r.words()
	out = slices.DeleteFunc(out, func(c changed) bool { return !matches(words, c.Host) })
	sum := func(c changed) (n int) {
		for _, k := range c.Kinds {
			n += k
		}
		return n + c.New + c.Gone
	}
	slices.SortStableFunc(out, func(a, b changed) int {
		return cmp.Or(sum(b)-sum(a), strings.Compare(a.Host, b.Host))
	})
	return out
}
