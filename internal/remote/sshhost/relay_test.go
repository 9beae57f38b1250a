package sshhost_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// relay passes bytes to a server until it is frozen.
type relay struct {
	l      net.Listener
	frozen atomic.Bool
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{l: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go r.pass(in, out)
			go r.pass(out, in)
		}
	}()
	return r
}

func (r *relay) pass(from, to net.Conn) {
	defer to.Close()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		if r.frozen.Load() {
			continue
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

func (r *relay) freeze() { r.frozen.Store(true) }

func (r *relay) port() string {
	_, port, _ := net.SplitHostPort(r.l.Addr().String())
	return port
}

// TestMain lets the test program be its own ProxyCommand, so that the tests
// need no nc on the machine.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "relay" {
		c, err := net.Dial("tcp", net.JoinHostPort(os.Args[1], os.Args[2]))
		if err != nil {
			os.Exit(1)
		}
		go func() {
			io.Copy(c, os.Stdin)
			c.Close()
		}()
		io.Copy(os.Stdout, c)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// buildRelay returns a program that joins its stdio to HOST PORT.
func buildRelay(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(t.TempDir(), "relay")
	if err := os.Symlink(self, p); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(p); err != nil {
		t.Fatal(err)
	}
	return p
}
