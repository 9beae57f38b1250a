package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/fleet/message"
)

// Options of a server.
type Options struct {
	Dir      string      // its files
	Listen   string      // HOST:PORT; empty: this process alone
	TLS      *tls.Config // of Listen
	Users    func(publicKey string) (user User, ok bool)
	MaxStore int64    // bytes of all streams; 0: 1 TiB
	Cluster  *Cluster // nil: this server alone
}

// User is who has logged in: a zone by its name, or the operator.
type User struct {
	Zone     string
	Operator bool
}

// Server is a running server.
type Server struct {
	nats     *server.Server
	inside   nkeys.KeyPair // of this process's own connections: no other process, member or not, has it
	public   string
	replicas int // of each stream
	dir      string
	users    func(string) (User, bool)
	broken   atomic.Pointer[string] // why a stream could not be written
}

const (
	startWait    = 30 * time.Second
	loginWait    = 10 // seconds
	maxPending   = 16 << 20
	maxConns     = 4096
	defaultStore = 1 << 40
	pingEvery    = 5 * time.Second
	leastFree    = 256 << 10 // bytes: with less a result may find no room
	inProcess    = "pipe"    // network of connections within a process
)

// Start starts a server and waits until it can be used: one of a cluster, until more than half of
// its members are there.
func Start(ctx context.Context, o Options) (*Server, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("nkey: %w", err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("nkey: %w", err)
	}
	s := &Server{inside: pair, public: public, replicas: 1, dir: o.Dir, users: o.Users}
	if o.Cluster != nil {
		s.replicas = replicas
		err = o.Cluster.check()
	}
	if err == nil {
		err = checkStore(o.Dir, o.Cluster != nil)
	}
	if err != nil {
		return nil, err
	}
	config, err := s.options(o)
	if err != nil {
		return nil, err
	}
	s.nats, err = server.NewServer(config)
	if err != nil {
		return nil, fmt.Errorf("fleet queue: %w", err)
	}
	s.nats.SetLoggerV2(logger{&s.broken}, false, false, false)
	go s.nats.Start() // which reads what is on disk first, and cannot be stopped then
	err = s.await(ctx, o)
	if err != nil && ctx.Err() != nil && !s.nats.ReadyForConnections(time.Millisecond) {
		go s.Close() // takes as long as what is being read
		return nil, err
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// await waits until the streams can be used.
func (s *Server) await(ctx context.Context, o Options) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; {
		ready := s.nats.ReadyForConnections(time.Millisecond)
		switch {
		case ready && !s.nats.JetStreamEnabled():
			return errors.New("fleet queue: its store could not be opened")
		case ready && s.nats.JetStreamIsCurrent(): // alone it always is
			return nil
		case ready && time.Since(began) > quorumWait:
			return fmt.Errorf("fleet queue: %w", s.lonely(o.Cluster))
		case !ready && time.Since(began) > startWait:
			return fmt.Errorf("fleet queue: not ready within %s (is %s in use, or %s another hub's?)", startWait, o.Listen, o.Dir)
		}
		select {
		case <-ctx.Done():
			if ready && o.Cluster != nil {
				return fmt.Errorf("fleet queue: %w: %w", s.lonely(o.Cluster), context.Cause(ctx))
			}
			return fmt.Errorf("fleet queue: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// lonely says that too few members are there.
func (s *Server) lonely(c *Cluster) error {
	reached := map[string]bool{}
	all, err := s.nats.Routez(nil)
	if err == nil {
		for _, r := range all.Routes {
			reached[r.RemoteName] = true
		}
	}
	return fmt.Errorf("cluster %s: member %s reaches %d of %d others: start them, and let %s through firewalls",
		c.Name, c.Member, len(reached), len(c.Members)-1, strings.Join(c.Members, ", "))
}

func (s *Server) options(o Options) (*server.Options, error) {
	config := &server.Options{
		ServerName: "hub", JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.MaxStore, JetStreamMaxMemory: 64 << 20,
		SyncAlways: true, NoSigs: true, DontListen: true, CustomClientAuthentication: s, AlwaysEnableNonce: true,
		MaxPayload: message.MaxMessage + 64<<10, MaxPending: maxPending, MaxConn: maxConns, AuthTimeout: loginWait,
		DisableJetStreamBanner: true, PingInterval: pingEvery, MaxPingsOut: 2, MaxControlLine: 4096,
	}
	if o.MaxStore == 0 {
		config.JetStreamMaxStore = defaultStore
	}
	if o.Listen != "" {
		var err error
		config.Host, config.Port, err = address(o.Listen)
		if err != nil {
			return nil, fmt.Errorf("--listen: %w", err)
		}
		config.DontListen = false
		config.TLSConfig = o.TLS
		config.TLSHandshakeFirst = true
		config.TLSTimeout = loginWait
	}
	if o.Cluster != nil {
		return config, o.Cluster.join(config)
	}
	return config, nil
}

// address parts HOST:PORT.
func address(text string) (host string, port int, err error) {
	host, text, err = net.SplitHostPort(text)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil {
		return "", 0, fmt.Errorf("expected HOST:PORT: %w", err)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// Check reports whether who connects may, and says what it may do.
func (s *Server) Check(c server.ClientAuthentication) bool {
	key, err := nkeys.FromPublicKey(c.GetOpts().Nkey)
	if err != nil {
		return false
	}
	err = key.Verify(c.GetNonce(), decodeSignature(c.GetOpts().Sig))
	if err != nil {
		return false
	}
	public := c.GetOpts().Nkey
	if public == s.public {
		if c.RemoteAddress().Network() != inProcess {
			return false
		}
		c.RegisterUser(&server.User{Username: "hub"})
		return true
	}
	u, ok := s.users(public)
	if !ok {
		slog.Debug("login refused", "from", c.RemoteAddress(), "key", public)
		return false
	}
	if u.Operator {
		c.RegisterUser(&server.User{Username: "operator", Permissions: operatorMay()})
		return true
	}
	c.RegisterUser(&server.User{Username: u.Zone, Permissions: zoneMay(u.Zone)})
	return true
}

// Connect is a connection within this process, which may do everything: on all members of a cluster.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	options = append([]nats.Option{
		nats.InProcessServer(s.nats), nats.Nkey(s.public, s.inside.Sign), nats.MaxReconnects(-1), nats.Name("hub"),
	}, options...)
	nc, err := nats.Connect("", options...)
	if err != nil {
		return nil, fmt.Errorf("fleet queue: %w", err)
	}
	return nc, nil
}

// Within are the options of a user's connection within this process.
func (s *Server) Within() nats.Option { return nats.InProcessServer(s.nats) }

// Address is where it listens; nil: nowhere.
func (s *Server) Address() net.Addr { return s.nats.Addr() }

// Close ends the server. What it has acknowledged is on disk.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// Drop ends the connections to this server that were logged in with a public key: each member of a
// cluster has to drop its own.
func (s *Server) Drop(key string) {
	all, err := s.nats.Connz(&server.ConnzOptions{Username: true})
	if err != nil {
		return
	}
	for _, c := range all.Conns {
		if c.AuthorizedUser == key {
			_ = s.nats.DisconnectClientByID(c.Cid) // gone already
		}
	}
}

// Broken says why streams take nothing more: most often their disk is full. They stay so
// until the server begins again, also with room on the disk; nil: they work.
func (s *Server) Broken() error {
	why := s.broken.Load()
	switch {
	case why != nil:
		return errors.New(*why)
	case !s.nats.JetStreamEnabled():
		return errors.New("the queue's store is closed")
	}
	free, err := fileio.Free(s.dir)
	if err == nil && free < leastFree { // a system that cannot say it meets the full disk
		return fmt.Errorf("%d KiB are free on the disk of %s", free>>10, s.dir)
	}
	return nil
}

// logger passes what the server says on to --debug. That a stream cannot be written is told
// there, and to who writes, alone.
type logger struct{ broken *atomic.Pointer[string] }

// notStored is in what the server logs of a message that a disk did not take, before the reason.
const notStored = "JetStream failed to store a msg on stream "

func (l logger) say(level slog.Level, format string, v ...any) {
	slog.Log(context.Background(), level, fmt.Sprintf("queue: "+format, v...))
}

// Errorf notes a stream that cannot be written.
func (l logger) Errorf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	_, why, found := strings.Cut(text, notStored)
	if found {
		l.broken.CompareAndSwap(nil, &why)
	}
	l.say(slog.LevelDebug, "%s", text)
}
func (l logger) Noticef(format string, v ...any) { l.say(slog.LevelDebug, format, v...) }
func (l logger) Warnf(format string, v ...any)   { l.say(slog.LevelDebug, format, v...) }
func (l logger) Fatalf(format string, v ...any)  { l.say(slog.LevelError, format, v...) }
func (l logger) Debugf(format string, v ...any)  {}
func (l logger) Tracef(format string, v ...any)  {}
