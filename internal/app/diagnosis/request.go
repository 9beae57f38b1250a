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
	in := diagnose.Input{Fleet: got.Fleet, Before: got.Before, Symptom: q.Symptom, Failed: map[string]string{},
		Ends: access.CommandLine([]string{q.From, q.To}), Hosts: access.CommandLine(q.Args[len(q.Args)-1:])}
	for _, f := range got.Failed {
		if f.Host != "" {
			in.Failed[f.Host] = f.Error
		}
	}
	in.Path, err = graph.Of(got.Fleet).Path(q.From, q.To)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", q.From, q.To, err)
	}
	later, earlier, err := q.measured(ctx)
	if err != nil {
		return nil, err
	}
	in.Measured = diagnose.Between(later, in.Fleet, in.Path)
	if in.Before != nil {
		in.Earlier = diagnose.Between(earlier, in.Before, in.Path)
	}
	in.Predict = forecaster(in.Fleet, in.Path, prediction.Costs(access))
	d, err := diagnose.Judge(ctx, in)
	if err != nil {
		return nil, err
	}
	d.Seconds = secondsBetween(got, in.Path.From.Host)
	return &Result{d, in}, nil
}

// measured returns what collect measured for the later and the earlier folder.
func (q *Request) measured(ctx context.Context) (later, earlier []diagnose.Measured, err error) {
	order := q.Args
	if q.Since != "" {
		order = append([]string{q.Since}, q.Args...)
	}
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
func secondsBetween(got *fleet.Reading, host string) float64 {
	if got.Before == nil {
		return 0
	}
	now, then := got.Fleet.Host(host), got.Before.Host(host)
	if now == nil || then == nil {
		return 0
	}
	return now.Taken.Sub(then.Taken).Seconds()
}
