package sshhost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"seaworthy/remote"
	"seaworthy/remote/sshconfig"
)

// conn is one SSH connection with the connections it runs through.
type conn struct {
	client *ssh.Client
	via    *conn // jump host, or nil
	dead   chan struct{}
	once   sync.Once

	mu   sync.Mutex
	open int // sessions in use
}

// watch notes the end of the connection and keeps it alive if so configured.
func watch(client *ssh.Client, via *conn, s *sshconfig.Settings) *conn {
	c := &conn{client: client, via: via, dead: make(chan struct{})}
	go func() {
		_ = client.Wait() // whoever was using the connection reports its error
		close(c.dead)
		if via != nil {
			via.close()
		}
	}()
	if s.AliveInterval > 0 {
		go c.keepAlive(s.AliveInterval, s.AliveCountMax)
	}
	return c
}

// keepAlive asks the server for a sign of life and gives the connection up when
// none came for count intervals.
func (c *conn) keepAlive(interval time.Duration, count int) {
	for {
		select {
		case <-c.dead:
			return
		case <-time.After(interval):
		}
		ctx, cancel := context.WithTimeout(context.Background(), interval*time.Duration(max(1, count)))
		_, _ = within(ctx, c.signOfLife)
		if ctx.Err() != nil {
			c.close()
		}
		cancel()
	}
}

func (c *conn) alive() bool {
	select {
	case <-c.dead:
		return false
	default:
		return true
	}
}

// lostWait bounds the question of lost; a server that is slow has not gone.
const lostWait = 2 * time.Second

// lost asks whether the connection has ended: a session hears of it a little before
// alive does, and who asks again must not get the same connection.
func (c *conn) lost() bool {
	if !c.alive() {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), lostWait)
	defer cancel()
	if _, err := within(ctx, c.signOfLife); err == nil || ctx.Err() != nil {
		return false
	}
	c.close()
	<-c.dead
	return true
}

// signOfLife asks the server for anything: a refusal will do, too.
func (c *conn) signOfLife() (bool, error) {
	ok, _, err := c.client.SendRequest("keepalive@openssh.com", true, nil)
	return ok, err
}

func (c *conn) close() {
	c.once.Do(func() {
		_ = c.client.Close() // closing a broken connection fails, and that is fine
	})
}

// maxRefusals is how often a server may refuse the only session we ask for.
const maxRefusals = 4

// session opens a channel. A server with few sessions per connection refuses
// some; then one of ours has to end first.
func (c *conn) session(ctx context.Context) (*ssh.Session, error) {
	alone := 0
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		s, err := within(ctx, func() (*ssh.Session, error) {
			s, err := c.client.NewSession()
			if err == nil && ctx.Err() != nil {
				s.Close() // nobody waits for it any more
			}
			return s, err
		})
		if err == nil {
			c.count(1)
			return s, nil
		}
		var refused *ssh.OpenChannelError
		switch {
		case errors.Is(err, remote.ErrTimeout):
			return nil, err
		case !errors.As(err, &refused):
			_ = c.lost()
			return nil, fmt.Errorf("%w: %w", remote.ErrLost, err)
		}
		// With none of ours open the server means it; but it may only be about
		// to notice the end of the last one.
		if c.count(0) == 0 {
			alone++
		}
		if alone > maxRefusals {
			return nil, fmt.Errorf("%w: the server opens no session: %s", remote.ErrUnreachable, clean(refused.Message))
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, remote.Stopped(ctx)
		}
	}
}

func (c *conn) count(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	return c.open
}

// dial connects to a host, through its jump host or proxy command.
func (l *Logins) dial(ctx context.Context, s *sshconfig.Settings) (*conn, error) {
	return l.through(ctx, s, func() (*conn, error) {
		var via *conn
		if s.Jump != nil {
			var err error
			if via, err = l.dial(ctx, s.Jump); err != nil {
				return nil, &hopError{hop: s.Jump.Alias, err: err}
			}
		}
		c, err := l.handshake(ctx, s, via)
		if err != nil && via != nil {
			via.close()
		}
		return c, err
	})
}

func (l *Logins) handshake(ctx context.Context, s *sshconfig.Settings, via *conn) (*conn, error) {
	if err := l.barred(s.User); err != nil {
		return nil, err
	}
	silent := fmt.Errorf("%w: no answer from %s within %s", remote.ErrUnreachable, s.Address(), s.ConnectTimeout)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := time.AfterFunc(s.ConnectTimeout, func() { cancel(silent) })
	defer timeout.Stop()
	keys, err := readKnown(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", remote.ErrHostKey, err)
	}
	nc, err := transport(ctx, s, via)
	if err != nil {
		return nil, unreachable(ctx, s, nc, err)
	}
	auth := newAuth(ctx, s)
	defer auth.close()
	auth.enter = func() error {
		timeout.Stop() // the wait is ours
		defer timeout.Reset(s.ConnectTimeout)
		return l.enter(ctx, s.User)
	}
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	c, chans, reqs, err := ssh.NewClientConn(nc, s.KnownAs(), clientConfig(s, keys, auth))
	switch {
	case !stop(): // the context ended, and with it the connection
		err = unreachable(ctx, s, nc, context.Cause(ctx))
	case auth.barred != nil:
		err = auth.barred
	case err != nil:
		err = explain(ctx, s, nc, keys, auth, err)
	}
	if auth.entered {
		l.leave(s.User, err)
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return watch(ssh.NewClient(c, chans, reqs), via, s), nil
}

// transport is the byte stream that SSH is spoken over.
func transport(ctx context.Context, s *sshconfig.Settings, via *conn) (net.Conn, error) {
	if via != nil {
		return via.client.DialContext(ctx, "tcp", s.Address())
	}
	if s.ProxyCommand != "" {
		return startProxy(s.ProxyCommand)
	}
	d := net.Dialer{}
	network := map[string]string{"inet": "tcp4", "inet6": "tcp6"}[s.AddressFamily]
	if network == "" {
		network = "tcp"
	}
	if s.BindAddress != "" && s.BindAddress != "*" {
		a, err := net.ResolveTCPAddr(network, net.JoinHostPort(s.BindAddress, "0"))
		if err != nil {
			return nil, fmt.Errorf("BindAddress %s: %w", s.BindAddress, err)
		}
		d.LocalAddr = a
	}
	for left := s.ConnectionAttempts - 1; ; left-- {
		c, err := d.DialContext(ctx, network, s.Address())
		if err == nil || left <= 0 {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}
