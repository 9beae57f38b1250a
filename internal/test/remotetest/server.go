package remotetest

import (
	"crypto/ed25519"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Server is one host of a fleet, with its faults.
type Server struct {
	name    string
	handler Handler
	accept  []byte // the client key let in

	mu          sync.Mutex
	listener    net.Listener
	key         ssh.Signer
	conns       map[net.Conn]bool
	lines       []string
	sessions    []string // as they came
	logins      int
	connections int
	refused     int
	refuse      bool
	mute        bool
	reset       bool
	drip        time.Duration
	maxSessions int
	loginFiles  string
	wait        sync.WaitGroup
}

// Address is host:port, the same while the server is down.
func (s *Server) Address() string { return s.listener.Addr().String() }

// get reads what is kept of a server while it works, set changes it.
func get[T any](s *Server, of *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *of
}

func set[T any](s *Server, of *T, to T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*of = to
}

// Lines are the command lines received so far, in order of arrival; those that came
// in one line one by one.
func (s *Server) Lines() []string { return slices.Clone(get(s, &s.lines)) }

// Sessions are the lines that were sent, each as it came: several commands may share one.
func (s *Server) Sessions() []string { return slices.Clone(get(s, &s.sessions)) }

// Logins counts the connections that were let in.
func (s *Server) Logins() int { return get(s, &s.logins) }

// Connections counts all connections, let in or not.
func (s *Server) Connections() int { return get(s, &s.connections) }

// Refused counts the connections whose key was not accepted.
func (s *Server) Refused() int { return get(s, &s.refused) }

// SetHandler changes who answers from now on.
func (s *Server) SetHandler(h Handler) { set(s, &s.handler, h) }

// RefuseLogins makes the server accept no key, or accept it again.
func (s *Server) RefuseLogins(refuse bool) { set(s, &s.refuse, refuse) }

// LoginFiles makes the login files of the host print a text before every command.
func (s *Server) LoginFiles(print string) { set(s, &s.loginFiles, print) }

// Mute makes the server take connections and say nothing on them.
func (s *Server) Mute(mute bool) { set(s, &s.mute, mute) }

// Reset makes the server reset every connection at once.
func (s *Server) Reset(reset bool) { set(s, &s.reset, reset) }

// Drip makes the server send one byte in each of such times, without an end; 0: not.
func (s *Server) Drip(every time.Duration) { set(s, &s.drip, every) }

// Open is how many connections are open.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// MaxSessions bounds the sessions of one connection, as sshd does; 0: no
// bound, -1: none at all.
func (s *Server) MaxSessions(n int) { set(s, &s.maxSessions, n) }

// Accept lets another client key in, instead of the fleet's own.
func (s *Server) Accept(key ssh.PublicKey) { set(s, &s.accept, key.Marshal()) }

// SetHostKey gives the server a certain host key.
func (s *Server) SetHostKey(key ssh.Signer) { set(s, &s.key, key) }

// NewHostKey gives the server another host key, as a reinstalled or a false
// host has. KnownHosts stays as it is: see Fleet.Trust.
func (s *Server) NewHostKey() {
	_, signer := newKey()
	s.SetHostKey(signer)
}

// newKey makes a key. It panics where the system's random source fails.
func newKey() (ed25519.PrivateKey, ssh.Signer) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		panic(err)
	}
	return key, signer
}

// Cut breaks all connections; new ones are taken.
func (s *Server) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}

// Down stops the server: connections break, new ones are refused.
func (s *Server) Down() {
	s.listener.Close()
	s.Cut()
}

func (s *Server) listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.listener, s.conns = l, map[net.Conn]bool{}
	s.wait.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns[c] = true
			s.connections++
			s.mu.Unlock()
			s.wait.Go(func() {
				s.serve(c)
				s.mu.Lock()
				delete(s.conns, c)
				s.mu.Unlock()
			})
		}
	})
	return nil
}

func (s *Server) stop() {
	s.Down()
	s.wait.Wait()
}
