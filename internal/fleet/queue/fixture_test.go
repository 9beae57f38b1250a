package queue_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// memberVariable makes the test's program one server, as its value says.
const memberVariable = "SEAWORTHY_QUEUE_MEMBER"

func TestMain(m *testing.M) {
	text := os.Getenv(memberVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	err := beMember(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, "member:", err)
		os.Exit(1)
	}
}

// seat is what a server needs to start, in this process or in one of its own.
type seat struct {
	Member, Dir, Certificates string
	Listen                    string   // for zones
	Members                   []string // addresses of all, this one first; one alone is no cluster
	Users                     map[string]queue.User
}

// start starts the server; who may log in may change later on, where users are given.
func (s *seat) start(ctx context.Context, users func(string) (queue.User, bool)) (*queue.Server, error) {
	cert, err := trust.Make(s.Certificates)
	if err != nil {
		return nil, err
	}
	if users == nil {
		users = func(key string) (queue.User, bool) {
			u, ok := s.Users[key]
			return u, ok
		}
	}
	o := queue.Options{Dir: s.Dir, Listen: s.Listen, TLS: cert.Server(), Users: users}
	if len(s.Members) > 1 {
		o.Cluster = &queue.Cluster{Name: "conformance", Member: s.Member, Listen: s.Members[0], Members: s.Members, TLS: cert.Members(s.Members)}
	}
	return queue.Start(ctx, o)
}

