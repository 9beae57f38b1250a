package main_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
	"seaworthy/lab"
)

// front is an SSH server in front of a lab's node, so that the connection can
// break where it hurts: every command is carried out on the node, unless a
// fault says otherwise.
func front(l *lab.Lab) remotetest.Handler {
	return func(ctx context.Context, c *remotetest.Call) int {
		exit, err := l.Exec(ctx, c.Host, "root", c.Line, lab.Stdio{In: c.Stdin, Out: c.Stdout, Err: c.Stderr})
		if err != nil {
			return 255
		}
		return exit
	}
}

// fleet opens the lab in this process and puts a server in front of each node.
func (b *box) fleet(name string) (*remotetest.Fleet, remotetest.Handler) {
	b.t.Helper()
	l, err := lab.Open(b.path("run", "seaworthy"), name)
	if err != nil {
		b.t.Fatal(err)
	}
	answer := front(l)
	handlers := map[string]remotetest.Handler{}
	for _, n := range nodes {
		handlers["root@"+n] = answer
	}
	return remotetest.Start(b.t, handlers), answer
}

// once gives the first matching command to a fault, all others to the host.
func once(pattern string, fault, others remotetest.Handler) remotetest.Handler {
	var done atomic.Bool
	match := regexp.MustCompile(pattern)
	return func(ctx context.Context, c *remotetest.Call) int {
		if match.MatchString(c.Command) && done.CompareAndSwap(false, true) {
			return fault(ctx, c)
		}
		return others(ctx, c)
	}
}

func cutBefore(ctx context.Context, c *remotetest.Call) int {
	c.Cut()
	<-ctx.Done()
	return 0
}

// cutAfter lets the command take effect, and loses its answer.
func cutAfter(answer remotetest.Handler) remotetest.Handler {
	return func(ctx context.Context, c *remotetest.Call) int {
		quiet := *c
		quiet.Stdout, quiet.Stderr, quiet.Stdin = io.Discard, io.Discard, nil
		answer(context.WithoutCancel(ctx), &quiet)
		c.Cut()
		<-ctx.Done()
		return 0
	}
}

// A host dies in the middle of apply, before or after the change took effect:
// all is put back over a new connection, and the message says where it was.
func TestApplyHostDies(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, false)
	b.lab("d")
	f, answer := b.fleet("d")
	before := b.values("d")
	plan := b.path("out", "plan.json")
	b.must(command.ExitNo, "plan", "-F", f.Config, "lpar1", "lpar2", "-o", plan, "--set", "lpar1:en0:mtu_bypass=on", "--set", "lpar2:en0:mtu_bypass=on")
	type fault struct {
		name, host, command string
		fault               remotetest.Handler
		want                string
	}
	faults := []fault{
		{"after the change", "lpar2", "^chdev", cutAfter(answer), "connection lost"},
		{"garbage when reading back", "lpar1", "^lsattr -El en0 -a mtu_bypass -F", remotetest.Garbage(1 << 20), "mtu_bypass"},
	}
	if rounds(1) > 1 {
		faults = append(faults,
			fault{"before the change", "lpar2", "^chdev", cutBefore, "connection lost"},
			fault{"while reading back", "lpar2", "^lsattr -El en0 -a mtu_bypass -F", cutBefore, "connection lost"},
			fault{"the change is refused", "lpar2", "^chdev", remotetest.Table{}.Serve, "exit status 127"})
	}
	for _, c := range faults {
		f.Server(c.host).SetHandler(once(c.command, c.fault, answer))
		r := b.try("apply", "-F", f.Config, plan)
		f.Server(c.host).SetHandler(answer)
		if r.exit != command.ExitRolledBack {
			t.Errorf("%s: %s\nwant exit 4", c.name, r)
		}
		r.says(t, c.host, c.want)
		if run := b.runs()[0]; run.Outcome != "rolled-back" {
			t.Errorf("%s: run is %s, want rolled-back", c.name, run.Outcome)
		}
		if now := b.values("d"); now != before {
			t.Fatalf("%s: values (-before +now):\n%s", c.name, diff(before, now))
		}
	}
	// The host stays away: exit 1, the message names the way back, and once the
	// host is there again that way works.
	gone := f.Server("lpar2")
	dead := false
	gone.SetHandler(func(ctx context.Context, c *remotetest.Call) int {
		dead = dead || strings.HasPrefix(c.Command, "chdev")
		if dead {
			return cutAfter(answer)(ctx, c)
		}
		return answer(ctx, c)
	})
	r := b.try("apply", "-F", f.Config, plan)
	run := b.runs()[0]
	if r.exit != command.ExitFailed || run.Outcome != "partial" {
		t.Errorf("the host stays away: %s\nrun is %s; want exit 1, partial", r, run.Outcome)
	}
	r.says(t, "lpar2", "seaworthy rollback "+run.ID)
	gone.SetHandler(answer)
	b.must(command.ExitDone, "rollback", "-F", f.Config, run.ID)
	if now := b.values("d"); now != before {
		t.Errorf("after the late rollback (-before +now):\n%s", diff(before, now))
	}
}

