package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
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

// Streams makes and removes the streams of a queue, with their consumers and buckets. What fails in a
// cluster while its members agree on a leader is tried again, for half a minute at most.
type Streams struct {
	js       jetstream.JetStream
	replicas int
}

// Streams are those of this server, by a connection of Connect.
func (s *Server) Streams(js jetstream.JetStream) Streams {
	return Streams{js: js, replicas: s.replicas}
}

// direct reports whether any replica may answer a question. In a cluster only the leader may, since
// the others may not have what was acknowledged yet.
func (s Streams) direct() bool { return s.replicas == 1 }

// Prepare makes what the hub keeps. Leases are gone after lease.
func (s Streams) Prepare(ctx context.Context, lease time.Duration) error {
	for _, bucket := range []jetstream.KeyValueConfig{
		{Bucket: Zones}, {Bucket: Hosts}, {Bucket: Sweeps}, {Bucket: Schedules}, {Bucket: Leases, TTL: lease},
	} {
		err := s.addBucket(ctx, bucket)
		if err != nil {
			return fmt.Errorf("fleet queue: %s: %w", bucket.Bucket, err)
		}
	}
	err := s.addStream(ctx, jetstream.StreamConfig{Name: Outcomes, Subjects: []string{"fleet.outcome.*.*"}, AllowDirect: true})
	if err != nil {
		return fmt.Errorf("fleet queue: outcomes: %w", err)
	}
	return nil
}

func (s Streams) addBucket(ctx context.Context, config jetstream.KeyValueConfig) error {
	config.Replicas = s.replicas
	return s.settle(ctx, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateKeyValue(ctx, config)
		if err != nil || s.direct() {
			return err
		}
		stream, err := s.js.Stream(ctx, "KV_"+config.Bucket)
		if err != nil {
			return err
		}
		of := stream.CachedInfo().Config
		of.AllowDirect = false
		_, err = s.js.UpdateStream(ctx, of)
		return err
	})
}

func (s Streams) addStream(ctx context.Context, config jetstream.StreamConfig) error {
	config.Replicas = s.replicas
	config.AllowDirect = config.AllowDirect && s.direct()
	return s.settle(ctx, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateStream(ctx, config)
		return err
	})
}

func (s Streams) addConsumer(ctx context.Context, stream string, config jetstream.ConsumerConfig) error {
	config.Replicas = s.replicas
	return s.settle(ctx, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateConsumer(ctx, stream, config)
		return err
	})
}

// removeConsumer removes a consumer, and makes what it held ready for the next one.
func (s Streams) removeConsumer(ctx context.Context, stream, name string) error {
	s.awaitAcks(ctx, stream, name)
	return s.settle(ctx, func(ctx context.Context) error {
		err := s.js.DeleteConsumer(ctx, stream, name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			return nil
		}
		return err
	})
}

// ackWait is how long what was acknowledged may take to leave the stream.
const ackWait = 5 * time.Second

// awaitAcks waits until a stream is rid of what its consumer has had acknowledged. In a cluster an
// acknowledgement is stored with the consumer first, and removes the message a moment later: with
// the consumer gone before, the message would stay and be given again.
func (s Streams) awaitAcks(ctx context.Context, stream, name string) {
	if s.replicas == 1 {
		return
	}
	ctx, done := context.WithTimeout(ctx, ackWait)
	defer done()
	tick := time.NewTicker(settleTick)
	defer tick.Stop()
	for !s.acksDone(ctx, stream, name) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// acksDone reports whether each message of a stream is one that its consumer has yet to give, or
// gave and had not acknowledged, and whether no replica lags.
func (s Streams) acksDone(ctx context.Context, stream, name string) bool {
	of, err := s.js.Stream(ctx, stream)
	if err != nil {
		return errors.Is(err, jetstream.ErrStreamNotFound)
	}
	c, err := of.Consumer(ctx, name)
	if err != nil {
		return errors.Is(err, jetstream.ErrConsumerNotFound)
	}
	there, left := of.CachedInfo(), c.CachedInfo()
	if there.Cluster != nil {
		for _, p := range there.Cluster.Replicas {
			if !p.Offline && (p.Lag > 0 || !p.Current) {
				return false
			}
		}
	}
	return there.State.Msgs <= left.NumPending+uint64(left.NumAckPending)
}

// AddZone makes the streams of a zone.
func (s Streams) AddZone(ctx context.Context, zone string) error {
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
		err := s.addStream(ctx, config)
		if err != nil {
			return fmt.Errorf("zone %s: %w", zone, err)
		}
	}
	err := s.addHub(ctx, zone)
	if err != nil {
		return err
	}
	return s.addCollector(ctx, zone)
}

