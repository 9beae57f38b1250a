package cli

import (
	"context"
	"fmt"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
)

// fleetOver is read, with the earlier snapshots of a folder, if one is given.
func (a *app) fleetOver(ctx context.Context, argv []string, since string) (*fleet, error) {
	if since == "" {
		f, err := a.read(ctx, argv)
		if err == nil {
			for _, h := range f.fleet.Hosts {
				if n := f.older[h.Name]; n > 0 {
					a.Notice("%s: comparing the newest of %d snapshots with the one before; %d older ones are not used "+
						"(--since DIR chooses another)", h.Name, n+2, n)
				}
			}
		}
		return f, err
	}
	if !isSnapshot(since) {
		return nil, command.Usage("--since %s: no such folder: expected one that collect or import wrote", since)
	}
	earlier := &fleet{fleet: &model.Fleet{}}
	earlier.saved(ctx, since)
	if err := earlier.pair(); err != nil {
		return nil, err
	}
	for _, x := range earlier.failed {
		a.Notice("--since %s: %s", since, x.Error)
	}
	f, err := a.read(ctx, argv)
	if err != nil {
		return nil, err
	}
	f.before = &model.Fleet{}
	for _, h := range f.fleet.Hosts {
		b := earlier.fleet.Host(h.Name)
		switch {
		case b == nil:
			continue
		case h.Another(b) != "":
			a.Notice("--since %s: its %s is a different host (%s): counters are totals", since, h.Name, h.Another(b))
			continue
		case !h.Taken.IsZero() && !b.Taken.IsZero() && !b.Taken.Before(h.Taken):
			return nil, command.Usage("--since %s: its snapshot of %s (%s) is not earlier than the audited one (%s)",
				since, h.Name, b.Taken.Format(time.DateTime), h.Taken.Format(time.DateTime))
		}
		f.before.Hosts = append(f.before.Hosts, b)
	}
	if len(f.before.Hosts) == 0 {
		return nil, fmt.Errorf("--since %s: it contains none of the audited hosts", since)
	}
	return f, nil
}
