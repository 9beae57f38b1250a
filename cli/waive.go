package cli

import (
	"context"
	"time"

	"seaworthy/audit/finding"
	"seaworthy/audit/waiver"
)

func loadWaivers(ctx context.Context, files []string) ([]waiver.Waiver, error) {
	var all []waiver.Waiver
	for _, file := range files {
		w, err := waiver.Load(ctx, file)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// withoutWaived leaves out what the site accepts, and reports waivers that have
// no effect.
func (a *app) withoutWaived(ctx context.Context, all []finding.Finding, files []string) ([]finding.Finding, error) {
	waivers, err := loadWaivers(ctx, files)
	if err != nil {
		return nil, err
	}
	left, _, ineffective := waiver.Apply(all, waivers, time.Now())
	for _, t := range ineffective {
		a.Notice("%s", t)
	}
	return left, nil
}
