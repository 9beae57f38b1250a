package execute

import (
	"context"
	"maps"
	"slices"

	"seaworthy/change/watchdog"
)

// Cleaned is what is left on a host of runs that it watched over.
type Cleaned struct {
	Host    string           `json:"host"`
	Removed []string         `json:"removed"` // records of finished runs
	Left    []watchdog.State `json:"left"`    // runs that are not over
}

// Clean removes the records of finished runs, or of one, from the connected
// hosts. A record is what another machine could roll a run back with; this one
// has its journal. A host that cannot be asked does not stop the others.
func (r *Runner) Clean(ctx context.Context, id string) ([]Cleaned, error) {
	names := slices.Sorted(maps.Keys(r.Hosts))
	return gather(ctx, "removing old runs", names, func(h string) (Cleaned, error) {
		removed, left, err := r.watchdog(h).Clean(ctx, id)
		return Cleaned{Host: h, Removed: append([]string{}, removed...), Left: append([]watchdog.State{}, left...)}, err
	})
}
