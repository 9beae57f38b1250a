package queue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// cases are what a fleet relies on. Each has a zone of its own.
var cases = []struct {
	zone string
	what string
	test func(t *testing.T, y *system, token *trust.Token)
}{
	{"copies", "everything is on as many servers as it should be", testCopies},
	{"shared", "a job is given once, to one of several collectors", testJobOnce},
	{"back", "a job that is not acknowledged is given again, one that is is not", testGiveBack},
	{"twice", "results of the same id are one", testSameID},
	{"first", "a subject takes one message", testOneMessage},
	{"lease", "two never hold a lease at once", testLease},
	{"evil", "a zone may do nothing else", testPermissions},
	{"dropped", "a key that was replaced is refused", testDropped},
	{"full", "bounds refuse, and drop nothing", testBounds},
	{"killed", "what was acknowledged is there after a server was killed", testKilled},
}

// A queue does the same on one server and on a cluster of three.
func TestConformance(t *testing.T) {
	for _, x := range []struct {
		name    string
		servers int
	}{{"embedded", 1}, {"cluster of three", 3}} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			y := newSystem(t, x.servers)
			_, streams := y.inside(t, 0)
			err := streams.Prepare(t.Context(), time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				t.Run(c.what, func(t *testing.T) {
					c.test(t, y, y.zone(t, c.zone))
					_, streams := y.inside(t, 0)
					err := streams.RemoveZone(t.Context(), c.zone)
					if err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

func testCopies(t *testing.T, y *system, token *trust.Token) {
	js, _ := y.inside(t, 0)
	want := len(y.servers)
	found := map[string]bool{}
	all := js.ListStreams(t.Context())
	for s := range all.Info() {
		found[s.Config.Name] = true
		if s.Config.Replicas != want {
			t.Errorf("stream %s: got %d replicas, want %d", s.Config.Name, s.Config.Replicas, want)
		}
		if s.Config.AllowDirect && want > 1 {
			t.Errorf("stream %s: any replica answers, also one that lags", s.Config.Name)
		}
		consumers := streamOf(t, js, s.Config.Name).ListConsumers(t.Context())
		for c := range consumers.Info() {
			found[s.Config.Name+" "+c.Name] = true
			if c.Config.Replicas != want {
				t.Errorf("consumer %s of %s: got %d replicas, want %d", c.Name, s.Config.Name, c.Config.Replicas, want)
			}
		}
		if err := consumers.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
	zone := token.User
	for _, name := range []string{
		"KV_" + queue.Zones, "KV_" + queue.Hosts, "KV_" + queue.Sweeps, "KV_" + queue.Schedules, "KV_" + queue.Leases, queue.Outcomes,
		queue.JobsStream(zone), queue.JobsStream(zone) + " " + queue.Collector, queue.ResultsStream(zone),
		queue.ResultsStream(zone) + " " + queue.Hub, queue.ChunksStream(zone),
	} {
		if !found[name] {
			t.Errorf("%s: there is none", name)
		}
	}
}

// makeJobs makes a job for each of so many hosts, by as many servers as there are.
func makeJobs(t *testing.T, y *system, zone string, n int) (subjects []string) {
	t.Helper()
	for i := range n {
		js, _ := y.inside(t, i)
		subject := message.JobSubject(zone, fmt.Sprintf("host%02d", i))
		stored(t, js, subject, []byte("{}"), jetstream.WithExpectLastSequencePerSubject(0))
		subjects = append(subjects, subject)
		if i < len(y.servers) { // a host has one job
			_, err := publish(t, js, subject, []byte("{}"), jetstream.WithExpectLastSequencePerSubject(0))
			if !queue.Exists(err) {
				t.Errorf("a second job of a host: got %v", err)
			}
		}
	}
	return subjects
}

// subjectsOf are the subjects of messages, sorted.
func subjectsOf(all []jetstream.Msg) (out []string) {
	for _, m := range all {
		out = append(out, m.Subject())
	}
	slices.Sort(out)
	return out
}

func testJobOnce(t *testing.T, y *system, token *trust.Token) {
	const collectors = 3
	zone := token.User
	subjects := makeJobs(t, y, zone, 24)
	var given sync.Map
	var count atomic.Int64
	var group errgroup.Group
	for i := range collectors {
		_, js := y.login(t, token, i)
		group.Go(func() error {
			for end := time.Now().Add(await.Limit); count.Load() < int64(len(subjects)) && time.Now().Before(end); {
				c, err := js.Consumer(t.Context(), queue.JobsStream(zone), queue.Collector)
				if err != nil { // a cluster has no leader for the moment
					continue
				}
				batch, err := c.Fetch(3, jetstream.FetchMaxWait(100*time.Millisecond))
				if err != nil {
					continue
				}
				for m := range batch.Messages() {
					_, twice := given.LoadOrStore(m.Subject(), i)
					if twice {
						return fmt.Errorf("%s was given twice", m.Subject())
					}
					count.Add(1)
					err = m.DoubleAck(t.Context())
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	err := group.Wait()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		if _, ok := given.Load(s); !ok {
			t.Errorf("%s was given to nobody", s)
		}
	}
	js, _ := y.inside(t, 1)
	holds(t, js, queue.JobsStream(zone), 0)
}

func testGiveBack(t *testing.T, y *system, token *trust.Token) {
	zone := token.User
	subjects := makeJobs(t, y, zone, 12)
	_, streams := y.inside(t, 0)
	_, first := y.login(t, token, 0)
	left := slices.Sorted(slices.Values(subjects))
	for round, js := range []jetstream.JetStream{first, second(t, y, token, 1), second(t, y, token, 2)} {
		all := taken(t, js, queue.JobsStream(zone), queue.Collector, len(left))
		if got := subjectsOf(all); !slices.Equal(got, left) {
			t.Fatalf("round %d: got %v, want %v", round, got, left)
		}
		for _, m := range all[:4] {
			acknowledge(t, m)
			left = slices.DeleteFunc(left, func(s string) bool { return s == m.Subject() })
		}
		err := streams.GiveBack(t.Context(), zone)
		if err != nil {
			t.Fatal(err)
		}
	}
	js, _ := y.inside(t, 1)
	holds(t, js, queue.JobsStream(zone), 0)
	taken(t, first, queue.JobsStream(zone), queue.Collector, 0)
}

// second is a connection of another collector.
func second(t *testing.T, y *system, token *trust.Token, i int) jetstream.JetStream {
	t.Helper()
	_, js := y.login(t, token, i)
	return js
}

func testSameID(t *testing.T, y *system, token *trust.Token) {
	zone := token.User
	send := func(want bool) {
		t.Helper()
		for i := range 3 {
			_, js := y.login(t, token, i)
			ack := stored(t, js, message.ResultSubject(zone), []byte("{}"), jetstream.WithMsgID("job.digest"))
			if ack.Sequence != 1 || ack.Duplicate != (want || i > 0) {
				t.Errorf("time %d: got %+v", i, ack)
			}
		}
	}
	send(false)
	hub, streams := y.inside(t, 1)
	holds(t, hub, queue.ResultsStream(zone), 1)
	taken(t, hub, queue.ResultsStream(zone), queue.Hub, 1)
	err := streams.TakeBack(t.Context(), zone) // by another hub
	if err != nil {
		t.Fatal(err)
	}
	acknowledge(t, taken(t, hub, queue.ResultsStream(zone), queue.Hub, 1)[0])
	send(true) // also once the hub has it
	holds(t, hub, queue.ResultsStream(zone), 0)
	taken(t, hub, queue.ResultsStream(zone), queue.Hub, 0)
}

// Several write on a subject at the same time, by several servers: one is the first, and the others
// learn that there is one.
func testOneMessage(t *testing.T, y *system, token *trust.Token) {
	const writers, rounds = 3, 6
	var zones, hubs []jetstream.JetStream
	for i := range writers {
		_, js := y.login(t, token, i)
		zones = append(zones, js)
		js, _ = y.inside(t, i)
		hubs = append(hubs, js)
	}
	for round := range rounds {
		for _, x := range []struct {
			stream, subject string
			as              []jetstream.JetStream
		}{
			{queue.ChunksStream(token.User), message.ChunkSubject(token.User, message.Digest([]byte{byte(round)})), zones},
			{queue.Outcomes, queue.OutcomeSubject("sweep", fmt.Sprint("host", round)), hubs},
		} {
			var won atomic.Int64
			var first atomic.Value
			var over sync.WaitGroup
			for i, js := range x.as {
				over.Go(func() {
					mine := fmt.Sprint("writer ", i)
					_, err := publish(t, js, x.subject, []byte(mine), jetstream.WithExpectLastSequencePerSubject(0))
					switch {
					case err == nil:
						won.Add(1)
						first.Store(mine)
					case !queue.Exists(err):
						t.Errorf("%s: %v", x.subject, err)
					}
				})
			}
			over.Wait()
			m, err := streamOf(t, hubs[1], x.stream).GetLastMsgForSubject(t.Context(), x.subject)
			if err != nil {
				t.Fatal(err)
			}
			if won.Load() != 1 || string(m.Data) != first.Load() {
				t.Errorf("%s: %d were the first, and it holds %q, want %q", x.subject, won.Load(), m.Data, first.Load())
			}
		}
	}
	for _, name := range []string{queue.ChunksStream(token.User), queue.Outcomes} {
		holds(t, hubs[0], name, rounds)
	}
}

func testBounds(t *testing.T, y *system, token *trust.Token) {
	zone := token.User
	hub, _ := y.inside(t, 0)
	// The bounds are made smaller here, and nothing else is changed: full is sooner, and the same.
	shrink := func(name string, change func(*jetstream.StreamConfig)) {
		t.Helper()
		c := streamOf(t, hub, name).CachedInfo().Config
		if c.MaxBytes <= 0 {
			t.Errorf("%s has no bound", name)
		}
		change(&c)
		_, err := hub.UpdateStream(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
	}
	shrink(queue.ResultsStream(zone), func(c *jetstream.StreamConfig) { c.MaxMsgs = 5 })
	shrink(queue.ChunksStream(zone), func(c *jetstream.StreamConfig) { c.MaxBytes = 64 << 10 })
	_, js := y.login(t, token, 1)
	result := func(i int) error {
		_, err := publish(t, js, message.ResultSubject(zone), fmt.Append(nil, i), jetstream.WithMsgID(fmt.Sprint("job", i)))
		return err
	}
	chunk := func(i int) error {
		_, err := publish(t, js, message.ChunkSubject(zone, fmt.Sprint(i)), make([]byte, 20<<10), jetstream.WithExpectLastSequencePerSubject(0))
		return err
	}
	for name, x := range map[string]struct {
		send func(int) error
		room int
	}{queue.ResultsStream(zone): {result, 5}, queue.ChunksStream(zone): {chunk, 3}} {
		for i := range x.room {
			if err := x.send(i); err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
		}
		var api *jetstream.APIError
		if err := x.send(x.room); !errors.As(err, &api) || !strings.Contains(api.Description, "maximum") {
			t.Errorf("%s: message %d: got %v, want a refusal", name, x.room, err)
		}
		holds(t, hub, name, uint64(x.room))
	}
	all := taken(t, hub, queue.ResultsStream(zone), queue.Hub, 5)
	for i, m := range all {
		if string(m.Data()) != fmt.Sprint(i) {
			t.Errorf("result %d: got %s", i, m.Data())
		}
		acknowledge(t, m)
	}
	holds(t, hub, queue.ResultsStream(zone), 0)
	if err := result(5); err != nil { // the one that was refused
		t.Fatal(err)
	}
	last := taken(t, hub, queue.ResultsStream(zone), queue.Hub, 1)
	if string(last[0].Data()) != "5" {
		t.Errorf("got %s", last[0].Data())
	}
}
