package sshhost_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
	"seaworthy/internal/remote/sshhost"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/remotetest"
)

// open resolves a name with an ssh_config text; the fleet's own config follows
// it, so that the text only says what differs.
func open(t *testing.T, f *remotetest.Fleet, name, extra string) *sshhost.Host {
	t.Helper()
	base, err := os.ReadFile(f.Config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, append([]byte(extra+"\n"), base...), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := sshconfig.New(file)
	if err != nil {
		t.Fatal(err)
	}
	h := sshhost.New(name, func() (*sshconfig.Settings, error) { return c.Resolve(sshconfig.Target{Alias: name}) }, sshhost.NewLogins(0))
	t.Cleanup(func() { h.Close() })
	return h
}

// expect checks that an error has a reason, names the host and says certain
// things.
func expect(t *testing.T, err, reason error, parts ...string) {
	t.Helper()
	if !errors.Is(err, reason) {
		t.Fatalf("got error %v, want one that is %v", err, reason)
	}
	var e *remote.Error
	if !errors.As(err, &e) || e.Host == "" {
		t.Fatalf("got error %#v, want a *remote.Error that names the host", err)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("got %q, want it to say %q", err, p)
		}
	}
}

func run(h remote.Host, line string) (*remote.Result, error) {
	return h.Run(context.Background(), remote.Command{Line: line})
}

func TestRun(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"padmin@vios1": remotetest.Shell})
	h := f.Host("vios1")
	for _, tc := range []struct {
		name      string
		c         remote.Command
		want      string
		exit      int
		printed   int64
		truncated bool
	}{
		{"both streams", remote.Command{Line: "echo out; echo err >&2; exit 3"}, "out\n|err\n", 3, 8, false},
		{"stdin", remote.Command{Line: "cat", Stdin: strings.NewReader("in")}, "in|", 0, 2, false},
		{"unread stdin", remote.Command{Line: "true", Stdin: strings.NewReader(strings.Repeat("x", 1<<20))}, "|", 0, 0, false},
		{"no stdin", remote.Command{Line: "cat"}, "|", 0, 0, false},
		{"cut off", remote.Command{Line: "head -c 3000000 /dev/zero | tr '\\0' y", MaxOutput: 3}, "yyy|", 0, 3000000, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := h.Run(context.Background(), tc.c)
			if err != nil {
				t.Fatal(err)
			}
			have := fmt.Sprint(string(got.Stdout), "|", string(got.Stderr), got.Exit, got.Printed, got.Truncated)
			want := fmt.Sprint(tc.want, tc.exit, tc.printed, tc.truncated)
			if have != want {
				t.Errorf("got %q, want %q", have, want)
			}
		})
	}
	if n := f.Server("vios1").Logins(); n != 1 {
		t.Errorf("got %d logins for %d commands, want one shared connection", n, len(f.Server("vios1").Lines()))
	}
	if got := h.(interface{ User() string }).User(); got != "padmin" {
		t.Errorf("got user %q, want padmin", got)
	}
}

func TestConcurrentSessions(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Server("lpar1").MaxSessions(2) // fewer than this side would use
	h := f.Host("lpar1")
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			res, err := run(h, fmt.Sprintf("sleep 0.02; echo %d", i))
			if err != nil {
				t.Error(err)
				return
			}
			if got, want := string(res.Stdout), fmt.Sprintln(i); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
	if n := f.Server("lpar1").Logins(); n != 1 {
		t.Errorf("got %d logins, want 1", n)
	}
}

func TestStart(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	s, err := f.Host("lpar1").Start(context.Background(), "while read x; do echo got $x; done; exit 4")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(s.Stdin, "a")
	fmt.Fprintln(s.Stdin, "b")
	s.Stdin.Close()
	out, err := io.ReadAll(s.Stdout)
	if got := string(out); err != nil || got != "got a\ngot b\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if exit, err := s.Wait(); exit != 4 || err != nil {
		t.Errorf("got exit %d, %v, want 4", exit, err)
	}
}

func TestStartCloseEndsCommand(t *testing.T) {
	ended := make(chan struct{})
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": func(ctx context.Context, c *remotetest.Call) int {
		defer close(ended)
		return remotetest.Hang(ctx, c)
	}})
	s, err := f.Host("lpar1").Start(context.Background(), "iperf -s")
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	<-ended // or the test's own limit
}

func TestLimit(t *testing.T) {
	ended := make(chan struct{})
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": func(ctx context.Context, c *remotetest.Call) int {
		defer close(ended)
		io.WriteString(c.Stdout, "half")
		return remotetest.Hang(ctx, c)
	}})
	res, err := f.Host("lpar1").Run(context.Background(), remote.Command{Line: "entstat -d ent0", Limit: 300 * time.Millisecond})
	expect(t, err, remote.ErrTimeout, "lpar1: entstat -d ent0: ", "300ms")
	if got := string(res.Stdout); got != "half" {
		t.Errorf("partial output: got %q, want %q", got, "half")
	}
	<-ended
}

