package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
)

// Confirmation says how a run comes to stay.
type Confirmation struct {
	// Within is how long each host waits for a word before it takes everything
	// back by itself: counted again from every step, and from the moment that
	// all is done and verified. 0: no host takes anything back, the run stays.
	Within time.Duration
	// Health decides instead of a person: nil confirms, an error rolls back.
	Health func(ctx context.Context, run string) error
	Auto   bool // verified over a new connection is enough
	Leave  bool // return as soon as all is verified; somebody confirms later
	// Under is a pending run of this program that this one is made beside: each host takes both back by
	// itself. They change different attributes. Empty: another run that is pending on a host refuses this one.
	Under string
	// Asked is called once that the hosts wait for a confirmation; may be nil.
	Asked func(run string, within time.Duration)
}

// ErrNotConfirmed says that a run was taken back because it was not confirmed.
var ErrNotConfirmed = errors.New("not confirmed in time")

// arm starts a job on every host; with a time to confirm, the host gets its watchdog.
// Nothing is changed yet.
func (k *attempt) arm(ctx context.Context, hosts []string, job watchdog.Job) error {
	job.Plan, job.Hosts, job.Limit = string(k.plan.ID), k.plan.Hosts, k.limit()
	return forEachHost(hosts, func(host string) error {
		own := job
		if k.within > 0 {
			steps, _ := k.plan.Of(host)
			for _, s := range steps {
				own.Tasks = append(own.Tasks, s.Task)
			}
		}
		_, err := k.watchdog(host).Begin(ctx, own)
		return err
	})
}

// byHost has the host carry a step out by itself.
func (k *attempt) byHost(ctx context.Context, s plan.Step) error {
	steps, _ := k.plan.Of(s.Host)
	n := slices.IndexFunc(steps, func(o plan.Step) bool { return o.ID == s.ID })
	if err := k.watchdog(s.Host).Step(ctx, k.id, n+1, k.limit()); err != nil {
		return fmt.Errorf("%s: %w", s.ID, err)
	}
	return nil
}

