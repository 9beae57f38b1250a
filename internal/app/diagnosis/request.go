package diagnosis

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/prediction"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Request says which path is diagnosed, and how.
type Request struct {
	From, To string        // hosts, or interfaces of hosts (HOST:enN)
	Args     []string      // further hosts, or folders of saved readings
	Since    string        // folder of an earlier reading; empty: none
	Symptom  string        // one of knowledge.Symptoms; empty: not known
	Watch    time.Duration // between the two readings of running hosts
	NoPing   bool
	Load     bool     // send TCP streams along the path
	Probes   []string // folders with helpers for Load
	Program  string   // version of the program
}

// Result is a diagnosis, with what it was made from.
type Result struct {
	*diagnose.Diagnosis
	Input diagnose.Input `json:"-"` // without Path if an end was not reached
}

// Taken is when the last host was read that it was made from.
func (r *Result) Taken() time.Time {
	var last time.Time
	if r.Input.Fleet != nil {
		for _, h := range r.Input.Fleet.Hosts {
			if h.Taken.After(last) {
				last = h.Taken
			}
		}
	}
	if last.IsZero() {
		last = time.Now().UTC()
	}
	return last
}

// Run diagnoses the path: from folders if one is named, else over running hosts.
func (q *Request) Run(ctx context.Context, access fleet.Access) (*Result, error) {
	if q.Since != "" || slices.ContainsFunc(q.Args, fleet.IsFolder) {
		return q.runSaved(ctx, access)
	}
	c, err := access.Open(ctx, access.PathHosts(q.words()))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return q.RunLive(ctx, access, c)
}

// words are the arguments as they were given.
func (q *Request) words() []string { return append([]string{q.From, q.To}, q.Args...) }

// runSaved judges folders, and what collect measured between their hosts.
func (q *Request) runSaved(ctx context.Context, access fleet.Access) (*Result, error) {
	if q.Load {
		return nil, app.Usage("diagnose: --load needs live hosts, not folders")
	}
	if len(q.Args) == 0 {
		return nil, app.Usage("diagnose: name the folder of the later snapshots")
	}
	got, err := access.ReadWithBaseline(ctx, q.Args, q.Since, fleet.Options{})
	if err != nil {
		return nil, err
	}
	order := q.Args
	if q.Since != "" {
		order = append([]string{q.Since}, q.Args...)
	}
	saved := Saved{From: q.From, To: q.To, Fleet: got.Fleet, Before: got.Before, Dirs: order, Symptom: q.Symptom, Failed: map[string]string{},
		Ends: access.CommandLine([]string{q.From, q.To}), Hosts: access.CommandLine(q.Args[len(q.Args)-1:])}
	for _, f := range got.Failed {
		if f.Host != "" {
			saved.Failed[f.Host] = f.Error
		}
	}
	return saved.Run(ctx, prediction.Costs(access))
}

// Saved is a path between hosts that were read and saved, to be diagnosed.
type Saved struct {
	From, To    string
	Fleet       *model.Fleet
	Before      *model.Fleet      // an earlier reading; nil: counters are totals
	Dirs        []string          // folders in which collect kept what it measured, the earliest first
	Failed      map[string]string // hosts that could not be read, and why
	Symptom     string
	Ends, Hosts string // as diagnose.Input has them
}

// Run diagnoses the path.
func (s *Saved) Run(ctx context.Context, costs *knowledge.Costs) (*Result, error) {
	ends := diagnose.FindEnds(s.Fleet, s.From, s.To)
	in := diagnose.Input{Fleet: ends.Fleet, Before: s.Before, Symptom: s.Symptom, Failed: s.Failed, Unread: ends.Unread,
		Ends: s.Ends, Hosts: s.Hosts}
	var err error
	in.Path, err = graph.Of(in.Fleet).Path(ends.From, ends.To)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", s.From, s.To, err)
	}
	later, earlier, err := measured(ctx, s.Dirs)
	if err != nil {
		return nil, err
	}
	in.Measured = diagnose.Between(later, in.Fleet, in.Path)
	if in.Before != nil {
		in.Earlier = diagnose.Between(earlier, in.Before, in.Path)
	}
	in.Predict = forecaster(in.Fleet, in.Path, costs)
	d, err := diagnose.Judge(ctx, in)
	if err != nil {
		return nil, err
	}
	d.Seconds = secondsBetween(in, in.Path.From.Host)
	return &Result{d, in}, nil
}

// measured returns what collect measured for the later and the earlier folder, of folders in
// the order of their time.
func measured(ctx context.Context, order []string) (later, earlier []diagnose.Measured, err error) {
	for _, dir := range order {
		got, err := diagnose.Load(ctx, filepath.Clean(dir))
		if err != nil {
			return nil, nil, err
		}
		if got != nil {
			later, earlier = got, later
		}
	}
	return later, earlier, nil
}

// secondsBetween returns the time between the two readings of a host; 0: not known.
func secondsBetween(got diagnose.Input, host string) float64 {
	if got.Before == nil {
		return 0
	}
	now, then := got.Fleet.Host(host), got.Before.Host(host)
	if now == nil || then == nil {
		return 0
	}
	return now.Taken.Sub(then.Taken).Seconds()
}
