package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
)

// Consumers of a zone's streams.
const (
	Collector = "collector" // of jobs
	Hub       = "hub"       // of results
)

// Buckets of the hub.
const (
	Zones     = "zones"     // by zone: its keys and what it may have
	Hosts     = "hosts"     // by zone: its list
	Sweeps    = "sweeps"    // by id
	Schedules = "schedules" // by name
	Leases    = "leases"    // by zone: each goes when it is not renewed
)

// Outcomes is the stream of what became of each host of a sweep, once.
const Outcomes = "outcomes"

// OutcomeSubject is that of a host's outcome; "*" for all of a sweep.
func OutcomeSubject(sweep, host string) string {
	if host == "*" {
		return "fleet.outcome." + sweep + ".*"
	}
	return "fleet.outcome." + sweep + "." + message.Token(host)
}

// JobsStream holds a zone's jobs.
func JobsStream(zone string) string { return "jobs-" + zone }

// ResultsStream holds a zone's results.
func ResultsStream(zone string) string { return "results-" + zone }

// ChunksStream holds parts of a zone's snapshots.
func ChunksStream(zone string) string { return "chunks-" + zone }

// Bounds of what a zone's streams may hold.
const (
	maxResults  = 200_000
	resultBytes = 512 << 20               // with packs that are not cut into chunks
	maxChunks   = 512 << 20               // bytes
	maxChunk    = message.MaxChunk + 4096 // with its headers
	chunkAge    = 14 * 24 * time.Hour
	repeated    = 10 * time.Minute // within which a message of the same id is one
	heldLong    = 30 * 24 * time.Hour
	resultsHeld = 5 * time.Minute
	// Ahead is how many jobs a collector can hold at once.
	Ahead = 2000
)

// MostSent is how many bytes a result or a chunk may have, with its headers: larger ones are refused.
func MostSent(subject string) int {
	if message.IsChunk(subject) {
		return maxChunk
	}
	return message.MaxMessage
}

// Prepare makes what the hub keeps. Leases are gone after lease.
func Prepare(ctx context.Context, js jetstream.JetStream, lease time.Duration) error {
	for _, bucket := range []string{Zones, Hosts, Sweeps, Schedules} {
		_, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket})
		if err != nil {
			return fmt.Errorf("fleet queue: %s: %w", bucket, err)
		}
	}
	_, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: Leases, TTL: lease})
	if err != nil {
		return fmt.Errorf("fleet queue: leases: %w", err)
	}
	_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: Outcomes, Subjects: []string{"fleet.outcome.*.*"}, AllowDirect: true,
	})
	if err != nil {
		return fmt.Errorf("fleet queue: outcomes: %w", err)
	}
	return nil
}

// AddZone makes the streams of a zone.
func AddZone(ctx context.Context, js jetstream.JetStream, zone string) error {
	for _, config := range []jetstream.StreamConfig{
		{
			Name: JobsStream(zone), Subjects: []string{message.JobsSubject(zone)}, Retention: jetstream.WorkQueuePolicy,
		},
		{
			Name: ResultsStream(zone), Subjects: []string{message.ResultSubject(zone)}, Retention: jetstream.WorkQueuePolicy,
			MaxMsgs: maxResults, MaxBytes: resultBytes, MaxMsgSize: message.MaxMessage, Discard: jetstream.DiscardNew, Duplicates: repeated,
		},
		{
			Name: ChunksStream(zone), Subjects: []string{message.ChunkSubject(zone, "*")}, MaxBytes: maxChunks,
			Discard: jetstream.DiscardNew, MaxAge: chunkAge, AllowDirect: true, MaxMsgSize: maxChunk,
			Duplicates: repeated,
		},
	} {
		_, err := js.CreateOrUpdateStream(ctx, config)
		if err != nil {
			return fmt.Errorf("zone %s: %w", zone, err)
		}
	}
	err := addHub(ctx, js, zone)
	if err != nil {
		return err
	}
	return addCollector(ctx, js, zone)
}

func addHub(ctx context.Context, js jetstream.JetStream, zone string) error {
	_, err := js.CreateOrUpdateConsumer(ctx, ResultsStream(zone), jetstream.ConsumerConfig{
		Durable: Hub, AckPolicy: jetstream.AckExplicitPolicy, AckWait: resultsHeld, MaxAckPending: 4096,
	})
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return nil
}

// TakeBack makes the results that a hub held, which is at work no more, ready for this one.
func TakeBack(ctx context.Context, js jetstream.JetStream, zone string) error {
	err := js.DeleteConsumer(ctx, ResultsStream(zone), Hub)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return addHub(ctx, js, zone)
}

func addCollector(ctx context.Context, js jetstream.JetStream, zone string) error {
	_, err := js.CreateOrUpdateConsumer(ctx, JobsStream(zone), jetstream.ConsumerConfig{
		Durable: Collector, AckPolicy: jetstream.AckExplicitPolicy, AckWait: heldLong, MaxAckPending: Ahead,
	})
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return nil
}

// GiveBack makes the jobs that a zone's collector held ready for another one.
func GiveBack(ctx context.Context, js jetstream.JetStream, zone string) error {
	err := js.DeleteConsumer(ctx, JobsStream(zone), Collector)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return addCollector(ctx, js, zone)
}

// RemoveZone removes the streams of a zone with all that is in them.
func RemoveZone(ctx context.Context, js jetstream.JetStream, zone string) error {
	for _, name := range []string{JobsStream(zone), ResultsStream(zone), ChunksStream(zone)} {
		err := js.DeleteStream(ctx, name)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("zone %s: %w", zone, err)
		}
	}
	return nil
}

// Exists reports whether a publication failed since its subject has a message already.
func Exists(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// Full reports whether a request failed since the disk of the server takes nothing more.
func Full(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	return strings.Contains(api.Description, syscall.ENOSPC.Error()) || strings.Contains(api.Description, syscall.EDQUOT.Error())
}
