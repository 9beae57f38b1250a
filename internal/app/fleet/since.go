package fleet

import (
	"context"
	"fmt"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/inventory/model"
)

// ReadWithBaseline is Read with a reading before: that of the folder since, or,
// if since is empty, the earlier snapshots among the arguments.
func (a Access) ReadWithBaseline(ctx context.Context, args []string, since string, o Options) (*Reading, error) {
	if since != "" {
		return a.readSince(ctx, args, since, o)
	}
	r, err := a.Read(ctx, args, o)
	if err != nil {
		return nil, err
	}
	for _, h := range r.Fleet.Hosts {
		n := r.Older[h.Name]
		if n > 0 {
			a.Notice("%s: comparing the newest of %d snapshots with the one before; %d older ones are not used "+
				"(--since DIR chooses another)", h.Name, n+2, n)
		}
	}
	return r, nil
}

// readSince reads args, and the folder since as the reading before. A host that
// is another one there has none.
func (a Access) readSince(ctx context.Context, args []string, since string, o Options) (*Reading, error) {
	if !IsFolder(since) {
		return nil, app.Usage("--since %s: no such folder: expected one that collect or import wrote", since)
	}
	earlier, err := a.readEarlier(ctx, since, "--since "+since)
	if err != nil {
		return nil, err
	}
	r, err := a.Read(ctx, args, o)
	if err != nil {
		return nil, err
	}
	r.Before = &model.Fleet{}
	for _, h := range r.Fleet.Hosts {
		b := earlier.Fleet.Host(h.Name)
		switch {
		case b == nil:
			continue
		case h.Another(b) != "":
			a.Notice("--since %s: its %s is a different host (%s): counters are totals", since, h.Name, h.Another(b))
			continue
		case !h.Taken.IsZero() && !b.Taken.IsZero() && !b.Taken.Before(h.Taken):
			return nil, app.Usage("--since %s: its snapshot of %s (%s) is not earlier than the audited one (%s)",
				since, h.Name, b.Taken.Format(time.DateTime), h.Taken.Format(time.DateTime))
		}
		r.Before.Hosts = append(r.Before.Hosts, b)
	}
	if len(r.Before.Hosts) == 0 {
		return nil, fmt.Errorf("--since %s: it contains none of the audited hosts", since)
	}
	return r, nil
}

// readEarlier reads a folder alone; what is wrong with it is told under a heading.
func (a Access) readEarlier(ctx context.Context, dir, heading string) (*Reading, error) {
	r := newReading()
	r.addFolder(ctx, dir)
	err := r.pair()
	if err != nil {
		return nil, err
	}
	for _, f := range r.Failed {
		a.Notice("%s: %s", heading, f.Error)
	}
	return r, nil
}

// ReadBoth reads the folder dir, and what a command compares it with. All hosts
// of the folder are in Before, unless another host has their name now. command
// begins messages.
func (a Access) ReadBoth(ctx context.Context, command, dir string, args []string, o Options) (*Reading, error) {
	if !IsFolder(dir) {
		return nil, app.Usage("%s %s: no such folder: expected one that collect or import wrote", command, dir)
	}
	if len(args) == 0 && a.HostsFile == "" {
		return nil, app.Usage("%s %s: name a later folder, or the hosts to read now", command, dir)
	}
	earlier, err := a.readEarlier(ctx, dir, dir)
	if err != nil {
		return nil, err
	}
	r, err := a.ReadNewest(ctx, args, o)
	if err != nil {
		return nil, err
	}
	r.Before = &model.Fleet{}
	common := 0
	for _, b := range earlier.Fleet.Hosts {
		h := r.Fleet.Host(b.Name)
		switch {
		case h == nil:
		case h.Another(b) != "":
			a.Notice("%s: two different hosts have this name (%s): not compared", h.Name, h.Another(b))
			continue
		case !h.Taken.IsZero() && !b.Taken.IsZero() && h.Taken.Before(b.Taken):
			return nil, app.Usage("%s: %s was read at %s in %s and earlier, at %s, in the other: give the earlier folder first",
				command, h.Name, b.Taken.Format(time.DateTime), dir, h.Taken.Format(time.DateTime))
		default:
			common++
		}
		r.Before.Hosts = append(r.Before.Hosts, b)
	}
	if common == 0 {
		return nil, fmt.Errorf("%s: %s and the later reading have no host in common", command, dir)
	}
	// What an HMC listed then belongs to the earlier reading.
	r.Before.HMCs = earlier.Fleet.HMCs
	return r, nil
}