func (s Streams) addHub(ctx context.Context, zone string) error {
	err := s.addConsumer(ctx, ResultsStream(zone), jetstream.ConsumerConfig{
		Durable: Hub, AckPolicy: jetstream.AckExplicitPolicy, AckWait: resultsHeld, MaxAckPending: 4096,
	})
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return nil
}

// TakeBack makes the results that a hub held, which is at work no more, ready for this one.
func (s Streams) TakeBack(ctx context.Context, zone string) error {
	err := s.removeConsumer(ctx, ResultsStream(zone), Hub)
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return s.addHub(ctx, zone)
}

func (s Streams) addCollector(ctx context.Context, zone string) error {
	err := s.addConsumer(ctx, JobsStream(zone), jetstream.ConsumerConfig{
		Durable: Collector, AckPolicy: jetstream.AckExplicitPolicy, AckWait: heldLong, MaxAckPending: Ahead,
	})
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return nil
}

// GiveBack makes the jobs that a zone's collector held ready for another one.
func (s Streams) GiveBack(ctx context.Context, zone string) error {
	err := s.removeConsumer(ctx, JobsStream(zone), Collector)
	if err != nil {
		return fmt.Errorf("zone %s: %w", zone, err)
	}
	return s.addCollector(ctx, zone)
}

// RemoveZone removes the streams of a zone with all that is in them.
func (s Streams) RemoveZone(ctx context.Context, zone string) error {
	for _, name := range []string{JobsStream(zone), ResultsStream(zone), ChunksStream(zone)} {
		err := s.settle(ctx, func(ctx context.Context) error {
			err := s.js.DeleteStream(ctx, name)
			if errors.Is(err, jetstream.ErrStreamNotFound) {
				return nil
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("zone %s: %w", zone, err)
		}
	}
	return nil
}

const (
	settleWait = 30 * time.Second // elections take 4 to 9 s
	settleTry  = 5 * time.Second
	settleTick = 50 * time.Millisecond
)

// settle does something, in a cluster until it does not fail for a reason that passes.
func (s Streams) settle(ctx context.Context, act func(ctx context.Context) error) error {
	if s.replicas == 1 {
		return act(ctx)
	}
	tick := time.NewTicker(settleTick)
	defer tick.Stop()
	for began := time.Now(); ; {
		within, done := context.WithTimeout(ctx, settleTry)
		err := act(within)
		done()
		if err == nil || !passes(err) || time.Since(began) > settleWait {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

// Errors of a cluster that has no leader, or too few members, for the moment.
const (
	errNoPeers       = 10005
	errNotAvailable  = 10008
	errMemberChanges = 10202
)

// passes reports whether a cluster may do a moment later what it failed to do.
func passes(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return slices.Contains([]jetstream.ErrorCode{errNoPeers, errNotAvailable, errMemberChanges}, api.ErrorCode)
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders)
}

// Exists reports whether a publication failed since its subject has a message already.
func Exists(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// errSameID is when a cluster is about to store a message of the same id.
const errSameID = 10158

// Busy reports whether a publication failed since a cluster is about to store another message of the
// same subject, or the same message. Whether it will is not known yet: publish again.
func Busy(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant || api.ErrorCode == errSameID)
}

// Full reports whether a request failed since the disk of the server takes nothing more.
func Full(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	return strings.Contains(api.Description, syscall.ENOSPC.Error()) || strings.Contains(api.Description, syscall.EDQUOT.Error())
}
