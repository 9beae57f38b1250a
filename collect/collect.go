package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/dialect/registry"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// Options of a collection. The zero value is good.
type Options struct {
	Sessions  int                           // commands at once on one host; 0: 4
	Hosts     int                           // hosts at once; 0: 16
	MaxOutput int64                         // bytes kept of one output; 0: remote.DefaultMaxOutput
	Platforms map[string]inventory.Platform // by host: what it is if it cannot be found out
	Replace   bool                          // Fleet: a finished snapshot of a host gives way to the new one
}

// Event is a step of progress.
type Event struct {
	Host  string
	Line  string // command that just ended; empty when the host is finished
	Done  int    // commands
	Total int    // commands known so far; it grows as devices are found
	Ended bool   // the host is finished
	Err   error  // with Ended: why it was not read to its end
}

// Outcome is what became of one host of a fleet.
type Outcome struct {
	Host     string
	Dir      string    // its folder; empty if nothing was collected
	Manifest *Manifest // nil if nothing was collected
	Err      error     // the host was not read to its end
}

// Fleet reads several hosts at once. One that fails never stops the others:
// see its outcome. Outcomes are in the order of the hosts. The error is
// about the folder alone. progress may be nil; it is never called by two
// goroutines at once.
func Fleet(ctx context.Context, hosts []remote.Host, dir string, o Options, progress func(Event)) ([]Outcome, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("collect: %w", err)
	}
	out := make([]Outcome, len(hosts))
	eachHost(hosts, o, progress, func(i int, h remote.Host, notify func(Event)) Outcome {
		out[i] = host(ctx, h, dir, o, notify)
		return out[i]
	})
	return out, nil
}

// eachHost reads hosts in parallel and reports progress.
func eachHost(hosts []remote.Host, o Options, progress func(Event), read func(int, remote.Host, func(Event)) Outcome) {
	var mu sync.Mutex
	notify := func(e Event) {
		if progress != nil {
			mu.Lock()
			defer mu.Unlock()
			progress(e)
		}
	}
	var group errgroup.Group
	group.SetLimit(cmp.Or(o.Hosts, 16))
	for i, h := range hosts {
		group.Go(func() error {
			out := read(i, h, notify)
			e := Event{Host: h.Name(), Ended: true, Err: out.Err}
			if m := out.Manifest; m != nil {
				e.Done, e.Total = len(m.Commands), len(m.Commands)
			}
			notify(e)
			return nil
		})
	}
	_ = group.Wait() // a host's error is in its outcome
}

// host reads one host into a folder of its own below dir. If the host breaks
// off or the context ends, what was read so far stays in HOST.partial, and the
// manifest says why. A host that could not be reached at all leaves no folder.
func host(ctx context.Context, h remote.Host, dir string, o Options, progress func(Event)) Outcome {
	s, err := newStore(dir, h.Name(), o.Replace)
	if err != nil {
		return Outcome{Host: h.Name(), Err: err}
	}
	return fill(ctx, h, s, o, progress)
}

// fill reads a host into a store.
func fill(ctx context.Context, h remote.Host, s *store, o Options, progress func(Event)) Outcome {
	out := Outcome{Host: h.Name()}
	m, err := collect(ctx, h, s, o, progress)
	if m == nil {
		s.remove()
		out.Err = err
		return out
	}
	out.Manifest, out.Dir, out.Err = m, s.dir, err
	return out
}

// collect fills a store. It returns no manifest if there was nothing to read.
func collect(ctx context.Context, h remote.Host, s *store, o Options, progress func(Event)) (*Manifest, error) {
	l, err := detect(ctx, h, o.Platforms[h.Name()])
	if err != nil {
		return nil, err
	}
	r := newRunner(h, l, s, o, progress)
	r.read(ctx)
	return r.m, r.close(ctx)
}

// read asks a host everything that its kind is asked.
func (r *runner) read(ctx context.Context) {
	l := r.login
	switch l.platform {
	case inventory.AIX:
		r.aix(ctx, registry.OnAIX)
	case inventory.VIOS:
		if l.restricted() && !l.elevate {
			r.aix(ctx, registry.OnPadmin)
		} else {
			r.aix(ctx, registry.OnVIOS)
		}
	case inventory.Linux:
		r.linux(ctx)
	default:
		r.run(ctx, []Item{{ID: "uname-a", Line: "uname -a", Limit: registry.Quick}})
		r.addGap("platform", "neither AIX, VIOS nor Linux: nothing else was asked; set platform in the inventory file if it is one")
	}
}

// close ends a snapshot: complete under its name, or as what there is.
func (r *runner) close(ctx context.Context) error {
	r.m.Finished = time.Now().UTC()
	err := r.stopped(ctx)
	if err == nil {
		err = r.lostConnection(ctx)
	}
	if err != nil {
		r.m.Error = err.Error()
	}
	if merr := r.store.manifest(r.m); merr != nil {
		return errors.Join(err, merr)
	}
	if err != nil && r.store.memory == nil {
		err = fmt.Errorf("%w (what was read so far is in %s)", err, filepath.Base(r.store.dir))
	}
	if err != nil {
		return err
	}
	return r.store.finish()
}

// userOf is who commands run as, as far as that is known here.
func userOf(h remote.Host, l login) string {
	if l.root {
		return "root"
	}
	return loginName(h)
}

// loginName is the user of a host that logs in as somebody; empty for others.
func loginName(h remote.Host) string {
	if u, ok := h.(interface{ User() string }); ok {
		return u.User()
	}
	return ""
}
