package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
)

// Options of a collection. The zero value is good.
type Options struct {
	Sessions  int    // commands at once on one host; 0: 4
	Hosts     int    // hosts at once; 0: 16
	MaxOutput int64  // bytes kept of one output; 0: remote.DefaultMaxOutput
	System    string // of an HMC: this managed system alone; empty: all
	// RoundTrips has hosts that are read together measure the round trip to each
	// other, by a few small packets.
	RoundTrips bool
	Platforms  map[string]model.Platform // by host: what it is if it cannot be found out
	Hung       *remote.Hung              // commands that are not asked again; nil: those of one reading alone
	// NoRootShell has a VIOS read as padmin alone, without oem_setup_env.
	NoRootShell bool
	Replace     bool // Fleet: a finished snapshot of a host gives way to the new one
}

// ErrNotBegun is when reading was interrupted before a host's turn came.
var ErrNotBegun = errors.New("not begun")

// maxConnected is how many hosts stay connected after they were read, for those who
// go on with them. Of more, each is let go when it is read: connections cost memory
// and descriptors.
const maxConnected = 64

// Event is a step of progress.
type Event struct {
	Host  string
	Line  string // command that just ended; empty when the host is finished
	Done  int    // commands
	Total int    // commands known so far; it grows as devices are found
	Ended bool   // the host is finished
	Err   error  // with Ended: why it was not read to its end
}

// Outcome holds what became of one host of a fleet.
type Outcome struct {
	Host     string
	Dir      string    // its folder; empty if nothing was collected
	Manifest *Manifest // nil if nothing was collected
	Err      error     // the host was not read to its end

	memory map[string][]byte // its outputs, where it has no folder
}

// Fleet reads several hosts at once. One that fails never stops the others:
// see its outcome. Outcomes are in the order of the hosts. The error is
// about the folder alone. progress may be nil; it is never called by two
// goroutines at once.
func Fleet(ctx context.Context, hosts []remote.Host, dir string, o Options, progress func(Event)) ([]Outcome, error) {
	made, err := fileio.MkdirAll(dir)
	if err != nil {
		return nil, fmt.Errorf("collect: %w", err)
	}
	defer made.Undo() // if no host was read
	return readAll(ctx, hosts, o, progress, func(h remote.Host) (*store, error) { return newStore(dir, h.Name(), o.Replace) }), nil
}

// readAll reads hosts in parallel, each into a store of its own, and reports
// progress. If a host breaks off or the context ends, what was read so far stays
// in HOST.partial, and the manifest says why. A host that could not be reached at
// all leaves no folder.
func readAll(
	ctx context.Context, hosts []remote.Host, o Options, progress func(Event), open func(remote.Host) (*store, error),
) []Outcome {
	out := make([]Outcome, len(hosts))
	var mu sync.Mutex
	notify := func(e Event) {
		if progress != nil {
			mu.Lock()
			defer mu.Unlock()
			progress(e)
		}
	}
	end := func(i int, r *runner, err error) {
		out[i].Host, out[i].Err = hosts[i].Name(), err
		e := Event{Host: hosts[i].Name(), Ended: true}
		if r != nil {
			out[i].Err = r.close(ctx)
			out[i].Manifest, out[i].Dir, out[i].memory = r.m, r.store.dir, r.store.memory
			e.Done, e.Total = len(r.m.Commands), len(r.m.Commands)
		}
		e.Err = out[i].Err
		notify(e)
	}
	has := hostRoom(OpenFiles())
	waiting := make([]*runner, len(hosts)) // for the others, to be measured with them
	meet := newMeeting(len(hosts), func(r *runner) bool { return o.measured(len(hosts), r) && len(hosts) <= has.connected })
	var group errgroup.Group
	group.SetLimit(o.atOnce(len(hosts), has))
	for i, h := range hosts {
		group.Go(func() error {
			if ctx.Err() != nil {
				end(i, nil, fmt.Errorf("%s: %w: %w", h.Name(), ErrNotBegun, context.Cause(ctx)))
				return nil
			}
			r, err := begin(ctx, h, o, notify, open, func(r *runner) { meet.arrive(ctx, i, r) })
			meet.arrive(ctx, i, nil) // where it never said its addresses
			if r != nil && meet.measured(r) && r.stopped(ctx) == nil {
				waiting[i] = r
				return nil
			}
			meet.leave(i, r)
			if r != nil && o.measured(len(hosts), r) && len(hosts) > has.connected {
				r.addGap("ping", fmt.Sprintf("not sent: this program may open only %d files; raise that with ulimit -n", OpenFiles()))
			}
			if len(hosts) > has.connected {
				remote.Disconnect(h)
			}
			end(i, r, err)
			return nil
		})
	}
	_ = group.Wait() // a host's error is in its outcome
	roundTrips(ctx, slices.DeleteFunc(slices.Clone(waiting), func(r *runner) bool { return r == nil }))
	for i, r := range waiting {
		if r != nil {
			end(i, r, nil)
		}
	}
	return out
}

// begin reads a host into a store. There is no runner if there was nothing to
// read. addressed, which may be nil, is called between two commands once the host's addresses and
// routes are read.
func begin(
	ctx context.Context, h remote.Host, o Options, progress func(Event), open func(remote.Host) (*store, error), addressed func(*runner),
) (*runner, error) {
	s, err := open(h)
	if err != nil {
		return nil, err
	}
	l, err := detect(ctx, h, hints{o.Platforms[h.Name()], o.NoRootShell})
	if err != nil {
		s.remove()
		return nil, err
	}
	r := newRunner(h, l, s, o, progress)
	r.addressed = addressed
	r.read(ctx)
	return r, nil
}

// read asks a host everything that its kind is asked.
func (r *runner) read(ctx context.Context) {
	l := r.login
	switch l.platform {
	case model.AIX, model.VIOS:
		r.aix(ctx, l.on())
	case model.Linux:
		r.linux(ctx)
	case PlatformHMC:
		r.hmc(ctx)
	default:
		r.run(ctx, []Item{{ID: "uname-a", Line: "uname -a", Limit: registry.Quick}})
		r.addGap("platform", "neither AIX, VIOS nor Linux: nothing else was asked; set platform in the inventory file if it is one")
	}
}

// isPing is 1 for a ping, which runs beside other commands and stands behind them.
func isPing(c Record) int {
	if c.ID == "ping" {
		return 1
	}
	return 0
}

// close ends a snapshot: complete under its name, or as what there is.
func (r *runner) close(ctx context.Context) error {
	r.m.Finished = time.Now().UTC()
	slices.SortStableFunc(r.m.Commands, func(a, b Record) int { return cmp.Compare(isPing(a), isPing(b)) })
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
