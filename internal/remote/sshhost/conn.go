package sshhost

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
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
		_ = client.Wait() // anyone who was using the connection reports its error
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

// close ends the connection and those below it; the processes of a ProxyCommand are gone
// when it returns.
func (c *conn) close() {
	c.once.Do(func() {
		_ = c.client.Close() // closing a broken connection fails, and that is fine
		if c.via != nil {
			c.via.close()
		}
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
			return nil, fmt.Errorf("%w: the server opens no session: %s", remote.ErrUnreachable, remote.Brief(refused.Message))
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

// within waits for f, which a stalled connection may block, no longer than the
// context.
func within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	var v, none T
	var err error
	if decode.Within(ctx, func() { v, err = f() }) != nil {
		return none, remote.Stopped(ctx)
	}
	return v, err
}
