package fleet_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// login is a connection of a zone.
func login(t *testing.T, token *trust.Token) *nats.Conn {
	t.Helper()
	nc, err := queue.Dial(token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
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
	own := login(t, evil)
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
	counts("a chunk that is too large", "bytes in one message, more than the limit of")
	s := w.over(nc, w.sweep(nc).ID)
	if s.All != 2 || s.Read != 2 || !w.keeper.has("v0") || !w.keeper.has("v1") {
		t.Errorf("got %+v", s)
	}
	h.once(t)
}

// A zone that asks or sends without end is not answered any more, or cut off; the other one is read meanwhile.
func TestFlood(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	nc := w.ask()
	h := newHosts("v0", "v1")
	w.join(w.token("victim"), h, filepath.Join(w.dir, "victim"))
	w.known(nc, "victim", 2)
	own := login(t, w.token("evil"))
	for range 400 {
		err := own.Publish(message.LeaseSubject("evil"), []byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "questions are refused", func() bool {
		return strings.Contains(w.zone(nc, "evil").LastReason, "questions a second")
	})
	s := w.over(nc, w.sweep(nc).ID)
	if s.Read != 2 {
		t.Errorf("beside questions: got %+v", s)
	}
	var cut atomic.Bool
	own.SetDisconnectErrHandler(func(*nats.Conn, error) { cut.Store(true) })
	await.Until(t, "it is cut off", func() bool {
		for range 5000 {
			_ = own.Publish(message.ChunkSubject("evil", "x"), nil) // it is cut off in the middle
		}
		_ = own.FlushTimeout(time.Second)
		return cut.Load()
	})
	if why := w.zone(nc, "evil").LastReason; !strings.Contains(why, "results and chunks a second") {
		t.Errorf("got %q", why)
	}
	s = w.over(nc, w.sweep(nc).ID)
	if s.Read != 2 {
		t.Errorf("beside chunks: got %+v", s)
	}
}

// A token that is replaced is refused, and the connection that has it is cut; that of the new one is not.
func TestReplacedToken(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	old := login(t, w.token("zone"))
	var cut atomic.Bool
	old.SetDisconnectErrHandler(func(*nats.Conn, error) { cut.Store(true) })
	seed, public, err := trust.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	made, err := control.Ask[control.Made](t.Context(), w.ask(), control.AddZone, control.NewZone{Name: "zone", Key: public, Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the connection of the earlier token is cut", cut.Load)
	now := login(t, &trust.Token{User: "zone", Hubs: made.Hubs, Pin: made.Pin, OwnCA: made.OwnCA, Seed: seed})
	await.Until(t, "the earlier token is refused", func() bool { return old.LastError() != nil && !old.IsConnected() })
	err = now.FlushTimeout(await.Limit)
	if err != nil {
		t.Errorf("the new token: %v", err)
	}
}
