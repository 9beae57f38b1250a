package cli_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/collect"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
	"seaworthy/internal/test/script"
)

// TestScripts runs every verb as a user does, one script after another of
// testdata/script. In addition to testscript's own commands a script has:
//
//	exits N COMMAND…         run it; its exit status must be N
//	full N COMMAND…          the same, with standard output on a full disk
//	json PATH WANT           a value of the JSON just printed, by a path like findings.0.rule; len counts
//	narrow                   no line just printed is longer than 120 columns
//	snapshot DIR             a saved collection of lpar1, vios1, lpar2 and vios2
//	earlier DIR DURATION     its snapshots were taken so much earlier
//	[!] conforms [plan]      the JSON just printed follows the schema of audit, or of plan
//	fleet                    the same as live hosts: $SSH is their ssh_config, hosts.yaml their inventory
//	fault HOST KIND [REGEXP] what goes wrong there: see faults
//	[!] sent HOST REGEXP     whether the host got such a command line
//	interrupt N HOST REGEXP COMMAND…
//	                         run it, Ctrl-C it once the host got such a line; its exit status must be N
//	serving ARGS…            seaworthy serve in the background
//	[!] page PATH REGEXP     what one of its pages has
//	ended N                  Ctrl-C it; its exit status must be N
func TestScripts(t *testing.T) {
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("got scripts %v, %v", all, err)
	}
	p := params(saved(t))
	p.Files = draw.OneIn(t, 10, all)
	testscript.Run(t, p)
}

func params(snapshot string) testscript.Params {
	return testscript.Params{
		UpdateScripts: *update, RequireUniqueNames: true, RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			tb, ok := e.T().(testing.TB)
			if !ok {
				return errors.New("not started by go test")
			}
			e.Values["run"] = &run{t: tb, snapshot: snapshot}
			e.Values[script.ServerKey] = &script.Server{}
			for _, v := range []string{"HOME", "XDG_STATE_HOME"} {
				dir := filepath.Join(e.WorkDir, strings.ToLower(v))
				if err := os.MkdirAll(dir, 0o700); err != nil {
					return err
				}
				e.Setenv(v, dir)
			}
			e.Setenv("XDG_RUNTIME_DIR", filepath.Join(e.WorkDir, "none"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": script.Exits, "full": full, "json": script.JSON, "narrow": script.Narrow, "snapshot": snapshotTo,
			"conforms": conforms, "earlier": script.Earlier,
			"fleet": fleet, "fault": faulty, "sent": sent, "logins": logins, "interrupt": interrupt,
			"serving": script.Serving, "page": script.Page, "pagesof": script.PagesOf, "ended": script.Ended,
		},
	}
}

// run holds what a script's commands share.
type run struct {
	t        testing.TB
	snapshot string
	fleet    *remotetest.Fleet
	hosts    map[string]*fakeHost
	logins   map[string]int // when they were counted last
}

func of(ts *testscript.TestScript) *run { return ts.Value("run").(*run) }

// saved collects the fake hosts once for all scripts.
func saved(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "snapshot")
	r := &run{t: t}
	r.start()
	out, err := collect.Fleet(t.Context(), r.fleet.Hosts("lpar1", "vios1", "lpar2", "vios2"), dir, collect.Options{}, nil)
	for _, o := range out {
		err = errors.Join(err, o.Err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (r *run) start() {
	r.hosts, r.logins = map[string]*fakeHost{}, map[string]int{}
	handlers := map[string]remotetest.Handler{}
	for login, h := range fakeFleet(r.t) {
		_, name, _ := strings.Cut(login, "@")
		r.hosts[name], handlers[login] = h, h.serve
	}
	r.fleet = remotetest.Start(r.t, handlers)
}

func snapshotTo(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(of(ts).snapshot)))
}

func fleet(ts *testscript.TestScript, _ bool, _ []string) {
	r := of(ts)
	r.start()
	ts.Setenv("SSH", r.fleet.Config)
	ts.Setenv("KNOWN_HOSTS", r.fleet.KnownHosts)
	text := "ssh_config: " + r.fleet.Config + "\nhosts:\n  lpar1: {}\n  vios1: {platform: vios}\n  vios2: {platform: vios}\n  lpar2: {}\n"
	ts.Check(os.WriteFile(ts.MkAbs("hosts.yaml"), []byte(text), 0o600))
}

// full runs a command whose standard output is a full disk. What it says on
// stderr stands in the file "errors" afterwards.
func full(ts *testscript.TestScript, _ bool, args []string) {
	out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	ts.Check(err)
	defer out.Close()
	script.Check(ts, args[0], script.Start(ts, out, args[1:]).Wait())
}

func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	server, re := of(ts).fleet.Server(args[1]), regexp.MustCompile(args[2])
	before := len(server.Lines())
	cmd := script.Start(ts, nil, args[3:])
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !slices.ContainsFunc(server.Lines()[before:], re.MatchString) {
		select {
		case err := <-ended:
			ts.Fatalf("it ended (%v) before %s got %s: %s", err, args[1], re, ts.ReadFile("errors"))
		case <-time.After(5 * time.Millisecond):
		}
	}
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	script.Check(ts, args[0], <-ended)
}

func sent(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts).fleet.Server(args[0])
	if slices.ContainsFunc(s.Lines(), regexp.MustCompile(args[1]).MatchString) == neg {
		ts.Fatalf("%s got:\n%s", args[0], strings.Join(s.Lines(), "\n"))
	}
}

// logins checks how many logins hosts saw since the last time it was called,
// "HOST=N" each.
func logins(ts *testscript.TestScript, _ bool, args []string) {
	r := of(ts)
	for _, arg := range args {
		host, want, _ := strings.Cut(arg, "=")
		now := r.fleet.Server(host).Connections()
		if got := strconv.Itoa(now - r.logins[host]); got != want {
			ts.Fatalf("%s saw %s logins, want %s", host, got, want)
		}
		r.logins[host] = now
	}
}

// faulty makes a host go wrong. Kinds: refuse (logins), newkey (another host
// key), down, mute, and for matching commands: die (after half an answer),
// hang, fail, garbage, slow (100 ms late), none (as before).
func faulty(ts *testscript.TestScript, _ bool, args []string) {
	r := of(ts)
	s, h := r.fleet.Server(args[0]), r.hosts[args[0]]
	var handler remotetest.Handler
	switch args[1] {
	case "refuse":
		s.RefuseLogins(true)
	case "newkey":
		s.NewHostKey()
	case "down":
		s.Down()
	case "mute":
		s.Mute(true)
	case "die":
		handler = remotetest.DieAfter("half an ans")
	case "hang":
		handler = remotetest.Hang
	case "fail":
		handler = func(_ context.Context, c *remotetest.Call) int {
			fmt.Fprintln(c.Stderr, "0514-062 Cannot perform the requested function because the specified device is busy.")
			return 1
		}
	case "garbage":
		handler = remotetest.Garbage(64 << 10)
	case "slow":
		handler = func(ctx context.Context, c *remotetest.Call) int {
			await.Pause(100 * time.Millisecond)
			return h.well(ctx, c)
		}
	case "none":
		h.mu.Lock()
		h.faults = nil
		h.mu.Unlock()
	default:
		ts.Fatalf("fault: no kind %s", args[1])
	}
	if handler != nil {
		h.mu.Lock()
		h.faults = append(h.faults, fault{regexp.MustCompile(args[2]), handler})
		h.mu.Unlock()
	}
}
