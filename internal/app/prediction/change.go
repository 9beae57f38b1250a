package prediction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/predict"
)

// planSettings plans values, so that what cannot be set is refused here as plan refuses it.
func planSettings(ctx context.Context, hosts *model.Fleet, settings []string) (*plan.Plan, error) {
	set, err := findings.Rules{}.Compile(ctx)
	if err != nil {
		return nil, err
	}
	harmless := []string{plan.AcceptRedundancy, plan.AcceptPending, plan.AcceptAddresses, plan.AcceptCluster} // nothing is changed
	change := findings.Change{Set: settings, Accept: harmless}
	p, err := change.Plan(ctx, set, hosts)
	if err != nil {
		return nil, err
	}
	for _, r := range p.Refused {
		err = errors.Join(err, errors.New(r.String()))
	}
	if err == nil && len(p.Steps) == 0 {
		err = app.Usage("--set: all values are set already")
	}
	return p, err
}

// planned are the values that a plan leaves, and the same in words.
func planned(hosts *model.Fleet, p *plan.Plan) (predict.Values, []predict.Change, error) {
	values := predict.Values{}
	var changes []predict.Change
	for of := p; of != nil; of = of.Next {
		for _, host := range of.Hosts {
			if hosts.Host(host) == nil {
				return nil, nil, fmt.Errorf("plan %s changes %s, which was not read: name it, or a folder that holds it", p.ID, host)
			}
			for s, c := range of.Last(host) {
				after := c.After.NextBoot
				if c.After.Running != nil && !s.Pending { // else it is in force after the reboot
					after = c.After.Running
				}
				if after == nil {
					continue
				}
				t := predict.Target{Ref: s.Of(c), Attr: c.Attr}
				values[t] = *after
				changes = append(changes, predict.Change{Target: t, Text: fmt.Sprintf("%s %s: %s → %s", t.Ref, t.Attr, c.Before, c.After)})
			}
		}
	}
	slices.SortStableFunc(changes, func(x, y predict.Change) int { return strings.Compare(x.Text, y.Text) })
	return values, changes, nil
}
