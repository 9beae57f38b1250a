package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// leaderBucket has the one hub that is at work, as long as it renews that.
const leaderBucket, leaderKey = "leader", "hub"

// campaign waits until no other hub is at work, and works as long as none takes its place.
func (h *Hub) campaign(ctx context.Context) error {
	kv, err := h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: leaderBucket, Replicas: h.o.Queue.Replicas, TTL: leadership})
	if err != nil {
		return fmt.Errorf("hub: %w", err)
	}
	for ctx.Err() == nil {
		within, done := context.WithTimeout(ctx, leadership/3)
		revision, err := kv.Create(within, leaderKey, nil)
		done()
		if err == nil {
			err = h.lead(ctx, kv, revision)
			if err != nil {
				return err
			}
			continue
		}
		wait(ctx, tickEvery)
	}
	return nil
}

// lead works until the lead is lost.
func (h *Hub) lead(ctx context.Context, kv jetstream.KeyValue, revision uint64) error {
	working, lost := context.WithCancel(ctx)
	defer lost()
	ended := make(chan error, 1)
	go func() { ended <- h.work(working) }()
	renewed := time.Now()
	tick := time.NewTicker(leadership / 5)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			h.retire(ctx, kv, revision)
			return err
		case <-tick.C:
		}
		at := time.Now()
		within, done := context.WithTimeout(ctx, leadership/5)
		next, err := kv.Update(within, leaderKey, nil, revision)
		done()
		if err == nil {
			renewed, revision = at, next
			continue
		}
		if time.Since(renewed) > leadership*3/5 || errors.Is(err, jetstream.ErrKeyExists) {
			lost()
			return <-ended
		}
	}
}

// retire lets another hub take over at once.
func (h *Hub) retire(ctx context.Context, kv jetstream.KeyValue, revision uint64) {
	within, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	_ = kv.Purge(within, leaderKey, jetstream.LastRevision(revision)) // else it ends by itself
}
