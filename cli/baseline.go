package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"seaworthy/cli/command"
	"seaworthy/inventory"
)

// pair keeps the newest snapshot of every host, and of those that were there
// more than once the one before it. Snapshots whose time is not known are taken
// to be given in the order of time.
func (f *fleet) pair() error {
	byName := map[string][]*inventory.Host{}
	for _, h := range f.fleet.Hosts {
		byName[h.Name] = append(byName[h.Name], h)
	}
	if len(byName) == len(f.fleet.Hosts) {
		return nil
	}
	var newest, before []*inventory.Host
	for _, h := range f.fleet.Hosts {
		all, ok := byName[h.Name]
		if !ok {
			continue // done with its first
		}
		delete(byName, h.Name)
		if !slices.ContainsFunc(all, func(h *inventory.Host) bool { return h.Taken.IsZero() }) {
			slices.SortStableFunc(all, func(a, b *inventory.Host) int { return a.Taken.Compare(b.Taken) })
		}
		all = f.sameHost(all)
		last := len(all) - 1
		newest = append(newest, all[last])
		if last == 0 {
			continue
		}
		if t := all[last].Taken; !t.IsZero() && t.Equal(all[last-1].Taken) {
			return command.Usage("host %s is given twice", h.Name)
		}
		before = append(before, all[last-1])
		if last > 1 {
			if f.older == nil {
				f.older = map[string]int{}
			}
			f.older[h.Name] = last - 1
		}
	}
	f.fleet.Hosts = newest
	if len(before) > 0 {
		f.before = &inventory.Fleet{Hosts: before}
	}
	return nil
}

// sameHost keeps those of several snapshots that are of the newest's host. Another
// host of the same name is not an earlier state of it: it is skipped and reported.
func (f *fleet) sameHost(all []*inventory.Host) []*inventory.Host {
	newest := all[len(all)-1]
	return slices.DeleteFunc(all, func(h *inventory.Host) bool {
		why := newest.Another(h)
		if why != "" {
			f.failed = append(f.failed, failedHost{h.Name, fmt.Sprintf("%s: two different hosts have this name (%s); "+
				"the snapshot of %s was skipped: read it separately, or save it under another name",
				h.Name, why, h.Taken.Format(time.DateTime))})
		}
		return why != ""
	})
}

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
	earlier := &fleet{fleet: &inventory.Fleet{}}
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
	f.before = &inventory.Fleet{}
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
