package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// echo is a process that prints what it was started with, then its input.
type echo struct {
	in  *io.PipeReader
	inW *io.PipeWriter
	out io.Reader
}

func (e *echo) Stdin() io.WriteCloser       { return e.inW }
func (e *echo) Stdout() io.Reader           { return e.out }
func (e *echo) Stderr() io.Reader           { return strings.NewReader("err") }
func (e *echo) Resize(rows, c uint16) error { return nil }
func (e *echo) Signal(os.Signal)            {}
func (e *echo) Wait() Status                { return Status{Exit: 5} }
func (e *echo) Close()                      { e.in.Close() }

func startEcho(_ context.Context, s Start) (Process, error) {
	if s.Line == "fail" {
		return nil, errors.New("no more processes")
	}
	r, w := io.Pipe()
	head := s.User + "|" + s.Line + "|" + strings.Join(s.Env, ",") + "|"
	return &echo{in: r, inW: w, out: io.MultiReader(strings.NewReader(head), r)}, nil
}

func signer(t *testing.T) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestServer(t *testing.T) {
	host, user := signer(t), signer(t)
	l, err := net.Listen("unix", t.TempDir()+"/s")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go Serve(t.Context(), l, Config{HostKey: host, Allowed: user.PublicKey(), Users: []string{"root"}, Start: startEcho})
	login := func(name string, auth ...ssh.AuthMethod) (*ssh.Client, error) {
		s, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c, chans, reqs,
			err := ssh.NewClientConn(s, "", &ssh.ClientConfig{User: name, Auth: auth, HostKeyCallback: ssh.FixedHostKey(host.PublicKey())})
		if err != nil {
			s.Close()
			return nil, err
		}
		return ssh.NewClient(c, chans, reqs), nil
	}
	for name, auth := range map[string]ssh.AuthMethod{
		"nobody": ssh.PublicKeys(user), "root": ssh.PublicKeys(signer(t)), "padmin": ssh.Password(""),
	} {
		if c, err := login(name, auth); err == nil {
			c.Close()
			t.Errorf("login %s: accepted, want a refusal", name)
		}
	}
	c, err := login("root", ssh.PublicKeys(user))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()

	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Setenv("LC_ALL", "C"); err != nil {
		t.Errorf("LC_ALL: %v", err)
	}
	for _, name := range []string{"PATH", "LD_PRELOAD", "LC_X=Y\x00"} {
		if s.Setenv(name, "x") == nil {
			t.Errorf("environment %q: accepted, want a refusal", name)
		}
	}
	var out, errs bytes.Buffer
	s.Stdin, s.Stdout, s.Stderr = strings.NewReader("input"), &out, &errs
	err = s.Run("a 'line'")
	var exit *ssh.ExitError
	if !errors.As(err, &exit) || exit.ExitStatus() != 5 || out.String() != "root|a 'line'|LC_ALL=C|input" || errs.String() != "err" {
		t.Errorf("run: got %q, %q, %v", out.String(), errs.String(), err)
	}
	s, err = c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run("fail"); err == nil {
		t.Error("a command that cannot be started: got no error")
	}
	if _, err := c.Dial("tcp", "127.0.0.1:1"); err == nil {
		t.Error("forwarding: accepted, want a refusal")
	}
}
