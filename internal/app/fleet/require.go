package fleet

import (
	"context"
	"maps"
	"slices"

	"seaworthy/internal/app"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// Examine tests all assumptions about hosts, none meaning all of the hosts file.
// One that cannot be reached does not stop the others: it has an error.
func (a Access) Examine(ctx context.Context, names []string) ([]*doctor.Examination, error) {
	c, err := a.Open(ctx, names)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	list, errs := doctor.All(ctx, c.Hosts, doctor.Options{Platforms: c.Platforms})
	for i, err := range errs {
		if err != nil {
			list[i] = &doctor.Examination{Host: c.Hosts[i].Name(), Results: []doctor.Result{}, Error: err.Error()}
		}
	}
	return list, context.Cause(ctx)
}

// Require tests what a feature leans on before it begins, and tells where it
// takes another way. A host that cannot be tested does not stop it: the feature
// itself reports that better. The error, an app.NegativeError, names the hosts
// on which the feature does not work.
func (a Access) Require(ctx context.Context, hosts []remote.Host, f knowledge.Feature) ([]doctor.Consequence, error) {
	platforms, err := a.Platforms(ctx)
	if err != nil {
		return nil, err
	}
	other, err := doctor.Require(ctx, hosts, doctor.Options{Platforms: platforms}, f)
	times := map[string]int{} // by assumption
	for _, o := range other {
		times[o.Result.ID]++
		if times[o.Result.ID] == 1 {
			a.Notice("%s", o.Said())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(times)) {
		switch more := times[id] - 1; more {
		case 0:
		case 1:
			a.Notice("%s: the same on 1 host more: seaworthy doctor names them", id)
		default:
			a.Notice("%s: the same on %d hosts more: seaworthy doctor names them", id, more)
		}
	}
	return other, app.Negative(err)
}
