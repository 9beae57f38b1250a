package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/change/watchdog"
)

// confirm makes the run stay on all hosts, or on none: first every host gets
// its whole time anew, so that none takes the change back while the others
// are asked.
func (k *confirmedRun) confirm(ctx context.Context, hosts []string) error {
	if err := k.extend(ctx, hosts); err != nil {
		return err
	}
	return forEachHost(hosts, func(h string) error {
		s, err := k.watchdog(h).Confirm(ctx, k.id)
		if err == nil && s.Phase != watchdog.Confirmed {
			err = fmt.Errorf("%s: run %s is %s: the confirmation came too late: %w", h, k.id, s.Phase, ErrNotConfirmed)
		}
		return err
	})
}

// poll is how often a waiting apply asks its hosts.
const poll = 500 * time.Millisecond

// wait waits until somebody has confirmed, or the hosts have taken it back.
func (k *confirmedRun) wait(ctx context.Context, c Confirmation) error {
	heard := time.Now()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped while waiting for the confirmation: %w", context.Cause(ctx))
		case <-time.After(poll):
		}
		states, err := k.states(ctx, k.plan.Hosts)
		if err != nil {
			// The hosts count by themselves; give them time to be reached again.
			if time.Since(heard) > c.Within+2*time.Minute {
				return err
			}
			continue
		}
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
				return fmt.Errorf("%s: %w: %s", s.Host, ErrNotConfirmed, strings.Join(s.Log, "; "))
			}
		}
		if confirmed == len(states) {
			return nil
		}
	}
}

func (k *confirmedRun) states(ctx context.Context, hosts []string) ([]watchdog.State, error) {
	states := make([]watchdog.State, len(hosts))
	return states, forEachHost(hosts, func(h string) error {
		s, err := k.watchdog(h).Show(ctx, k.id)
		if err == nil {
			states[slices.Index(hosts, h)] = *s
		}
		return err
	})
}
