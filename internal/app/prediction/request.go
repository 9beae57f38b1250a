package prediction

import (
	"context"
	"fmt"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/predict"
)

// Request says which path, under which loads, and which change.
type Request struct {
	From, To string     // hosts, or interfaces of hosts (HOST:enN)
	Args     []string   // hosts and folders; none: the two ends, or the hosts file
	Since    string     // folder of an earlier reading; empty: none
	Plan     *plan.Plan // nil: Set, or no change
	Set      []string   // HOST:ELEMENT:ATTR=VALUE
	Results  []string   // files of saved measurements, or folders of them
	Loads    []predict.Load
}

// Run reads the hosts and predicts, once for each load.
func (q *Request) Run(ctx context.Context, access fleet.Access) ([]*predict.Prediction, error) {
	saved := &history.Files{}
	var err error
	if len(q.Results) > 0 {
		saved, err = history.Read(ctx, q.Results)
		if err != nil {
			return nil, err
		}
	}
	got, err := q.read(ctx, access)
	if err != nil {
		return nil, err
	}
	question, err := q.question(ctx, got)
	if err != nil {
		return nil, err
	}
	question.Costs = Costs(access)
	for _, s := range saved.Saved {
		seen, unused := predict.Observe(s.Result, question.Path)
		question.Seen, question.Unused = append(question.Seen, seen...), append(question.Unused, unused...)
	}
	var all []*predict.Prediction
	for _, load := range q.Loads {
		question.Load = load
		p, err := question.Answer()
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// read reads the hosts, and the folder of an earlier reading if one is given:
// only that makes Before.
func (q *Request) read(ctx context.Context, access fleet.Access) (*fleet.Reading, error) {
	args, o := q.Args, fleet.Options{RoundTrips: true}
	if len(args) == 0 && access.HostsFile == "" {
		args = []string{fleet.HostOf(q.From), fleet.HostOf(q.To)}
	}
	if q.Since != "" {
		return access.ReadBoth(ctx, "predict --since", q.Since, args, o)
	}
	r, err := access.ReadNewest(ctx, args, o)
	if err != nil {
		return nil, err
	}
	r.Before = nil
	return r, nil
}

// question is all of a question but the load.
func (q *Request) question(ctx context.Context, got *fleet.Reading) (*predict.Question, error) {
	path, err := graph.Of(got.Fleet).Path(q.From, q.To)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", q.From, q.To, err)
	}
	question := &predict.Question{Fleet: got.Fleet, Path: path}
	p := q.Plan
	if p == nil && len(q.Set) > 0 {
		p, err = planSettings(ctx, got.Fleet, q.Set)
		if err != nil {
			return nil, err
		}
	}
	if got.Before != nil {
		question.Carried, question.Unused = predict.NewCarried(got.Before, got.Fleet, path)
	}
	if p != nil {
		question.Values, question.Changes, err = planned(got.Fleet, p)
	}
	return question, err
}

// Costs are the priors: those of the lab where its hosts are asked.
func Costs(access fleet.Access) *knowledge.Costs {
	profile := "power"
	if _, ok := access.Lab(); ok {
		profile = "lab"
	}
	costs, _ := knowledge.BuiltIn().Costs(profile) // both are in the program
	return costs
}
