package rpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func serveFake(t *testing.T, commands map[string]Command) string {
	t.Helper()
	sock := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go Serve(t.Context(), l, "lpar1", commands)
	return sock
}

func TestCall(t *testing.T) {
	ended := make(chan struct{})
	sock := serveFake(t, map[string]Command{
		"args": func(_ context.Context, c *Call) int {
			fmt.Fprintf(c.Stdout, "%s %s %v %q", c.Node, c.User, c.VIOS, c.Argv)
			fmt.Fprint(c.Stderr, "said")
			return 3
		},
		"upper": func(_ context.Context, c *Call) int {
			b, _ := io.ReadAll(c.Stdin)
			io.WriteString(c.Stdout, strings.ToUpper(string(b)))
			return 0
		},
		"big": func(_ context.Context, c *Call) int {
			c.Stdout.Write(bytes.Repeat([]byte("x"), 5<<20))
			return 0
		},
		"broken": func(context.Context, *Call) int { panic("oh") },
		"wait": func(ctx context.Context, c *Call) int {
			<-ctx.Done()
			close(ended)
			return 0
		},
	})
	do := func(in io.Reader, argv ...string) (string, string, int) {
		t.Helper()
		var out, errs bytes.Buffer
		x, err := Do(sock, Request{User: "padmin", Argv: argv, VIOS: true}, in, &out, &errs)
		if err != nil {
			t.Fatalf("%v: %v", argv, err)
		}
		return out.String(), errs.String(), x
	}
	if out, errs, x := do(nil, "args", "a b", ""); out != `lpar1 padmin true ["args" "a b" ""]` || errs != "said" || x != 3 {
		t.Errorf("args: got %q, %q, exit %d", out, errs, x)
	}
	if out, _, _ := do(strings.NewReader("abc"), "upper"); out != "ABC" {
		t.Errorf("upper: got %q, want ABC", out)
	}
	// A reader that must not be read: the command does not ask.
	if _, _, x := do(failing{t}, "args"); x != 3 {
		t.Errorf("args with a forbidden stdin: got exit %d, want 3", x)
	}
	if out, _, _ := do(nil, "big"); len(out) != 5<<20 {
		t.Errorf("big: got %d bytes, want %d", len(out), 5<<20)
	}
	if _, errs, x := do(nil, "broken"); x != 70 || !strings.Contains(errs, "oh") {
		t.Errorf("broken: got exit %d, %q", x, errs)
	}
	if _, _, x := do(nil, "nothing"); x != 127 {
		t.Errorf("unknown command: got exit %d, want 127", x)
	}
	s, err := net.Dial("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	(&conn{rw: s}).send(request, []byte(`{"argv":["wait"]}`))
	s.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("a caller that went away: the command still runs")
	}
}

func TestNoLab(t *testing.T) {
	if _, err := Do(filepath.Join(t.TempDir(), "none"), Request{Argv: []string{"lsattr"}}, nil, io.Discard, io.Discard); err == nil {
		t.Error("no socket: got no error")
	}
}

type failing struct{ t *testing.T }

func (f failing) Read([]byte) (int, error) {
	f.t.Error("stdin was read though the command did not ask")
	return 0, io.EOF
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte("o\x00\x00\x00\x01x"))
	f.Add([]byte("o\xff\xff\xff\xffx"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, body, err := (&conn{rw: bytes.NewBuffer(b)}).receive()
		if err == nil && len(body) > len(b) {
			t.Errorf("got %d bytes from %d", len(body), len(b))
		}
	})
}
