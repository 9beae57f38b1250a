package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// leases is the bucket of leases.
func (s Streams) leases(ctx context.Context) (kv jetstream.KeyValue, err error) {
	err = s.settle(ctx, func(ctx context.Context) error {
		kv, err = s.js.KeyValue(ctx, Leases)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	return kv, nil
}

// Lease gives who has the lease of a zone, as TakeLease wrote it, and its revision; nobody has it at
// revision 0. A lease ends in the queue when it is not taken again in time, by the clock of the server.
func (s Streams) Lease(ctx context.Context, zone string) (holder []byte, revision uint64, err error) {
	kv, err := s.leases(ctx)
	if err != nil {
		return nil, 0, err
	}
	var e jetstream.KeyValueEntry
	err = s.settle(ctx, func(ctx context.Context) error {
		var err error
		e, err = kv.Get(ctx, zone)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("lease: %w", err)
	}
	return e.Value(), e.Revision(), nil
}

// TakeLease takes the lease of a zone, or prolongs it. It fails unless the lease is still as it was at
// revision.
func (s Streams) TakeLease(ctx context.Context, zone string, holder []byte, revision uint64) error {
	kv, err := s.leases(ctx)
	if err != nil {
		return err
	}
	if revision == 0 {
		_, err = kv.Create(ctx, zone, holder)
	} else {
		_, err = kv.Update(ctx, zone, holder, revision)
	}
	if err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	return nil
}

// EndLease ends the lease of a zone. It fails unless the lease is still as it was at revision.
func (s Streams) EndLease(ctx context.Context, zone string, revision uint64) error {
	kv, err := s.leases(ctx)
	if err != nil {
		return err
	}
	err = kv.Purge(ctx, zone, jetstream.LastRevision(revision))
	if err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	return nil
}
