package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// serveControl serves a control socket until the test's end and returns its path.
func serveControl(t *testing.T, c *control) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.serve(t.Context(), l)
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return path
}

// ask sends a text to a control socket and returns the answer.
func ask(t *testing.T, path, request string) (a Answer) {
	t.Helper()
	s, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, _ = s.Write([]byte(request)) // too long a one is not read to its end
	_ = s.(*net.UnixConn).CloseWrite()
	_ = s.SetReadDeadline(time.Now().Add(20 * time.Second))
	if err := json.NewDecoder(s).Decode(&a); err != nil {
		t.Fatalf("%.60s: no answer: %v", request, err)
	}
	return a
}

func TestControl(t *testing.T) {
	stopped := make(chan struct{}, 1)
	path := serveControl(t, &control{
		info: Info{Name: "a", Topology: "two-systems", PID: 7},
		queries: map[string]func(context.Context, json.RawMessage) (any, error){
			"twice": func(_ context.Context, args json.RawMessage) (any, error) {
				var n int
				err := json.Unmarshal(args, &n)
				return 2 * n, err
			},
			"refuse": func(context.Context, json.RawMessage) (any, error) { return nil, errors.New("not today") },
			"panic":  func(context.Context, json.RawMessage) (any, error) { panic("oops") },
			"odd":    func(context.Context, json.RawMessage) (any, error) { return make(chan int), nil },
		},
		stop: func() { stopped <- struct{}{} },
	})
	var info Info
	if err := json.Unmarshal(ask(t, path, `{"op":"info"}`).Result, &info); err != nil || info.Name != "a" || info.PID != 7 {
		t.Errorf("info: got %+v, %v", info, err)
	}
	if got := ask(t, path, `{"op":"twice","args":21}`); string(got.Result) != "42" {
		t.Errorf("twice 21: got %s, %s", got.Result, got.Error)
	}
	for request, want := range map[string]string{
		`{"op":"refuse"}`:                      "not today",
		`{"op":"panic"}`:                       "panic: fault in the lab: oops",
		`{"op":"odd"}`:                         "chan",
		`{"op":"nonsense"}`:                    "nonsense: unknown request",
		`{"op":`:                               "request: ",
		`{"op":"twice","args":"a"}`:            "cannot unmarshal",
		strings.Repeat(" ", 2<<20):             "request: ",
		`{"op":"` + strings.Repeat("x", 2<<20): "request: ",
	} {
		if got := ask(t, path, request); !strings.Contains(got.Error, want) || got.Result != nil {
			t.Errorf("%.40s: got %q, %s, want %q", request, got.Error, got.Result, want)
		}
	}
	select {
	case <-stopped:
		t.Error("stopped without being asked")
	default:
	}
	ask(t, path, `{"op":"shutdown"}`)
	select {
	case <-stopped:
	case <-time.After(20 * time.Second):
		t.Error("shutdown does not stop the lab")
	}
}

// A file that a query opened comes with the answer, and is closed in the lab.
func TestControlFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, []byte("seen"), 0o600); err != nil {
		t.Fatal(err)
	}
	var opened *os.File
	path := serveControl(t, &control{queries: map[string]func(context.Context, json.RawMessage) (any, error){
		"open": func(context.Context, json.RawMessage) (any, error) {
			f, err := os.Open(name)
			opened = f
			return f, err
		},
	}})
	s, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Write([]byte(`{"op":"open"}`)); err != nil {
		t.Fatal(err)
	}
	text, rights := make([]byte, 100), make([]byte, unix.CmsgSpace(4))
	n, m, _, _, err := s.ReadMsgUnix(text, rights)
	if err != nil || string(text[:n]) != "{}" {
		t.Fatalf("got %q, %v", text[:n], err)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:m])
	if err != nil || len(messages) != 1 {
		t.Fatalf("got %d control messages, %v", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		t.Fatalf("got descriptors %v, %v", fds, err)
	}
	f := os.NewFile(uintptr(fds[0]), "passed")
	defer f.Close()
	if got, err := os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", fds[0])); err != nil || string(got) != "seen" {
		t.Errorf("the file that came: %q, %v", got, err)
	}
	// The answer ends once the lab has closed its own.
	if _, err := s.Read(text); err == nil {
		t.Error("more than one answer came")
	}
	if err := opened.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the lab's descriptor: got %v, want that it was closed", err)
	}
}