func TestCancel(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Hang})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err := f.Host("lpar1").Run(ctx, remote.Command{Line: "sleep 9"})
	expect(t, err, remote.ErrTimeout, "lpar1: sleep 9: ", "stopped before its end")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it to be context.Canceled too", err)
	}
}

func TestLostAndReconnect(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.On(regexp.MustCompile("^die"),
		remotetest.DieAfter("some"), remotetest.Shell)})
	h, s := f.Host("lpar1"), f.Server("lpar1")
	if _, err := run(h, "true"); err != nil {
		t.Fatal(err)
	}
	res, err := run(h, "die")
	expect(t, err, remote.ErrLost, "lpar1: die: ")
	if got := string(res.Stdout); got != "some" {
		t.Errorf("partial output: got %q, want %q", got, "some")
	}
	if n := strings.Count(strings.Join(s.Lines(), "\n"), "die"); n != 1 {
		t.Errorf("the command was sent %d times, want once: it may have had an effect", n)
	}
	if res, err = run(h, "echo back"); err != nil || string(res.Stdout) != "back\n" {
		t.Fatalf("after the loss: got %v, %v", res, err)
	}
	s.Cut()
	if _, err = run(h, "echo idle"); err != nil {
		t.Errorf("after a cut between commands: %v", err)
	}
	if n := s.Logins(); n != 3 {
		t.Errorf("got %d logins, want 3", n)
	}
	s.Down()
	_, err = run(h, "true")
	expect(t, err, remote.ErrUnreachable, "connection refused", "does sshd run there")
}

func TestKeepAlive(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Hang})
	// A relay that stops passing bytes: the link is dead but nothing says so.
	relay := newRelay(t, f.Server("lpar1").Address())
	h := open(t, f, "lpar1", "Host lpar1\n Port "+relay.port()+"\n ServerAliveInterval 1\n ServerAliveCountMax 1\n HostKeyAlias lpar1\n StrictHostKeyChecking accept-new\n")
	time.AfterFunc(300*time.Millisecond, relay.freeze)
	_, err := run(h, "hang")
	expect(t, err, remote.ErrLost, "lpar1: hang: ")
}

func TestConnectTimeout(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Server("lpar1").Mute(true)
	h := open(t, f, "lpar1", "ConnectTimeout 1")
	_, err := run(h, "true")
	expect(t, err, remote.ErrUnreachable, "no answer from 127.0.0.1:", "within 1s", "firewall")
}

// Commands that wait for the same dial share its failure: a host that is down
// or refuses the key sees one attempt, not one a command.
func TestFailedDialIsShared(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var dials atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close() // never answers
			dials.Add(1)
		}
	}()
	f := remotetest.Start(t, nil)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	h := open(t, f, "lpar1", "HostName 127.0.0.1\nPort "+port+"\nConnectTimeout 1")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			_, err := run(h, "true")
			expect(t, err, remote.ErrUnreachable, "no answer from")
		})
	}
	all.Wait()
	if n := dials.Load(); n != 1 {
		t.Errorf("got %d connections for three commands at once, want 1", n)
	}
}

// A refusal is final for a run: by a jump host for all hosts behind it, and by
// five hosts in a row for all others.
func TestRefusedLogins(t *testing.T) {
	names := []string{"gate", "a", "b", "c", "d", "e", "f", "g", "h"}
	handlers := map[string]remotetest.Handler{}
	for _, n := range names {
		handlers[n] = remotetest.Shell
	}
	f := remotetest.Start(t, handlers)
	for _, n := range names {
		f.Server(n).RefuseLogins(true)
	}
	refused := func() (n int) {
		for _, name := range names {
			n += f.Server(name).Refused()
		}
		return n
	}
	all := func(o targets.Options) {
		t.Helper()
		list, err := targets.Open(t.Context(), names[1:], o)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for _, h := range slices.Concat(list, list) {
			wait.Go(func() {
				_, err := run(h, "true")
				expect(t, err, remote.ErrAuth, h.Name()+": ")
			})
		}
		wait.Wait()
	}
	all(targets.Options{SSHConfig: f.Config, Run: targets.NewRun(5)})
	if n := refused(); n != 5 {
		t.Errorf("got %d refused logins on eight hosts, want 5", n)
	}
	base, err := os.ReadFile(f.Config)
	if err != nil {
		t.Fatal(err)
	}
	behind := filepath.Join(t.TempDir(), "config")
	write(t, behind, "Host ?\n ProxyJump gate\n"+string(base))
	all(targets.Options{SSHConfig: behind, Run: targets.NewRun(5)})
	if n := f.Server("gate").Refused(); n != 1 || refused() != 6 {
		t.Errorf("got %d refused logins on the jump host and %d on others, want 1 and none", n, refused()-6)
	}
}

