package past

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/history"
)

// Onset is since when the causes of a diagnosis are there.
type Onset struct {
	History string       `json:"history"`
	Causes  []CauseOnset `json:"causes"`
}

// CauseOnset is since when one cause is there, by the findings that it rests on.
type CauseOnset struct {
	Cause string `json:"cause"` // ID/HOST:ELEMENT
	Head  string `json:"head"`  // the same in words
	// Began is the first snapshot that shows it, LastWithout the last one before, without it;
	// zero: it was there from the first snapshot of its host on.
	Began       time.Time        `json:"began,omitzero"`
	LastWithout time.Time        `json:"last_without,omitzero"`
	First       time.Time        `json:"first_snapshot,omitzero"` // of its host
	Absent      bool             `json:"not_in_history"`          // the history has none of its findings
	Before      []history.Change `json:"changed_before"`          // what changed within the hour before it began, or since LastWithout
}

// OnsetOf says since when the causes of a diagnosis are there. Of causes that are equally sure,
// those that began while the history was kept come first: their order in the diagnosis
// changes with it.
func OnsetOf(ctx context.Context, store *history.Store, d *diagnose.Diagnosis) (*Onset, error) {
	out := &Onset{History: store.Name(), Causes: []CauseOnset{}}
	began := map[string]time.Time{}
	for _, list := range [][]diagnose.Cause{d.Causes, d.Possible} {
		for _, c := range list {
			o, err := onsetOf(ctx, store, c)
			if err != nil {
				return nil, err
			}
			began[c.At()] = o.Began
			out.Causes = append(out.Causes, o)
		}
	}
	rank(d.Causes, began)
	rank(d.Possible, began)
	return out, nil
}

// rank puts causes that began before those of the same certainty that were always there.
func rank(causes []diagnose.Cause, began map[string]time.Time) {
	for from := 0; from < len(causes); {
		to := from + 1
		for to < len(causes) && causes[to].Certainty == causes[from].Certainty {
			to++
		}
		slices.SortStableFunc(causes[from:to], func(a, b diagnose.Cause) int {
			return order(began[a.At()]) - order(began[b.At()])
		})
		from = to
	}
}

// order is 0 for what began at a known time, 1 for what was always there.
func order(began time.Time) int {
	if began.IsZero() {
		return 1
	}
	return 0
}

func onsetOf(ctx context.Context, store *history.Store, c diagnose.Cause) (CauseOnset, error) {
	o := CauseOnset{Cause: c.At(), Head: c.Head(), Absent: true, Before: []history.Change{}}
	for _, id := range c.Findings {
		name, at, _ := strings.Cut(id, "/")
		host, element, _ := strings.Cut(at, ":")
		since, err := store.Since(ctx, name, host, element)
		if errors.Is(err, history.ErrUnknown) {
			continue
		}
		if err != nil {
			return o, err
		}
		o.note(since)
	}
	if o.Absent || o.Began.IsZero() {
		return o, nil
	}
	changes, err := near(ctx, store, o.LastWithout, o.Began, c.Host)
	if err != nil {
		return o, err
	}
	for _, x := range changes.Changes {
		if x.Layer != history.Finding && !x.LastSeen.After(o.Began) && len(o.Before) < mostBeside {
			o.Before = append(o.Before, x)
		}
	}
	return o, nil
}

// note takes the onset of one finding: the earliest of a cause counts.
func (o *CauseOnset) note(since *history.Since) {
	found := string(finding.Found)
	there := slices.ContainsFunc(since.Values, func(v history.Value) bool { return v.Value == found })
	if !there {
		return
	}
	began := history.Change{}
	for _, c := range since.Changes { // the latest first
		if c.After != nil && *c.After == found {
			began = c
			break
		}
	}
	earlier := !o.Absent && (o.Began.IsZero() || !began.FirstSeen.IsZero() && began.FirstSeen.After(o.Began))
	if earlier {
		return
	}
	o.Absent = false
	o.Began, o.LastWithout = began.FirstSeen, began.LastSeen
	for _, v := range since.Values {
		if v.Value == found {
			o.First = v.Since
		}
	}
}
