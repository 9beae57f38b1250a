package fleet_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// login is a connection of a zone, and the refusals that it is told.
func login(t *testing.T, token *trust.Token) (nc *nats.Conn, refused chan string) {
	t.Helper()
	refused = make(chan string, 16)
	nc, err := queue.Dial(token, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			refused <- err.Error()
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc, refused
}

// A zone may write on no subject of another zone, of an operator or of the queue itself, and
// read none but its own answers.
func TestForeignSubjects(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	w.token("victim")
	evil, refused := login(t, w.token("evil"))
	for _, subject := range []string{
		message.ResultSubject("victim"), message.ChunkSubject("victim", message.Digest(nil)), message.HostsSubject("victim"),
		message.LeaseSubject("victim"), message.JobSubject("evil", "h"), queue.OutcomeSubject("sweep", "h"), "fleet.control.start-sweep",
		"$KV.zones.evil", "$JS.API.STREAM.LIST", "$JS.API.STREAM.DELETE." + queue.ResultsStream("victim"),
		"$JS.API.CONSUMER.MSG.NEXT." + queue.JobsStream("victim") + "." + queue.Collector, message.Inbox("victim") + ".x",
	} {
		publish(t, evil, subject, "x")
		wantRefusal(t, refused, subject)
	}
	for _, subject := range []string{
		">", "fleet.>", message.JobsSubject("victim"), message.JobsSubject("evil"), message.ResultSubject("victim"),
		message.Inbox("victim") + ".>", "_INBOX.>", "$SYS.>",
	} {
		_, err := evil.SubscribeSync(subject)
		if err == nil {
			err = evil.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		wantRefusal(t, refused, subject)
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

// A zone sends, on its own subjects, what is not its own, or too large: it is refused and
// counted, and the other zone's host ends with its own outcome.
func TestHostileZone(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	nc := w.ask()
	h := newHosts("v0", "v1")
	victim, evil := w.token("victim"), w.token("evil", "e*")
	w.join(victim, h, filepath.Join(w.dir, "victim"))
	w.known(nc, "victim", 2)
	own, _ := login(t, evil)
	count := 0
	counts := func(what, why string) {
		t.Helper()
		count++
		await.Until(t, what+" is counted", func() bool { return w.zone(nc, "evil").Refused == count })
		if got := w.zone(nc, "evil").LastReason; !strings.Contains(got, why) {
			t.Errorf("%s: got the reason %q, want %q", what, got, why)
		}
	}
	for host, why := range map[string]string{"v0": "zone victim has a host of this name", "other": "zone evil may have e* alone"} {
		list, err := message.WriteHosts([]message.Host{{Name: host}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := own.Request(message.HostsSubject("evil"), list, await.Limit)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(m.Data), why) {
			t.Errorf("host %s: got %s, want %s", host, m.Data, why)
		}
		counts("host "+host, why)
	}
	publish(t, own, message.ResultSubject("evil"), message.Result{Job: "j", Host: "v1", Error: "down", Ended: time.Now()})
	counts("a result of another zone's host", "no host of this zone")
	publish(t, own, message.ResultSubject("evil"), "no result")
	counts("what is no result", "result")

	js, err := jetstream.New(own)
	if err != nil {
		t.Fatal(err)
	}
	large := make([]byte, message.MaxChunk+8192)
	_, err = js.Publish(t.Context(), message.ChunkSubject("evil", message.Digest(large)), large)
	var api *jetstream.APIError
	if !errors.As(err, &api) || !strings.Contains(api.Description, "exceeds maximum") {
		t.Errorf("a chunk of %d bytes: got %v", len(large), err)
	}
	s := w.over(nc, w.sweep(nc).ID)
	if s.All != 2 || s.Read != 2 || !w.keeper.has("v0") || !w.keeper.has("v1") {
		t.Errorf("got %+v", s)
	}
	h.once(t)
}
