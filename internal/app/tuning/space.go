package tuning

import (
	"context"
	"fmt"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// Question says what is tuned, and at which cost.
type Question struct {
	From, To  string // hosts, or interfaces of hosts (HOST:enN)
	Goal      tune.Goal
	MaxOutage knowledge.Class
	Space     string // file with what is tried; empty: what the catalogue knows
	SpaceText []byte // its text
	Options   tune.Options
}

// space returns what is tried on a path, and how its settings are planned.
func (q *Question) space(ctx context.Context, hosts *model.Fleet, path *model.Path) (*space.Space, space.Try, error) {
	set, err := findings.Rules{}.Compile(ctx)
	if err != nil {
		return nil, nil, err
	}
	near := graph.Of(hosts).Near(path) // a large inventory is not simulated for each level
	try := func(want []plan.DesiredSetting) (*plan.Plan, error) {
		return plan.Simulator{Rules: set}.Build(ctx, near, knowledge.BuiltIn(), want)
	}
	var s *space.Space
	if q.Space != "" {
		s, err = space.Parse(q.Space, q.SpaceText, hosts, path, q.MaxOutage, try)
	} else {
		s, err = space.Of(hosts, path, q.Goal.Name, q.MaxOutage, try)
	}
	return s, try, err
}

// Draft reads the hosts that args name, none meaning all of the hosts file, and
// says what would be tried.
func (q *Question) Draft(ctx context.Context, access fleet.Access, args []string) (*tune.Result, error) {
	got, err := access.ReadNewest(ctx, args, fleet.Options{})
	if err != nil {
		return nil, err
	}
	path, err := graph.Of(got.Fleet).Path(q.From, q.To)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", q.From, q.To, err)
	}
	s, _, err := q.space(ctx, got.Fleet, path)
	if err != nil {
		return nil, err
	}
	e := tune.Engine{Options: q.Options, Goal: q.Goal, Space: s, Fleet: got.Fleet}
	r, err := e.Draft()
	if err != nil {
		return nil, err
	}
	r.From, r.To = path.From.String(), path.To.String()
	return r, nil
}
