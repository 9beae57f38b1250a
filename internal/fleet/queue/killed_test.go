package queue_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// lead makes a server the leader of a stream.
func lead(t *testing.T, js jetstream.JetStream, nc *nats.Conn, stream, member string) {
	t.Helper()
	await.Until(t, member+" leads "+stream, func() bool {
		s, err := js.Stream(t.Context(), stream)
		if err != nil || s.CachedInfo().Cluster == nil {
			return false
		}
		if s.CachedInfo().Cluster.Leader == member {
			return true
		}
		// Refused while that member lags.
		_, _ = nc.Request("$JS.API.STREAM.LEADER.STEPDOWN."+stream, fmt.Appendf(nil, `{"placement":{"preferred":%q}}`, member), within)
		return false
	})
}

// A server dies while results are being sent: that of all streams, or the leader of a cluster.
func testKilled(t *testing.T, y *system, token *trust.Token) {
	zone, victim := token.User, len(y.servers)-1
	subjects := makeJobs(t, y, zone, 9)
	_, streams := y.inside(t, 0)
	err := streams.TakeLease(t.Context(), zone, []byte("holder"), 0)
	if err != nil {
		t.Fatal(err)
	}
	_, own := y.login(t, token, 0)
	for _, m := range taken(t, own, queue.JobsStream(zone), queue.Collector, len(subjects))[:4] {
		acknowledge(t, m)
		subjects = slices.DeleteFunc(subjects, func(s string) bool { return s == m.Subject() })
	}
	y.stop(victim)
	dying := y.startChild(t, victim)
	if victim > 0 {
		js, _ := y.inside(t, 0)
		for _, stream := range []string{queue.ResultsStream(zone), queue.JobsStream(zone), "KV_" + queue.Leases} {
			lead(t, js, js.Conn(), stream, y.seats[victim].Member)
		}
	}
	want := sendWhile(t, token, func() {
		dying.kill(t)
		if victim > 0 {
			return // the others go on
		}
		err := y.start(t.Context(), victim)
		if err != nil {
			t.Fatal(err)
		}
	})
	if victim > 0 {
		err = y.start(t.Context(), victim)
		if err != nil {
			t.Fatal(err)
		}
	}
	js, _ := y.inside(t, victim)
	caughtUp(t, js, queue.ResultsStream(zone), len(y.servers))
	holds(t, js, queue.ResultsStream(zone), uint64(len(want)))
	_, resent := y.login(t, token, victim) // by a collector that was killed before it knew
	for _, id := range want {
		ack := stored(t, resent, message.ResultSubject(zone), []byte(id), jetstream.WithMsgID(id))
		if !ack.Duplicate {
			t.Errorf("%s: stored again, as message %d", id, ack.Sequence)
		}
	}
	var got []string
	for _, m := range taken(t, js, queue.ResultsStream(zone), queue.Hub, len(want)) {
		got = append(got, string(m.Data()))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("results: got %v, want %v", got, want)
	}
	_, streams = y.inside(t, victim)
	err = streams.GiveBack(t.Context(), zone)
	if err != nil {
		t.Fatal(err)
	}
	again := subjectsOf(taken(t, second(t, y, token, victim), queue.JobsStream(zone), queue.Collector, len(subjects)))
	if !slices.Equal(again, slices.Sorted(slices.Values(subjects))) {
		t.Errorf("jobs: got %v, want %v", again, subjects)
	}
	has, revision, err := streams.Lease(t.Context(), zone)
	if err != nil || string(has) != "holder" || revision == 0 {
		t.Errorf("lease: got %q at %d, %v", has, revision, err)
	}
}

// sendWhile sends results until a server has died in the midst, and gives those that were
// acknowledged, sorted. Each is sent with the same id until it is.
func sendWhile(t *testing.T, token *trust.Token, die func()) (acknowledged []string) {
	t.Helper()
	const senders, least, after = 4, 40, 10
	var mu sync.Mutex
	all := map[string]bool{}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(all)
	}
	var died atomic.Bool
	var over sync.WaitGroup
	for i := range senders {
		_, js := dial(t, token, nats.ReconnectWait(20*time.Millisecond), nats.ReconnectJitter(0, 0))
		over.Go(func() {
			for n, left := 0, after; left > 0 && !t.Failed(); n++ {
				id := fmt.Sprintf("sender %d result %04d", i, n)
				stored(t, js, message.ResultSubject(token.User), []byte(id), jetstream.WithMsgID(id))
				mu.Lock()
				all[id] = true
				mu.Unlock()
				if died.Load() {
					left--
				}
			}
		})
	}
	await.Until(t, "some results are acknowledged", func() bool { return count() >= least })
	die()
	died.Store(true)
	over.Wait()
	return slices.Sorted(maps.Keys(all))
}

// caughtUp waits until all servers have what the leader of a stream has.
func caughtUp(t *testing.T, js jetstream.JetStream, stream string, servers int) {
	t.Helper()
	await.Until(t, "all servers have all of "+stream, func() bool {
		s, err := js.Stream(t.Context(), stream)
		if err != nil {
			return false
		}
		c := s.CachedInfo().Cluster
		if servers == 1 {
			return true
		}
		return c.Leader != "" && len(c.Replicas) == servers-1 &&
			!slices.ContainsFunc(c.Replicas, func(p *jetstream.PeerInfo) bool { return !p.Current || p.Offline || p.Lag > 0 })
	})
}
