// Package sshd is the SSH server of a lab node: sessions with exec, shell and
// pseudo terminal, as a login on AIX gives them. It starts nothing itself; a
// Starter does that in the node's namespaces.
package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"golang.org/x/crypto/ssh"
)

// Config of a node's server.
type Config struct {
	HostKey ssh.Signer
	Allowed ssh.PublicKey // the only key that may log in
	Users   []string
	Start   Starter
	Banner  string // shown before the login; empty: none
}

var errRefused = errors.New("no such login here")

// Serve answers logins until the listener is closed or ctx ends.
func Serve(ctx context.Context, l net.Listener, c Config) {
	conf := &ssh.ServerConfig{
		ServerVersion: "SSH-2.0-seaworthy_lab",
		PublicKeyCallback: func(m ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if !slices.Contains(c.Users, m.User()) || !bytes.Equal(key.Marshal(), c.Allowed.Marshal()) {
				return nil, errRefused
			}
			return nil, nil
		},
	}
	if c.Banner != "" {
		conf.BannerCallback = func(ssh.ConnMetadata) string { return c.Banner }
	}
	conf.AddHostKey(c.HostKey)
	for {
		s, err := l.Accept()
		if err != nil {
			return
		}
		go c.serve(ctx, s, conf)
	}
}

func (c Config) serve(ctx context.Context, s net.Conn, conf *ssh.ServerConfig) {
	defer s.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A client that never logs in must not hold the connection for ever.
	_ = s.SetDeadline(time.Now().Add(time.Minute))
	conn, channels, requests, err := ssh.NewServerConn(s, conf)
	if err != nil {
		return
	}
	_ = s.SetDeadline(time.Time{})
	go ssh.DiscardRequests(requests)
	for ch := range channels {
		if ch.ChannelType() != "session" {
			_ = ch.Reject(ssh.UnknownChannelType, "a lab node has sessions only")
			continue
		}
		channel, reqs, err := ch.Accept()
		if err != nil {
			continue
		}
		go (&session{start: c.Start, user: conn.User(), ch: channel}).serve(ctx, reqs)
	}
}

// NewKey makes a key, for a login or of a host, and the text of its file.
func NewKey(comment string) (ssh.Signer, []byte, error) {
	_, secret, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	block, err := ssh.MarshalPrivateKey(secret, comment)
	if err != nil {
		return nil, nil, err
	}
	signer, err := ssh.NewSignerFromKey(secret)
	return signer, pem.EncodeToMemory(block), err
}

// Start says what a session starts.
type Start struct {
	User     string
	Line     string   // command line for the login shell; empty: an interactive shell
	Env      []string // NAME=value, as the client sent them and the server accepts
	Terminal *Terminal
}

// Terminal of a session.
type Terminal struct {
	Type       string // TERM
	Rows, Cols uint16
}

// Process is a started command. With a terminal, Stdin and Stdout are the
// terminal and Stderr is nil.
type Process interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() io.Reader
	Resize(rows, cols uint16) error
	Signal(sig os.Signal)
	// Wait returns once the command itself has ended. Signal is set if one
	// killed it.
	Wait() Status
	// Close ends whatever is left of the command and frees the streams.
	Close()
}

// Status is how a command ended.
type Status struct {
	Exit   int
	Signal string // without SIG: TERM
}

// Starter starts a command on the node.
type Starter func(ctx context.Context, s Start) (Process, error)