// One host of several fails in collect, each in its own way: the others are
// kept, the message names the host and says why.
func TestCollectHostsFail(t *testing.T) {
	t.Parallel()
	b := newBox(t, false)
	b.lab("d")
	f, answer := b.fleet("d")
	type fault struct {
		name string
		set  func()
		want []string // in the message
		kept bool     // something was read before
	}
	s := f.Server("vios1")
	faults := []fault{
		{"refused key", func() { s.RefuseLogins(true) }, []string{"vios1", "authentication refused", "authorized_keys"}, false},
		{"dies for good", func() {
			var n atomic.Int32
			s.SetHandler(func(ctx context.Context, c *remotetest.Call) int {
				if n.Add(1) > 12 {
					s.Down()
				}
				return answer(ctx, c)
			})
		}, []string{"vios1"}, true},
	}
	if rounds(1) > 1 { // it takes four time limits
		faults = append(faults, fault{"hangs", func() {
			s.SetHandler(remotetest.On(regexp.MustCompile("^entstat|^lsattr"), remotetest.Hang, answer))
		}, []string{"vios1", "did not end"}, true})
	}
	for i, c := range faults {
		s.RefuseLogins(false)
		c.set()
		dir := b.path("out", "fail"+string(rune('0'+i)))
		r := b.try("collect", "-F", f.Config, "lpar1", "lpar2", "vios1", "-o", dir)
		if r.exit != command.ExitInconclusive {
			t.Errorf("%s: %s\nwant exit 3", c.name, r)
		}
		r.says(t, c.want...)
		for _, h := range []string{"lpar1", "lpar2"} {
			if _, err := os.Stat(filepath.Join(dir, h, "manifest.json")); err != nil {
				t.Errorf("%s: the others are not kept: %v", c.name, err)
			}
		}
		_, err := os.Stat(filepath.Join(dir, "vios1.partial", "manifest.json"))
		if kept := err == nil; kept != c.kept {
			t.Errorf("%s: what was read before is kept: %v, want %v (%v)", c.name, kept, c.kept, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "vios1")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: an incomplete snapshot stands under the host's own name", c.name)
		}
	}
}

// Logins that must not happen, and hosts that are not what they seem.
func TestStrangeHosts(t *testing.T) {
	t.Parallel()
	b := newBox(t, false)
	odd := remotetest.Table{"uname -s": {Stdout: "HP-UX\n"}, "uname -a": {Stdout: "HP-UX hp\n"}}
	f := remotetest.Start(t, map[string]remotetest.Handler{
		"root@unknown": odd.Serve, "root@changed": odd.Serve, "root@other": odd.Serve,
		"root@noise": remotetest.Garbage(1 << 20), "root@mute": remotetest.Table{}.Serve,
	})
	f.Server("changed").NewHostKey()
	for _, c := range []struct {
		host string
		exit int
		want []string
	}{
		{"changed", command.ExitFailed, []string{"changed", "host key not accepted", "ssh-keygen -R"}},
		{"nowhere.invalid", command.ExitFailed, []string{"nowhere.invalid"}},
		// Not judged is not healthy.
		{"noise", command.ExitInconclusive, []string{"noise", "neither AIX, VIOS nor Linux"}},
		{"other", command.ExitInconclusive, []string{"other", "neither AIX, VIOS nor Linux"}},
		{"mute", command.ExitInconclusive, []string{"mute: no command succeeds", "uname -a"}},
	} {
		r := b.try("audit", "-F", f.Config, c.host)
		if r.exit != c.exit {
			t.Errorf("%s\nwant exit %d", r, c.exit)
		}
		r.says(t, c.want...)
		if strings.ContainsAny(r.out+r.err, "\x00\x07\x1b") {
			t.Errorf("audit %s prints what the host sent as it is", c.host)
		}
	}
	if err := os.WriteFile(f.KnownHosts, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := b.try("audit", "-F", f.Config, "unknown")
	if r.exit != command.ExitFailed {
		t.Errorf("%s\nwant exit 1", r)
	}
	r.says(t, "unknown", "host key not accepted", "ssh-keyscan")
	for _, s := range f.Server("unknown").Lines() {
		t.Errorf("a host whose key is unknown was sent %q", s)
	}
}
