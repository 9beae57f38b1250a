package sshhost

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/singleflight"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
)

// maxSessions stays below the MaxSessions of 10 that sshd has by default, so
// that the user's own multiplexed logins find room too.
const maxSessions = 8

// Host is one host reached over SSH.
type Host struct {
	name     string
	settings func() (*sshconfig.Settings, error)
	logins   *Logins
	slots    chan struct{}

	dials  singleflight.Group
	mu     sync.Mutex
	conn   *conn
	closed bool
}

// New returns a host that asks for its settings and connects when it is first
// used. name is what the user called it; it appears in every message. logins are
// shared by the hosts of a run.
func New(name string, settings func() (*sshconfig.Settings, error), logins *Logins) *Host {
	return &Host{name: name, settings: settings, logins: logins, slots: make(chan struct{}, maxSessions)}
}

// Name is the name the user gave.
func (h *Host) Name() string { return h.name }

// User is who logs in; empty if the SSH configuration cannot be read.
func (h *Host) User() string {
	s, err := h.settings()
	if err != nil {
		return ""
	}
	return s.User
}

// Close ends the connection and every session on it.
func (h *Host) Close() error {
	h.mu.Lock()
	c := h.conn
	h.conn, h.closed = nil, true
	h.mu.Unlock()
	if c != nil {
		c.close()
	}
	return nil
}

// Disconnect ends the connection and every session on it; the next command makes
// another.
func (h *Host) Disconnect() {
	h.mu.Lock()
	c := h.conn
	h.mu.Unlock()
	if c != nil {
		h.drop(c)
	}
}

var errClosed = errors.New("already closed")

// current is the live connection; nil: there is none.
func (h *Host) current() (*conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, errClosed
	case h.conn != nil && h.conn.alive():
		return h.conn, nil
	}
	return nil, nil
}

// connect returns the live connection, or makes one. Concurrent callers share
// one dial and its error; each gives up with its own context.
func (h *Host) connect(ctx context.Context) (*conn, error) {
	if c, err := h.current(); c != nil || err != nil {
		return c, err
	}
	got := h.dials.DoChan("", func() (any, error) {
		// Another caller's dial may have ended since we looked.
		if c, err := h.current(); c != nil || err != nil {
			return c, err
		}
		s, err := h.settings()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", remote.ErrConfig, err)
		}
		c, err := h.logins.dial(context.WithoutCancel(ctx), s) // ConnectTimeout bounds it
		if err != nil {
			return nil, err
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.closed {
			c.close()
			return nil, errClosed
		}
		h.conn = c
		return c, nil
	})
	select {
	case r := <-got:
		c, _ := r.Val.(*conn)
		return c, r.Err
	case <-ctx.Done():
		return nil, remote.Stopped(ctx)
	}
}

// session opens a session channel, once more over a new connection if the old
// one turns out to be dead: nothing was sent yet, so that is safe.
func (h *Host) session(ctx context.Context) (c *conn, s *ssh.Session, err error) {
	for range 2 {
		if c, err = h.connect(ctx); err != nil {
			break
		}
		if s, err = c.session(ctx); !errors.Is(err, remote.ErrLost) || ctx.Err() != nil {
			break
		}
		h.drop(c)
	}
	return c, s, err
}

// drop forgets a connection that failed, before its end is noticed by itself.
func (h *Host) drop(c *conn) {
	h.mu.Lock()
	if h.conn == c {
		h.conn = nil
	}
	h.mu.Unlock()
	c.close()
}
