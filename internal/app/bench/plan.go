package bench

import (
	"context"
	"errors"

	"seaworthy/internal/app"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// ErrNothingToSet says that all values are as wanted already.
var ErrNothingToSet = errors.New("nothing to compare: all values are set already")

// Plan plans settings, HOST:ELEMENT:ATTR=VALUE, of the hosts that are measured.
func (b *Bench) Plan(ctx context.Context, settings []string) (*plan.Plan, error) {
	desired, err := findings.ParseSettings(settings)
	if err != nil {
		return nil, err
	}
	hosts := b.Connection.ByName()
	for _, d := range desired {
		if hosts[d.Host] == nil {
			return nil, app.Usage("--set %s: this host is not measured: add it with --via", d.Host)
		}
	}
	// Also the hosts in between: the ports of the switch are theirs.
	all := &model.Fleet{}
	for _, h := range b.Connection.Hosts {
		read, err := collect.Read(ctx, h, collect.Options{Platforms: b.Connection.Platforms, Hung: b.Connection.Hung})
		if err != nil {
			return nil, err
		}
		all.Hosts = append(all.Hosts, read)
	}
	p, err := plan.Build(all, knowledge.BuiltIn(), desired)
	if err != nil {
		return nil, err
	}
	if len(p.Refused) > 0 {
		return nil, errors.New(p.Refused[0].String())
	}
	if len(p.Steps) == 0 {
		return nil, ErrNothingToSet
	}
	return p, nil
}

// Check refuses a plan that changes hosts which are not measured.
func (b *Bench) Check(p *plan.Plan) error {
	hosts := b.Connection.ByName()
	for _, h := range p.Hosts {
		if hosts[h] == nil {
			return app.Usage("plan %s changes %s, which is not measured: add it with --via", p.ID, h)
		}
	}
	return nil
}

// Turns puts plans on the hosts; done are ids of manual steps that the user says
// are done. purpose is kept with each run.
func (b *Bench) Turns(access fleet.Access, purpose string, done []string) (*execute.Turns, error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, err
	}
	journals.Lookup.Purpose = purpose
	runner := b.Connection.Runner(journals)
	runner.Done = done
	return &execute.Turns{Runner: runner}, nil
}