// beMember is a server until its standard input ends.
func beMember(text string) error {
	var s seat
	err := json.Unmarshal([]byte(text), &s)
	if err != nil {
		return err
	}
	server, err := s.start(context.Background(), nil)
	if err != nil {
		return err
	}
	defer server.Close()
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// system is a queue: one server, or a cluster.
type system struct {
	seats   []*seat
	servers []*queue.Server // nil: not in this process
	cert    *trust.Hub

	mu    sync.Mutex
	users map[string]queue.User
}

// free gives addresses on which nothing listens. Each test has a network of its own in 127.0.0.0/8,
// where that is possible: no other process takes them between two starts of a server.
func free(t *testing.T, n int) (out []string) {
	t.Helper()
	host := fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
	for range n {
		l, err := net.Listen("tcp", host+":0")
		if err != nil {
			host = "127.0.0.1"
			l, err = net.Listen("tcp", host+":0")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		out = append(out, l.Addr().String())
	}
	return out
}

// newSystem starts so many servers.
func newSystem(t *testing.T, n int) *system {
	t.Helper()
	dir := t.TempDir()
	certificates := filepath.Join(dir, "certificates")
	cert, err := trust.Make(certificates)
	if err != nil {
		t.Fatal(err)
	}
	y := &system{cert: cert, servers: make([]*queue.Server, n), users: map[string]queue.User{}}
	at := free(t, 2*n)
	for i := range n {
		members := append([]string{at[n+i]}, slices.Delete(slices.Clone(at[n:]), i, i+1)...)
		name := fmt.Sprintf("member-%d", i)
		y.seats = append(y.seats, &seat{Member: name, Dir: filepath.Join(dir, name), Certificates: certificates, Listen: at[i], Members: members})
	}
	var group errgroup.Group
	for i := range n {
		group.Go(func() error { return y.start(t.Context(), i) })
	}
	err = group.Wait()
	t.Cleanup(func() {
		for i := range y.servers {
			y.stop(i)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// start starts a server in this process.
func (y *system) start(ctx context.Context, i int) (err error) {
	y.servers[i], err = y.seats[i].start(ctx, y.user)
	return err
}

// stop ends a server in this process.
func (y *system) stop(i int) {
	if y.servers[i] != nil {
		y.servers[i].Close()
	}
	y.servers[i] = nil
}

func (y *system) user(key string) (queue.User, bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	u, ok := y.users[key]
	return u, ok
}

// setUser lets a key in, or no longer where u is nobody.
func (y *system) setUser(key string, u queue.User) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if u == (queue.User{}) {
		delete(y.users, key)
		return
	}
	y.users[key] = u
}

// child is a server in a process of its own.
type child struct {
	cmd *exec.Cmd
	in  io.Closer
}

// kill ends it as a loss of power would: it writes nothing more, and tells nobody.
func (c *child) kill(t *testing.T) {
	t.Helper()
	err := c.cmd.Process.Kill()
	if err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait() // it was killed
	c.in.Close()
}

// startChild starts a server in a process of its own.
func (y *system) startChild(t *testing.T, i int) *child {
	t.Helper()
	s := *y.seats[i]
	y.mu.Lock()
	s.Users = y.users
	text, err := json.Marshal(s)
	y.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), memberVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		_ = cmd.Process.Kill() // it may have ended already
		_ = cmd.Wait()
		t.Fatalf("server in a process of its own: said %q: %v", line, err)
	}
	return &child{cmd, in}
}

// inside is a connection of the process that a server is in.
func (y *system) inside(t *testing.T, i int) (jetstream.JetStream, queue.Streams) {
	t.Helper()
	server := y.servers[i%len(y.servers)]
	nc, err := server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	js := streamsOf(t, nc)
	return js, server.Streams(js)
}

// streamsOf uses a connection, which ends with the test.
func streamsOf(t *testing.T, nc *nats.Conn) jetstream.JetStream {
	t.Helper()
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// zone makes a zone and a token of it.
func (y *system) zone(t *testing.T, name string) *trust.Token {
	t.Helper()
	seed, public, err := trust.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	y.setUser(public, queue.User{Zone: name})
	_, streams := y.inside(t, 0)
	err = streams.AddZone(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	token := &trust.Token{Schema: trust.SchemaToken, User: name, Pin: y.cert.Pin, OwnCA: true, Seed: seed}
	for _, s := range y.seats {
		token.Hubs = append(token.Hubs, s.Listen)
	}
	return token
}

// login is a connection to one server.
func (y *system) login(t *testing.T, token *trust.Token, i int, options ...nats.Option) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	one := *token
	one.Hubs = []string{y.seats[i%len(y.seats)].Listen}
	return dial(t, &one, options...)
}

// dial is a connection to any server of a token.
func dial(t *testing.T, token *trust.Token, options ...nats.Option) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	nc, err := queue.Dial(token, options...)
	if err != nil {
		t.Fatal(err)
	}
	return nc, streamsOf(t, nc)
}

// notAvailable is the error of a cluster that has no leader for the moment.
const notAvailable = 10008

// within is how long one request may take before it is tried again.
const within = 2 * time.Second

// publish publishes until it is known what became of it: in a cluster that is between two leaders,
// or is about to store another such message, it is published again.
func publish(t *testing.T, js jetstream.JetStream, subject string, data []byte, options ...jetstream.PublishOpt) (
	ack *jetstream.PubAck, err error,
) {
	t.Helper()
	await.Until(t, "it is known what became of a message of "+subject, func() bool {
		ctx, done := context.WithTimeout(t.Context(), within)
		defer done()
		ack, err = js.Publish(ctx, subject, data, options...)
		var api *jetstream.APIError
		return err == nil || errors.As(err, &api) && !queue.Busy(err) && api.ErrorCode != notAvailable
	})
	return ack, err
}

// stored publishes what must be stored, or have been stored before.
func stored(t *testing.T, js jetstream.JetStream, subject string, data []byte, options ...jetstream.PublishOpt) *jetstream.PubAck {
	t.Helper()
	ack, err := publish(t, js, subject, data, options...)
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	return ack
}

// streamOf is a stream: a cluster tells of it once it has a leader.
func streamOf(t *testing.T, js jetstream.JetStream, name string) (s jetstream.Stream) {
	t.Helper()
	await.Until(t, "the queue tells of "+name, func() (ok bool) {
		var err error
		s, err = js.Stream(t.Context(), name)
		return err == nil
	})
	return s
}

// holds waits until a stream has so many messages.
func holds(t *testing.T, js jetstream.JetStream, stream string, n uint64) {
	t.Helper()
	var got uint64
	ok := await.Within(await.Limit, func() bool {
		s, err := js.Stream(t.Context(), stream)
		if err == nil {
			got = s.CachedInfo().State.Msgs
		}
		return err == nil && got == n
	})
	if !ok {
		t.Fatalf("%s holds %d messages, want %d", stream, got, n)
	}
}

// taken takes so many messages from a consumer, and makes sure that it gives no more.
func taken(t *testing.T, js jetstream.JetStream, stream, consumer string, n int) (all []jetstream.Msg) {
	t.Helper()
	await.Until(t, fmt.Sprintf("%s gives %d messages", stream, n), func() bool {
		c, err := js.Consumer(t.Context(), stream, consumer)
		if err != nil {
			return false
		}
		batch, err := c.Fetch(max(n-len(all), 1), jetstream.FetchMaxWait(100*time.Millisecond))
		if err != nil {
			return false
		}
		for m := range batch.Messages() {
			all = append(all, m)
		}
		return len(all) >= n
	})
	await.Until(t, stream+" says whether it gives more", func() bool {
		c, err := js.Consumer(t.Context(), stream, consumer)
		if err != nil {
			return false
		}
		batch, err := c.FetchNoWait(10)
		if err != nil {
			return false
		}
		for m := range batch.Messages() {
			all = append(all, m)
		}
		return batch.Error() == nil
	})
	if len(all) != n {
		t.Fatalf("%s gave %d messages, want %d", stream, len(all), n)
	}
	return all
}

// acknowledge acknowledges a message, and waits until the queue has that.
func acknowledge(t *testing.T, m jetstream.Msg) {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), await.Limit)
	defer done()
	err := m.DoubleAck(ctx)
	if err != nil {
		t.Fatalf("%s: %v", m.Subject(), err)
	}
}
