package sshhost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
)

// dial connects to a host, through its jump host or proxy command.
func (l *Logins) dial(ctx context.Context, s *sshconfig.Settings) (*conn, error) {
	return l.through(s, func() (*conn, error) {
		var via *conn
		if s.Jump != nil {
			var err error
			if via, err = l.dial(ctx, s.Jump); err != nil {
				return nil, fmt.Errorf("jump host %s: %w", s.Jump.Alias, err)
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
	files, err := l.known.files(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", remote.ErrHostKey, err)
	}
	keys := &known{knownFiles: files, settings: s, notice: l.notice}
	tried := &addresses{neverHere: s.NeverHere}
	nc, err := l.transport(ctx, s, via, tried)
	if err != nil {
		return nil, unreachable(ctx, s, nc, tried, err)
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
		err = unreachable(ctx, s, nc, nil, context.Cause(ctx))
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
func (l *Logins) transport(ctx context.Context, s *sshconfig.Settings, via *conn, tried *addresses) (net.Conn, error) {
	if via != nil {
		return via.client.DialContext(ctx, "tcp", s.Address())
	}
	if s.ProxyCommand != "" {
		return startProxy(s.ProxyCommand)
	}
	d := net.Dialer{Resolver: l.resolver, Control: tried.note}
	d.Timeout = s.ConnectTimeout + time.Second // shared by the addresses; the end is the caller's
	network := "tcp"
	switch s.AddressFamily {
	case "inet":
		network = "tcp4"
	case "inet6":
		network = "tcp6"
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

// version holds what the server's log shows; sshd matches some clients by it.
const version = "SSH-2.0-seaworthy"

func clientConfig(s *sshconfig.Settings, k *known, a *auth) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		// The library leaves out names that it does not implement.
		Config:            ssh.Config{KeyExchanges: s.KexAlgorithms, Ciphers: s.Ciphers, MACs: s.MACs},
		User:              s.User,
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(a.signers)},
		HostKeyCallback:   k.verify,
		HostKeyAlgorithms: k.algorithms(),
		ClientVersion:     version,
	}
}

// maxAddresses bounds how many addresses of a name are tried: anyone who answers for
// the name must not have us knock at hundreds of doors.
const maxAddresses = 16

// maxNamed bounds how many of them an error names.
const maxNamed = 4

// addresses are those that a name was looked up to and that were tried.
type addresses struct {
	neverHere bool

	mu   sync.Mutex // families are tried side by side
	list []string
	left int // not tried: too many
}

var (
	errTooMany     = errors.New("too many addresses")
	errThisMachine = errors.New("the name leads to this machine, and anyone who gave it may not have that read")
)

// note is called before an address is connected to; an error leaves it out.
func (a *addresses) note(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); a.neverHere && (ip.IsLoopback() || ip.IsUnspecified()) {
		return errThisMachine
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == maxAddresses {
		a.left++
		return errTooMany
	}
	a.list = append(a.list, host)
	return nil
}

// String is the addresses in brackets, for an error; empty if there were not several.
func (a *addresses) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) < 2 {
		return ""
	}
	text := strings.Join(a.list[:min(len(a.list), maxNamed)], ", ")
	if n := len(a.list) - maxNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if a.left > 0 {
		text += fmt.Sprintf("; %d more not tried", a.left)
	}
	return " (tried " + text + ")"
}