func TestUnknownName(t *testing.T) {
	f := remotetest.Start(t, nil)
	h := open(t, f, "lpar9", "HostName no-such-host.invalid")
	_, err := run(h, "true")
	expect(t, err, remote.ErrNoAddress, "lpar9: ", "no-such-host.invalid")
}

func TestNotSSH(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, "220 mail ready\r\n\x1b[31m")
			c.Close()
		}
	}()
	f := remotetest.Start(t, nil)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_, err = run(open(t, f, "x", "HostName 127.0.0.1\nPort "+port), "true")
	expect(t, err, remote.ErrUnreachable, "x: ")
	if strings.ContainsRune(err.Error(), 0x1b) {
		t.Errorf("%q passes an escape sequence on", err)
	}
}

func TestProxyCommand(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	relay := buildRelay(t)
	h := open(t, f, "lpar1", "Host lpar1\n ProxyCommand "+relay+" %h %p")
	res, err := run(h, "echo through")
	if err != nil || string(res.Stdout) != "through\n" {
		t.Fatalf("got %v, %v", res, err)
	}
	h = open(t, f, "lpar1", "Host lpar1\n ProxyCommand echo no way to %n >&2; exit 1")
	_, err = run(h, "true")
	expect(t, err, remote.ErrUnreachable, "ProxyCommand says: no way to lpar1")
}

// What a ProxyCommand started is gone when the host is closed, or its login has failed.
func TestProxyCommandEnds(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	relay := buildRelay(t)
	mark := fmt.Sprintf("98%d", os.Getpid())
	for name, command := range map[string]string{
		"hangs":                     "sh -c 'sleep " + mark + " & sleep " + mark + "'",
		"fails":                     "sh -c 'sleep " + mark + " & exit 1'",
		"works, and leaves a child": "sh -c 'sleep " + mark + " & " + relay + " %h %p'",
		"starts a session":          "sh -c 'setsid sleep " + mark + " & sleep " + mark + "'",
		"works beside a session":    "sh -c 'setsid sleep " + mark + " & " + relay + " %h %p'",
		"works":                     relay + " %h %p",
	} {
		h := open(t, f, "lpar1", "Host lpar1\n ConnectTimeout 1\n ProxyCommand "+command)
		_, err := run(h, "true")
		if works := strings.HasPrefix(name, "works"); works != (err == nil) {
			t.Errorf("%s: got %v, want success %v", name, err, works)
		}
		if err := h.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
		commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range commands {
			text, _ := os.ReadFile(file) // the process may have ended
			if strings.HasPrefix(string(text), "sleep\x00"+mark) {
				t.Errorf("%s: %s is still there: %q", name, file, text)
			}
		}
	}
}

func TestProxyJump(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell, "gate1": remotetest.Shell, "gate2": remotetest.Shell})
	h := open(t, f, "lpar1", "Host lpar1\n ProxyJump gate1,gate2")
	res, err := run(h, "echo through")
	if err != nil || string(res.Stdout) != "through\n" {
		t.Fatalf("got %v, %v", res, err)
	}
	var logins []int
	for _, n := range []string{"gate1", "gate2", "lpar1"} {
		logins = append(logins, f.Server(n).Logins())
	}
	if diff := cmp.Diff([]int{1, 1, 1}, logins); diff != "" {
		t.Errorf("logins, want -, got +\n%s", diff)
	}
	f.Server("gate1").Down()
	_, err = run(open(t, f, "lpar1", "Host lpar1\n ProxyJump gate1"), "true")
	expect(t, err, remote.ErrUnreachable, "lpar1: ", "jump host gate1", "connection refused")
	f.Server("lpar1").Down()
	_, err = run(open(t, f, "lpar1", "Host lpar1\n ProxyJump gate2"), "true")
	expect(t, err, remote.ErrUnreachable, "lpar1: ", "jump host cannot reach")
}

func TestClosed(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	h := f.Host("lpar1")
	h.Close()
	if _, err := run(h, "true"); err == nil {
		t.Error("a closed host: got no error")
	}
	if lines := f.Server("lpar1").Lines(); slices.Contains(lines, "true") {
		t.Error("a closed host still ran the command")
	}
}

func TestNoSessionAtAll(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Server("lpar1").MaxSessions(-1)
	_, err := run(f.Host("lpar1"), "true")
	expect(t, err, remote.ErrUnreachable, "lpar1: unreachable: the server opens no session", "the server opens no session: open failed")
}
