package queue_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

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
