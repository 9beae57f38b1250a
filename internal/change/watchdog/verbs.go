package watchdog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/remote"
)

// Begin puts a job on the host, takes the host's lock and starts the
// watchdog. Nothing is changed yet.
func (k Client) Begin(ctx context.Context, j Job) (*State, error) {
	for _, id := range []string{j.ID, cmp.Or(j.Under, j.ID)} {
		if !runID.MatchString(id) {
			return nil, fmt.Errorf("run %q: not an id", id)
		}
	}
	script, err := j.install(k.base(), k.store())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Host.Name(), err)
	}
	return one(k.call(ctx, k.Host, script, time.Minute))
}

// Step runs task n (from 1). The host carries it through even if the
// connection is lost, as it is when a step takes the interface down that the
// login came in through; Step then asks over a new one how it ended.
func (k Client) Step(ctx context.Context, id string, n int, limit time.Duration) error {
	place := " " + strconv.Itoa(n)
	// Longer than the host's own limit: the host's word is the better one.
	r, err := k.ask(ctx, id, "start"+place, "result"+place, patience, limit+30*time.Second)
	if err != nil {
		return err
	}
	switch code, ok := r.steps[n]; {
	case !ok:
		return fmt.Errorf("%s: the host does not say how the step ended", k.Host.Name())
	case code == "0":
		return nil
	case code == "none":
		return fmt.Errorf("%s: the step was stopped before its end: %s", k.Host.Name(), remote.Brief(strings.Join(r.output, "; ")))
	}
	return fmt.Errorf("%s: %s", k.Host.Name(), remote.Brief(strings.Join(r.output, "; ")))
}

// patience is how long one question may take before a new connection is tried.
const patience = 20 * time.Second

func lost(err error) bool {
	return errors.Is(err, remote.ErrLost) || errors.Is(err, remote.ErrTimeout) || errors.Is(err, remote.ErrUnreachable)
}

// ask has a run that is on the host answer a verb, and as long as connections
// are lost, within all, another one.
func (k Client) ask(ctx context.Context, id, verb, after string, limit, within time.Duration) (*reply, error) {
	if !runID.MatchString(id) {
		return nil, fmt.Errorf("run %q: not an id", id)
	}
	question := func(verb string) string {
		return call("ask", map[string]any{"Base": k.base(), "Store": k.store(), "ID": id, "Verb": verb})
	}
	deadline := time.Now().Add(within)
	r, err := k.call(ctx, k.Host, question(verb), limit)
	for lost(err) && time.Now().Before(deadline) && ctx.Err() == nil {
		r, err = k.again(ctx, question(after))
	}
	return r, err
}

// again asks over a new connection.
func (k Client) again(ctx context.Context, script string) (*reply, error) {
	h := k.Host
	if k.Dial != nil {
		var err error
		if h, err = k.Dial(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", k.Host.Name(), remote.ErrUnreachable, err)
		}
		defer h.Close()
	}
	r, err := k.call(ctx, h, script, patience)
	if lost(err) {
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	return r, err
}

// Extend starts the count again.
func (k Client) Extend(ctx context.Context, id string) (*State, error) {
	return k.verb(ctx, id, "extend")
}

// Confirm makes the change stay. The state says whether it came in time.
func (k Client) Confirm(ctx context.Context, id string) (*State, error) {
	return k.verb(ctx, id, "confirm")
}

// Show asks for the state of one run.
func (k Client) Show(ctx context.Context, id string) (*State, error) {
	return k.verb(ctx, id, "show")
}

// Revert restores the earlier values, of a run that was confirmed too, and
// waits until the host has done so. It may be asked again and again.
func (k Client) Revert(ctx context.Context, id string) (*State, error) {
	return k.verb(ctx, id, "revert")
}

// Leave gives back the host's lock that a job without tasks holds.
func (k Client) Leave(ctx context.Context, id string) error {
	_, err := k.verb(ctx, id, "leave")
	return err
}

// revertPatience bounds all attempts to reach a host that is to be reverted:
// longer than a reboot takes, and than an EtherChannel to come back.
const revertPatience = 5 * time.Minute

func (k Client) verb(ctx context.Context, id, verb string) (*State, error) {
	limit, within := patience, 30*time.Second
	if verb == "revert" {
		limit, within = time.Minute, revertPatience
	}
	return one(k.ask(ctx, id, verb, verb, limit, within))
}

// Runs lists the runs that the host knows of, old ones too.
func (k Client) Runs(ctx context.Context) ([]State, error) {
	r, err := k.call(ctx, k.Host, k.all(), patience)
	if err != nil {
		return nil, err
	}
	return r.states, nil
}

func one(r *reply, err error) (*State, error) {
	if err != nil {
		return nil, err
	}
	if len(r.states) == 0 {
		return nil, errors.New("the host does not say what state the run is in")
	}
	return &r.states[0], nil
}
