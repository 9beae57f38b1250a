package sweeps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/app"
	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
)

// Joining is how a collector is set up.
type Joining struct {
	Token   string   // file
	Hub     string   // HOST:PORT instead of those of the token
	Names   []string // hosts; none: all of the hosts file
	Spool   string   // folder; empty: the default
	NoRoot  bool     // a VIOS is read as padmin alone
	Limits  zone.Limits
	Version string

	dial func(options ...nats.Option) (*nats.Conn, error)
}

// Join runs a collector until the context ends. ready is told each time that it reads the
// hosts of its zone from now on.
func (q *Joining) Join(ctx context.Context, access fleet.Access, ready func(name string)) error {
	if len(q.Names) == 0 && access.HostsFile == "" {
		return app.Usage("fleet join: name hosts, or give an inventory with -i")
	}
	if q.Token == "" {
		return app.Usage("fleet join: --token FILE is required: seaworthy fleet token ZONE on the hub makes one")
	}
	t, err := trust.Read(ctx, q.Token)
	if err != nil {
		return err
	}
	if t.User == trust.Operator {
		return app.Usage("fleet join --token %s: this is the operator's token: a zone needs one of its own (seaworthy fleet token ZONE)", q.Token)
	}
	if q.Hub != "" {
		t.Hubs = []string{q.Hub}
	}
	q.dial = func(options ...nats.Option) (*nats.Conn, error) { return queue.Dial(t, options...) }
	return q.join(ctx, access, t, func() { ready(t.User) })
}

func (q *Joining) join(ctx context.Context, access fleet.Access, t *trust.Token, known func()) error {
	if q.Spool == "" {
		state, err := StateDir("")
		if err != nil {
			return err
		}
		q.Spool = filepath.Join(filepath.Dir(state), "fleet-"+t.User)
	}
	r := &reader{access: access, names: q.Names, noRoot: q.NoRoot}
	return zone.Run(ctx, zone.Options{Zone: t.User, Spool: q.Spool, Version: q.Version, Dial: q.dial, Reader: r, Limits: q.Limits,
		OnNotice: func(line string) { access.Notice("%s", line) }, OnReady: known})
}

// reader reads the hosts of this machine's files.
type reader struct {
	access fleet.Access
	names  []string
	noRoot bool

	mu    sync.Mutex
	sweep string // for which the connections were made
	open  *opened
	file  os.FileInfo // the hosts file as it was read last
	list  []zone.Host
}

// opened are the connections of a sweep. A host that refuses logins is asked once in each.
type opened struct {
	*fleet.Connection
	byName map[string]remote.Host
}

// Hosts lists the hosts: those of the hosts file as it is now, or those that were named.
func (r *reader) Hosts(ctx context.Context) ([]zone.Host, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.access.HostsFile != "" && r.list != nil && r.file != nil {
		now, err := os.Stat(r.access.HostsFile)
		if err == nil && os.SameFile(now, r.file) && now.ModTime().Equal(r.file.ModTime()) && now.Size() == r.file.Size() {
			return r.list, nil
		}
	}
	seen, _ := os.Stat(r.access.HostsFile) // "lab" is no file: it is read each time
	inv, err := r.access.Targets(ctx)
	if err != nil {
		return nil, err
	}
	var list []zone.Host
	if inv == nil {
		for _, name := range r.names {
			list = append(list, zone.Host{Host: message.Host{Name: name}})
		}
	} else {
		list, err = listed(inv, r.names)
	}
	if err != nil {
		return nil, err
	}
	r.list, r.file, r.sweep = list, seen, ""
	return list, nil
}

// listed are the hosts of a hosts file: the named ones and the members of named groups, or all.
func listed(inv *targets.Inventory, names []string) ([]zone.Host, error) {
	wanted := map[string]bool{}
	for _, name := range names {
		_, known := inv.Hosts[name]
		members, group := inv.Groups[name]
		switch {
		case known:
			wanted[name] = true
		case group:
			for _, m := range members {
				wanted[m] = true
			}
		default:
			return nil, fmt.Errorf("%s: not in %s", name, inv.File)
		}
	}
	groups := map[string][]string{}
	for group, members := range inv.Groups {
		for _, m := range members {
			groups[m] = append(groups[m], group)
		}
	}
	var out []zone.Host
	for _, name := range slices.Sorted(maps.Keys(inv.Hosts)) {
		if len(names) > 0 && !wanted[name] {
			continue
		}
		e := inv.Hosts[name]
		slices.Sort(groups[name])
		out = append(out, zone.Host{Jump: e.Via,
			Host: message.Host{Name: name, Platform: e.Platform, Labels: e.Labels, Groups: groups[name]}})
	}
	return out, nil
}

// Read reads a host as collect does.
func (r *reader) Read(ctx context.Context, sweep, host string) (map[string][]byte, error) {
	c, err := r.connect(ctx, sweep)
	if err != nil {
		return nil, err
	}
	h := c.byName[host]
	if h == nil {
		return nil, fmt.Errorf("%s: the zone's list of hosts has it no more", host)
	}
	defer remote.Disconnect(h)
	o := collect.Options{Hosts: 1, Platforms: c.Platforms, Hung: c.Hung, NoRootShell: r.noRoot}
	read := collect.ReadFleet(ctx, []remote.Host{h}, o, nil)[0]
	if read.Snapshot == nil {
		return nil, collection.Problem(read.Outcome)
	}
	files, err := read.Snapshot.Files()
	switch {
	case err != nil:
		return nil, err
	case read.Manifest.Error != "":
		return files, errors.New(read.Manifest.Error)
	}
	return files, collection.Problem(read.Outcome)
}

// connect opens the hosts for a sweep.
func (r *reader) connect(ctx context.Context, sweep string) (*opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sweep == sweep && r.open != nil {
		return r.open, nil
	}
	access := r.access
	access.Logins = nil // each sweep may try each login again
	c, err := access.Open(context.WithoutCancel(ctx), r.names)
	if err != nil {
		return nil, err
	}
	r.open, r.sweep = &opened{c, c.ByName()}, sweep
	return r.open, nil
}

// Patience is how long an operator waits for an answer of the hub.
const Patience = time.Minute
