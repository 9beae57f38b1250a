package cli

import (
	"time"

	"seaworthy/audit/finding"
	"seaworthy/audit/waiver"
)

func loadWaivers(files []string) ([]waiver.Waiver, error) {
	var all []waiver.Waiver
	for _, file := range files {
		w, err := waiver.Load(file)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// withoutWaived leaves out what the site accepts, and reports waivers that have
// no effect.
func (a *app) withoutWaived(all []finding.Finding, files []string) ([]finding.Finding, error) {
	waivers, err := loadWaivers(files)
	if err != nil {
		return nil, err
	}
	left, _, ineffective := waiver.Apply(all, waivers, time.Now())
	for _, t := range ineffective {
		a.Notice("%s", t)
	}
	return left, nil
}
