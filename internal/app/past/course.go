package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Bounds of what is looked at for one course.
const (
	MostHosts     = 64  // of a path or a managed system
	mostSnapshots = 240 // whose raw text is read for counters
)

// Course is what happened on some hosts over a time, on one axis: rates of counters, findings,
// settings, runs and what was measured.
type Course struct {
	history.Window

	Seen     []history.Past    // the snapshots
	Left     int               // snapshots whose counters were not read: there were too many, or their raw text is gone
	Rates    []Rate            // of one counter, or of traffic; by host and element
	Counters []string          // that rose in this time, as growth.Label has them; sorted
	Spells   []history.Spell   // findings
	Titles   map[string]string // of the rules
	Changes  []history.Change  // of settings and findings, the latest first
	Runs     []history.Run
	Results  []history.Result
}

// Rate is how fast a counter of an element rose between snapshots.
type Rate struct {
	model.Ref
	Counter string  // as growth.Label has it
	Unit    string  // bit/s, /s
	Points  []Point // in the order of time
	Peak    float64
}

// Point is the rate between two snapshots.
type Point struct {
	From, To time.Time
	Value    float64
	Why      string // it is not known; Value means nothing then
}

// traffic are the counters that are shown where none is named, in bit/s.
var traffic = []string{"tx.Bytes", "rx.Bytes", "tx_bytes", "rx_bytes"}

// CourseOf gives what happened on hosts over a time; counter is one of Counters, empty: traffic.
func CourseOf(ctx context.Context, store *history.Store, w history.Window, counter string) (*Course, error) {
	out := &Course{Window: w, Titles: map[string]string{}}
	if len(w.Hosts) == 0 {
		return out, nil
	}
	for _, r := range knowledge.BuiltIn().Rules() {
		out.Titles[r.ID] = r.Title
	}
	var err error
	out.Seen, err = store.Taken(ctx, w)
	if err != nil {
		return nil, err
	}
	out.Spells, err = store.Spells(ctx, w, string(finding.Found))
	if err != nil {
		return nil, err
	}
	out.Changes, err = store.Around(ctx, w.From, w.To, 0, w.Hosts...)
	if err != nil {
		return nil, err
	}
	out.Runs, err = store.Runs(ctx, w)
	if err != nil {
		return nil, err
	}
	out.Results, err = store.Results(ctx, w)
	if err != nil {
		return nil, err
	}
	return out, out.count(ctx, store, counter)
}

// count reads the counters of the snapshots, of the latest ones where there are too many.
func (c *Course) count(ctx context.Context, store *history.Store, counter string) error {
	list := c.Seen
	if len(list) > mostSnapshots {
		list = list[len(list)-mostSnapshots:]
	}
	c.Left = len(c.Seen) - len(list)
	before := map[string]*model.Host{}
	rose := map[string]bool{}
	rates := map[key]*Rate{}
	for _, p := range list {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s, err := store.Restore(ctx, p)
		if errors.Is(err, history.ErrPruned) {
			c.Left++
			continue
		}
		if err != nil {
			return err
		}
		now, _, err := s.Model()
		if err != nil {
			return fmt.Errorf("%s of %s: %w", p.Host, p.Taken.Format(time.DateTime), err)
		}
		if now == nil { // what an HMC said
			continue
		}
		if was := before[p.Host]; was != nil {
			compare(now, was, counter, rose, rates)
		}
		before[p.Host] = now
	}
	for name := range rose {
		c.Counters = append(c.Counters, name)
	}
	slices.Sort(c.Counters)
	for _, r := range rates {
		if r.Peak > 0 {
			c.Rates = append(c.Rates, *r)
		}
	}
	slices.SortFunc(c.Rates, func(a, b Rate) int { return cmp.Or(a.Ref.Compare(b.Ref), cmp.Compare(a.Counter, b.Counter)) })
	return nil
}

// key names a rate.
type key struct {
	model.Ref
	counter string
}

// compare adds the rates of a host between two of its snapshots.
func compare(now, was *model.Host, counter string, rose map[string]bool, rates map[key]*Rate) {
	between := now.Taken.Sub(was.Taken)
	for name, e := range now.Elements {
		if was.Elements[name] == nil {
			continue
		}
		span := growth.OfElement(e, now, was)
		for raw, n := range e.Counters.All() {
			label := growth.Label(raw)
			gained, _, gap := span.Gained(raw, n)
			if gap == "" && gained > 0 {
				rose[label] = true
			}
			bytes := counter == "" && slices.Contains(traffic, raw)
			if !bytes && label != counter {
				continue
			}
			k := key{model.Ref{Host: now.Name, Element: name}, label}
			r := rates[k]
			if r == nil {
				r = &Rate{Ref: k.Ref, Counter: label, Unit: "/s"}
				rates[k] = r
			}
			p := Point{From: was.Taken, To: now.Taken, Why: gap}
			seconds := float64(span.Seconds)
			if seconds <= 0 {
				seconds = between.Seconds()
			}
			if gap == "" && seconds > 0 {
				p.Value = float64(gained) / seconds
			}
			if bytes {
				r.Unit = "bit/s"
				p.Value *= 8
			}
			r.Points = append(r.Points, p)
			r.Peak = max(r.Peak, p.Value)
		}
	}
}
