package queue_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
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
		stream, err := js.Stream(t.Context(), s.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		consumers := stream.ListConsumers(t.Context())
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
				if err != nil {
					return err
				}
				batch, err := c.Fetch(3, jetstream.FetchMaxWait(100*time.Millisecond))
				if err != nil {
					return err
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
			stream, err := hubs[1].Stream(t.Context(), x.stream)
			if err != nil {
				t.Fatal(err)
			}
			m, err := stream.GetLastMsgForSubject(t.Context(), x.subject)
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
		var api *jetstream.APIError
		switch {
		case err == nil:
			terms = append(terms, term{who, time.Now(), asked.Add(length * 9 / 10)}) // as a collector counts
		case !errors.As(err, &api) && !errors.Is(err, jetstream.ErrKeyExists):
			return terms, err
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

// A zone may write on no subject of another zone, of an operator or of the queue itself, and read
// none but its own answers: whichever server it asks.
func testPermissions(t *testing.T, y *system, token *trust.Token) {
	y.zone(t, "victim")
	_, streams := y.inside(t, 0)
	defer func() {
		err := streams.RemoveZone(t.Context(), "victim")
		if err != nil {
			t.Error(err)
		}
	}()
	for i := range y.servers {
		refused := make(chan string, 64)
		nc, _ := y.login(t, token, i, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				refused <- err.Error()
			}
		}))
		for _, subject := range []string{
			message.ResultSubject("victim"), message.ChunkSubject("victim", message.Digest(nil)), message.HostsSubject("victim"),
			message.LeaseSubject("victim"), message.JobSubject("evil", "h"), queue.OutcomeSubject("sweep", "h"), "fleet.control.start-sweep",
			"$KV.zones.evil", "$KV.leases.evil", "$JS.API.STREAM.LIST", "$JS.API.STREAM.DELETE." + queue.ResultsStream("victim"),
			"$JS.API.CONSUMER.MSG.NEXT." + queue.JobsStream("victim") + "." + queue.Collector, message.Inbox("victim") + ".x",
			"$JS.API.STREAM.LEADER.STEPDOWN." + queue.JobsStream("evil"), "$JS.API.META.LEADER.STEPDOWN", "$SYS.REQ.SERVER.PING",
		} {
			err := nc.Publish(subject, []byte("x"))
			if err != nil {
				t.Fatal(err)
			}
			wantRefusal(t, refused, subject)
		}
		for _, subject := range []string{
			">", "fleet.>", message.JobsSubject("victim"), message.JobsSubject("evil"), message.ResultSubject("victim"),
			message.Inbox("victim") + ".>", "_INBOX.>", "$SYS.>", "$JS.>",
		} {
			_, err := nc.SubscribeSync(subject)
			if err == nil {
				err = nc.Flush()
			}
			if err != nil {
				t.Fatal(err)
			}
			wantRefusal(t, refused, subject)
		}
	}
}

// wantRefusal waits until a subject is refused.
func wantRefusal(t *testing.T, refused chan string, subject string) {
	t.Helper()
	select {
	case why := <-refused:
		if !strings.Contains(why, subject) {
			t.Errorf("%s: refused was %s", subject, why)
		}
	case <-time.After(await.Limit):
		t.Errorf("%s: not refused", subject)
	}
}

// A server cuts the connections of a key that it is told to drop, and then refuses it. The key of a
// process's own connections is good in that process alone.
func testDropped(t *testing.T, y *system, token *trust.Token) {
	public, err := token.Public()
	if err != nil {
		t.Fatal(err)
	}
	var all []*nats.Conn
	for i := range y.servers {
		nc, _ := y.login(t, token, i, nats.ReconnectWait(10*time.Millisecond),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // else it is printed
		all = append(all, nc)
	}
	y.setUser(public, queue.User{})
	for i, nc := range all {
		y.servers[i].Drop(public)
		await.Until(t, "the key is refused", func() bool {
			return nc.IsClosed() || errors.Is(nc.LastError(), nats.ErrAuthorization) && !nc.IsConnected()
		})
	}
	own, err := y.servers[0].Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	for i, s := range y.seats {
		nc, err := nats.Connect("tls://"+s.Listen, nats.Nkey(own.Opts.Nkey, own.Opts.SignatureCB), nats.Secure(token.Client()),
			nats.TLSHandshakeFirst())
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("the key of the first server's process, at server %d: got %v", i, err)
		}
		if err == nil {
			nc.Close()
		}
	}
}

func testBounds(t *testing.T, y *system, token *trust.Token) {
	zone := token.User
	hub, _ := y.inside(t, 0)
	// The bounds are made smaller here, and nothing else is changed: full is sooner, and the same.
	shrink := func(name string, change func(*jetstream.StreamConfig)) {
		t.Helper()
		s, err := hub.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		c := s.CachedInfo().Config
		if c.MaxBytes <= 0 {
			t.Errorf("%s has no bound", name)
		}
		change(&c)
		_, err = hub.UpdateStream(t.Context(), c)
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
