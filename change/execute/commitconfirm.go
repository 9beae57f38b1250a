package execute

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"seaworthy/change/plan"
	"seaworthy/change/watchdog"
	"seaworthy/remote"
)

// Confirmation says how a run comes to stay.
type Confirmation struct {
	// Within is how long each host waits for a word before it takes everything
	// back by itself: counted anew from every step, and from the moment that
	// all is done and verified.
	Within time.Duration
	// Health decides instead of a person: nil confirms, an error rolls back.
	Health func(ctx context.Context, run string) error
	Auto   bool // verified over a new connection is enough
	Leave  bool // return as soon as all is verified; somebody confirms later
	// Asked is called once that the hosts wait for a confirmation; may be nil.
	Asked func(run string, within time.Duration)
}

// ErrNotConfirmed says that a run was taken back because nobody confirmed it.
var ErrNotConfirmed = errors.New("nobody confirmed in time")

// ApplyWithin carries a plan out as Apply does, but puts every host into its
// own care first (package watchdog): if this program, its machine or the
// connection dies, the hosts restore their earlier values by themselves. A
// step runs on its host in one piece, so that it may take down the interface
// that the login came in through. What was done is verified over new
// connections.
func (r *Runner) ApplyWithin(ctx context.Context, p *plan.Plan, c Confirmation) (*Run, error) {
	manual, release, err := r.prepare(ctx, p)
	if err != nil {
		return nil, err
	}
	// Once the run only waits, whoever comes learns from the hosts that it is pending.
	release = sync.OnceFunc(release)
	defer release()
	j, err := r.Journals.begin(p, c.Within)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	k := &confirmedRun{Runner: r, plan: p, journal: j, id: j.id, manual: manual}
	left := false
	failure := k.begin(ctx, c)
	if failure == nil {
		rest := k.alive(context.WithoutCancel(ctx), c.Within)
		if failure = k.forward(ctx); failure == nil {
			failure = k.verifyAll(ctx)
		}
		rest()
	}
	release()
	if failure == nil {
		left, failure = k.settle(ctx, c)
	}
	if left {
		return r.Journals.now(j)
	}
	outcome := Applied
	if failure != nil {
		failure = r.located(context.WithoutCancel(ctx), p, failure, k.readFresh, k.Fresh)
		outcome = k.revertAll(context.WithoutCancel(ctx))
	}
	return r.ended(j, outcome, failure)
}

// confirmedRun is a run whose hosts watch over themselves.
type confirmedRun struct {
	*Runner
	plan    *plan.Plan
	journal *journal // nil: the run was begun on another machine
	id      string
	manual  map[string]string // manual steps, and how it is known that they are done

	atWork  sync.Mutex
	working []string // hosts with a step under way
}

func (k *confirmedRun) write(events ...event) error {
	if k.journal == nil {
		return nil
	}
	return k.journal.write(events...)
}

func (k *confirmedRun) watchdog(host string) watchdog.Client {
	c := watchdog.Client{Host: k.Hosts[host], Folder: k.Folder}
	if k.Fresh != nil {
		c.Dial = func(ctx context.Context) (remote.Host, error) { return k.Fresh(ctx, host) }
	}
	return c
}

// begin puts every host into its own care. Nothing is changed yet.
func (k *confirmedRun) begin(ctx context.Context, c Confirmation) error {
	return forEachHost(k.plan.Hosts, func(host string) error {
		steps, _ := k.plan.Of(host)
		job := watchdog.Job{ID: k.id, Plan: string(k.plan.ID), Hosts: k.plan.Hosts, Window: c.Within, Limit: k.limit()}
		for _, s := range steps {
			job.Tasks = append(job.Tasks, s.Task)
		}
		_, err := k.watchdog(host).Begin(ctx, job)
		return err
	})
}

func (k *confirmedRun) forward(ctx context.Context) error {
	place := map[string]int{} // step id -> its number on its host
	for _, h := range k.plan.Hosts {
		steps, _ := k.plan.Of(h)
		for i, s := range steps {
			place[s.ID] = i + 1
		}
	}
	return k.Runner.forward(ctx, k.plan, k.manual, k.write, k.runFresh, func(ctx context.Context, s plan.Step) error {
		return k.do(ctx, s, place[s.ID])
	})
}

// do has the host carry a step out by itself.
func (k *confirmedRun) do(ctx context.Context, s plan.Step, n int) error {
	return k.step(ctx, s, k.write, func() error {
		defer k.works(s.Host)()
		if err := k.watchdog(s.Host).Step(ctx, k.id, n, k.limit()); err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		return nil
	})
}

// settle gets the confirmation. left says that the run is left pending on
// purpose.
func (k *confirmedRun) settle(ctx context.Context, c Confirmation) (left bool, err error) {
	if c.Auto {
		return false, k.confirm(ctx, k.plan.Hosts)
	}
	if err := k.extend(ctx, k.plan.Hosts); err != nil {
		return false, err
	}
	if err := k.write(event{Event: evPending}); err != nil {
		return false, err
	}
	if c.Health == nil && c.Asked != nil {
		c.Asked(k.id, c.Within)
	}
	if c.Leave {
		return true, nil
	}
	if c.Health == nil {
		return false, k.wait(ctx, c)
	}
	within, cancel := context.WithTimeoutCause(ctx, c.Within, fmt.Errorf("no end after %s", c.Within))
	defer cancel()
	if err := c.Health(within, k.id); err != nil {
		return false, fmt.Errorf("health check: %w", err)
	}
	return false, k.confirm(ctx, k.plan.Hosts)
}

// extend gives every host its whole time anew.
func (k *confirmedRun) extend(ctx context.Context, hosts []string) error {
	return forEachHost(hosts, func(h string) error { return armed(k.watchdog(h).Extend(ctx, k.id)) })
}

func armed(s *watchdog.State, err error) error {
	switch {
	case err != nil:
	case s.Phase == watchdog.Armed && s.Watchers == 0:
		err = fmt.Errorf("%s: run %s: its watchdogs are gone, killed or ended by a restart", s.Host, s.Run)
	case s.Phase != watchdog.Armed:
		err = fmt.Errorf("%s: run %s is %s there: %w", s.Host, s.Run, s.Phase, watchdog.ErrOver)
	}
	return err
}
