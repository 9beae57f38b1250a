package past

import (
	"context"
	"errors"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
)

// AddSnapshots adds snapshots that need not be in a folder to a history; zone and source say
// where they come from. One that the history refuses is in Failed, and does not stop the others.
func AddSnapshots(
	ctx context.Context, access fleet.Access, store *history.Store, by *Judges, zone, source string, snapshots []*collect.Snapshot,
) (*Addition, error) {
	out := &Addition{History: store.Name(), Hosts: []string{}, Failed: []fleet.Failure{}}
	sweep, err := store.BeginIn(ctx, zone, source)
	if err != nil {
		return nil, err
	}
	err = addRounds(ctx, store, sweep, by, snapshots, out)
	if err != nil {
		return nil, errors.Join(err, sweep.End(context.WithoutCancel(ctx)))
	}
	out.Added = sweep.Added
	err = sweep.End(ctx)
	if err != nil {
		return nil, err
	}
	out.Runs, err = addRuns(ctx, access, store)
	return out, err
}
