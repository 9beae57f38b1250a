package watch

// The TCP connection of a pair, and whether it lives.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// stream is a connection on which one end sends a byte every beat, and the other sends it back.
type stream struct {
	listener net.Listener
	dial     func(ctx context.Context) (net.Conn, error)

	mu    sync.Mutex
	conns []net.Conn
	seen  Stream
	done  bool
}

const (
	beat = 20 * time.Millisecond
	// dialLimit bounds the handshake; a connection that is not made by then has an error.
	dialLimit = 5 * time.Second
)

func openStream(n Namespaces, p Pair) (*stream, error) {
	s := &stream{}
	err := n.Run(p.B.Node, func() error {
		var err error
		listen := net.ListenConfig{Control: absentAddress}
		s.listener, err = listen.Listen(context.Background(), "tcp4", netip.AddrPortFrom(p.B.Address, 0).String())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("watch: %s %s: %w", p.B.Node, p.B.Address, err)
	}
	from := &net.TCPAddr{IP: p.A.Address.AsSlice()}
	target := s.listener.Addr().String()
	s.dial = func(ctx context.Context) (net.Conn, error) {
		var c net.Conn
		err := n.Run(p.A.Node, func() error {
			var err error
			d := net.Dialer{LocalAddr: from, Timeout: dialLimit, Control: absentAddress}
			c, err = d.DialContext(ctx, "tcp4", target)
			return err
		})
		return c, err
	}
	return s, nil
}

// serve sends back what comes.
func (s *stream) serve(ctx context.Context) {
	c, err := s.listener.Accept()
	if err != nil {
		return
	}
	kept := s.keep(c)
	if !kept {
		return
	}
	_, err = io.Copy(c, c)
	s.end(ctx, err)
}

// hold makes the connection and keeps bytes moving on it.
func (s *stream) hold(ctx context.Context) {
	c, err := s.dial(ctx)
	if err != nil {
		s.end(ctx, err)
		return
	}
	kept := s.keep(c)
	if !kept {
		return
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			_ = c.SetWriteDeadline(time.Now().Add(beat))
			_, err := c.Write([]byte{0})
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				s.end(ctx, err)
				return
			}
		}
	}()
	s.listen(ctx, c)
}

// listen notes the longest pause between two answers.
func (s *stream) listen(ctx context.Context, c net.Conn) {
	answer := make([]byte, 256)
	last := time.Now()
	for {
		_, err := c.Read(answer)
		now := time.Now()
		s.pause(last, now)
		if err != nil {
			s.end(ctx, err)
			return
		}
		last = now
	}
}

func (s *stream) pause(from, to time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if long := to.Sub(from); long > s.seen.Pause {
		s.seen.Pause, s.seen.Paused = long, from
	}
}

// keep takes a connection into what close closes; false: it is too late for one.
func (s *stream) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		c.Close()
		return false
	}
	s.conns = append(s.conns, c)
	return true
}

// end notes why a connection ended, unless the watch did.
func (s *stream) end(ctx context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || s.done || s.seen.Error != "" {
		return
	}
	s.seen.Broke, s.seen.Error = time.Now(), "closed by the far end"
	if err != nil && !errors.Is(err, io.EOF) {
		s.seen.Error = reason(err)
	}
}

// reason is an error without the addresses, which the pair has.
func reason(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "timed out"
	}
	return err.Error()
}

func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	s.listener.Close()
	for _, c := range s.conns {
		c.Close()
	}
}

func (s *stream) result() Stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }
