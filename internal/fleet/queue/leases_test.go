package queue_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// term is a time in which a claimant takes the lease to be its own.
type term struct {
	who         string
	from, until time.Time
}

// claim takes a lease as a hub does, whenever nobody else has it, and prolongs it a few times.
func claim(ctx context.Context, streams queue.Streams, zone, who string, length time.Duration) (terms []term, err error) {
	tick := time.NewTicker(length / 20)
	defer tick.Stop()
	for len(terms) < 3 {
		select {
		case <-ctx.Done():
			return terms, fmt.Errorf("%s had the lease %d times: %w", who, len(terms), context.Cause(ctx))
		case <-tick.C:
		}
		asked := time.Now()
		has, revision, err := streams.Lease(ctx, zone)
		if err != nil {
			return terms, err
		}
		if revision > 0 && string(has) != who {
			continue
		}
		err = streams.TakeLease(ctx, zone, []byte(who), revision)
		if err == nil { // else another one was faster
			terms = append(terms, term{who, time.Now(), asked.Add(length * 9 / 10)}) // as a collector counts
		}
	}
	return terms, nil
}

func testLease(t *testing.T, y *system, token *trust.Token) {
	const claimants, length = 3, 800 * time.Millisecond
	zone := token.User
	_, streams := y.inside(t, 0)
	err := streams.Prepare(t.Context(), length)
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithTimeout(t.Context(), await.Limit)
	defer done()
	var mu sync.Mutex
	var all []term
	var group errgroup.Group
	for i := range claimants {
		_, streams := y.inside(t, i)
		group.Go(func() error {
			terms, err := claim(ctx, streams, zone, fmt.Sprint("collector ", i), length)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, terms...)
			return err
		})
	}
	err = group.Wait()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		for _, b := range all {
			if a.who != b.who && a.from.Before(b.until) && b.from.Before(a.until) {
				t.Errorf("%s and %s held it at once: %s to %s, and %s to %s", a.who, b.who, a.from, a.until, b.from, b.until)
			}
		}
	}
	testLeaseEnds(t, y, zone)
}

// A lease that is given up is another's at once. One who saw an earlier state of it changes nothing.
func testLeaseEnds(t *testing.T, y *system, zone string) {
	_, streams := y.inside(t, 0)
	err := streams.Prepare(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	_, others := y.inside(t, 1)
	zone += "-other"
	for _, step := range []struct {
		what string
		do   func() error
		ok   bool
	}{
		{"taking it", func() error { return streams.TakeLease(t.Context(), zone, []byte("a"), 0) }, true},
		{"taking another's", func() error { return others.TakeLease(t.Context(), zone, []byte("b"), 0) }, false},
		{"ending another's", func() error { return others.EndLease(t.Context(), zone, 1) }, false},
		{"ending it", func() error {
			_, revision, err := streams.Lease(t.Context(), zone)
			return errors.Join(err, streams.EndLease(t.Context(), zone, revision))
		}, true},
		{"taking it after that", func() error { return others.TakeLease(t.Context(), zone, []byte("b"), 0) }, true},
	} {
		err := step.do()
		if (err == nil) != step.ok {
			t.Errorf("%s: got %v", step.what, err)
		}
	}
	has, _, err := streams.Lease(t.Context(), zone)
	if err != nil || string(has) != "b" {
		t.Errorf("got %q, %v", has, err)
	}
}