// alive gives every host its time again, again and again, until the function
// that it returns is called: a host that is done waits for the others and for
// the verification, and must not take its part back while this program is at
// work. Should this program be stopped or killed, the hosts count from its last
// word. A host with a step under way has time of its own, and says so.
func (k *attempt) alive(ctx context.Context, run string, within time.Duration, hosts []string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, host := range hosts {
		all.Go(func() {
			for pause(ctx, within/4) == nil {
				// A host that does not hear it says so at its next step.
				_, _ = k.watchdog(host).Extend(ctx, run)
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// awaitConfirmation waits for the answer of anyone who confirms. left says that the run is left pending on
// purpose.
func (k *attempt) awaitConfirmation(ctx context.Context, c Confirmation) (left bool, err error) {
	if c.Auto {
		return false, k.extendAndConfirm(ctx)
	}
	if err := k.extend(ctx, k.plan.Hosts); err != nil {
		return false, err
	}
	if err := k.journal.write(event{Event: evPending}); err != nil {
		return false, err
	}
	if c.Health == nil && c.Asked != nil {
		c.Asked(k.id, c.Within)
	}
	if c.Leave {
		return true, nil
	}
	if c.Health == nil {
		return false, k.wait(ctx)
	}
	within, cancel := context.WithTimeoutCause(ctx, c.Within, fmt.Errorf("no end after %s", c.Within))
	defer cancel()
	if err := c.Health(within, k.id); err != nil {
		return false, fmt.Errorf("health check: %w", err)
	}
	return false, k.extendAndConfirm(ctx)
}

// extend gives every host its whole time again.
func (k *attempt) extend(ctx context.Context, hosts []string) error {
	return forEachHost(hosts, func(h string) error { return armed(k.watchdog(h).Extend(ctx, k.id)) })
}

func armed(s *watchdog.State, err error) error {
	switch {
	case err != nil:
	case s.Phase == watchdog.Armed && s.Watchers == 0:
		err = fmt.Errorf("%s: run %s: its watchdogs are gone, killed or ended by a reboot", s.Host, s.Run)
	case s.Phase != watchdog.Armed:
		err = fmt.Errorf("%s: run %s is %s there: %w", s.Host, s.Run, s.Phase, watchdog.ErrOver)
	}
	return err
}

// extendAndConfirm gives every host its whole time first, so that none takes the change
// back while the others are asked. On an error the caller takes back what was confirmed.
func (k *attempt) extendAndConfirm(ctx context.Context) error {
	if err := k.extend(ctx, k.plan.Hosts); err != nil {
		return err
	}
	return k.confirm(ctx, k.plan.Hosts, k.within)
}

// confirm makes the run stay on hosts that count down from within. A host that does not
// answer is asked until its time is over: only then is it certain that it took its part back.
func (k *attempt) confirm(ctx context.Context, hosts []string, within time.Duration) error {
	over := time.Now().Add(within)
	return shown(ctx, "confirming", hosts, func(h string) error { return confirmHost(ctx, k.watchdog(h), k.id, over) })
}

func confirmHost(ctx context.Context, c watchdog.Client, run string, over time.Time) error {
	host := c.Host.Name()
	for {
		s, err := c.Confirm(ctx, run)
		switch {
		case err == nil && s.Phase == watchdog.Confirmed:
			return nil
		case err == nil && s.Phase != watchdog.Armed:
			return fmt.Errorf("%s: run %s is %s: the confirmation came too late: %w", host, run, s.Phase, ErrNotConfirmed)
		case errors.Is(err, watchdog.ErrNoRun):
			return err
		case err == nil:
			err = fmt.Errorf("%s: run %s is still pending after a confirmation", host, run)
		}
		if !time.Now().Before(over) {
			return fmt.Errorf("%w: %w", ErrNotConfirmed, err)
		}
		if stop := pause(ctx, poll); stop != nil {
			return errors.Join(err, stop)
		}
	}
}

// poll is how often a waiting apply asks its hosts.
const poll = 500 * time.Millisecond

// wait waits until somebody has confirmed, or the hosts have taken it back.
func (k *attempt) wait(ctx context.Context) error {
	heard := time.Now()
	shown := progress.Begin(ctx, "waiting for seaworthy confirm "+k.id, "", 0)
	shown.Until(heard.Add(k.within))
	defer shown.End()
	var silent error // why a host said nothing when it was last asked
	for {
		if err := pause(ctx, poll); err != nil {
			return errors.Join(fmt.Errorf("stopped while waiting for the confirmation: %w", err), silent)
		}
		states, err := k.states(ctx, k.plan.Hosts)
		if ctx.Err() != nil {
			continue
		}
		silent = err
		if err != nil {
			shown.Now(err.Error())
			// The hosts count by themselves; give them time to be reached again.
			if time.Since(heard) > k.within+2*time.Minute {
				return err
			}
			continue
		}
		shown.Now("")
		heard = time.Now()
		confirmed := 0
		for _, s := range states {
			switch s.Phase {
			case watchdog.Confirmed:
				confirmed++
			case watchdog.Armed:
				if err := armed(&s, nil); err != nil {
					return err
				}
			default:
				return fmt.Errorf("%s: %w: %s", s.Host, ErrNotConfirmed, outcome(s.Log))
			}
		}
		if confirmed == len(states) {
			return nil
		}
	}
}

// outcome returns what a host noted of taking a run back: its last line, where that says
// that all went well, else all but the reason, which is known.
func outcome(log []string) string {
	if n := len(log); n > 0 {
		if when, ok := strings.CutSuffix(log[n-1], " restored"); ok {
			if strings.Contains(strings.Join(log, " "), "files were removed") {
				return "its files were removed from the host, and the earlier values are back since " + when
			}
			return "the earlier values are back since " + when
		}
	}
	return strings.ReplaceAll(strings.Join(log, "; "), ": "+ErrNotConfirmed.Error(), "")
}

func (k *attempt) states(ctx context.Context, hosts []string) ([]watchdog.State, error) {
	return gather(context.Background(), "", hosts, func(h string) (watchdog.State, error) {
		s, err := k.watchdog(h).Show(ctx, k.id)
		if err != nil {
			return watchdog.State{}, err
		}
		return *s, nil
	})
}
