package execute_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/await"
)

// real is a host whose commands are run by this machine's shell; its values
// are files that chdev writes.
type real struct {
	name, tools, values, base string

	mu   sync.Mutex
	lose bool // the next session is lost when its command has begun
	gone bool // no connection
	deaf int  // so many confirmations get no answer, and are not heard
	mute bool // it does not say how a run stands
	tidy bool // the run's folder is removed once it is confirmed

	heard func(script string) // what is sent to the host's shell
}

var realTools = map[string]string{
	"chdev": `el=$2; shift 2; [ -f "$V/hang" ] && sleep 4715; while [ $# -gt 0 ]; do case $1 in
		*=*) [ -f "$V/refuse.${1#*=}" ] && { echo 0514-062 busy >&2; exit 1; }; printf %s "${1#*=}" >"$V/$el.${1%%=*}" ;; esac; shift; done`,
	"lsattr": `cat "$V/$2.$4"; echo`,
}

func newReal(t *testing.T, name string) *real {
	t.Helper()
	r := &real{name: name, tools: t.TempDir(), values: t.TempDir()}
	r.base = filepath.Join(t.TempDir(), "runs")
	t.Cleanup(func() {
		r.mu.Lock()
		r.gone, r.lose = false, false
		r.mu.Unlock()
		k := watchdog.Client{Host: r, Folder: "@BASE@"}
		states, _ := k.Runs(context.Background())
		for _, s := range states {
			_, _ = k.Revert(context.Background(), s.Run)
		}
		// Watchers take a folder that is removed for a loss, and try for minutes to undo.
		_, _, _ = k.Clean(context.Background(), "")
		await.Ended(t, r.base)
	})
	for n, text := range realTools {
		if err := os.WriteFile(filepath.Join(r.tools, n), []byte("#!/bin/sh\nV="+r.values+"\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.put(t, "en0.mtu_bypass", "off")
	r.put(t, "en0.rfc1323", "0")
	return r
}

func (r *real) put(t *testing.T, file, value string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.values, file), []byte(value), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (r *real) get(file string) string {
	text, _ := os.ReadFile(filepath.Join(r.values, file))
	return string(text)
}

func (r *real) Name() string { return r.name }

func (r *real) Close() error { return nil }

func (r *real) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

func (r *real) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	r.mu.Lock()
	gone, script := r.gone, ""
	if c.Stdin != nil {
		text, err := io.ReadAll(c.Stdin)
		if err != nil {
			return nil, err
		}
		script = strings.ReplaceAll(string(text), "@BASE@", r.base)
	}
	if r.heard != nil {
		r.heard(script)
	}
	if r.mute && strings.Contains(script, "watchdog.sh\" show") {
		r.mu.Unlock()
		return &remote.Result{Exit: 1, Stderr: []byte("0403-029 There is not enough memory available now")}, nil
	}
	if r.deaf > 0 && strings.Contains(script, "watchdog.sh\" confirm") {
		r.deaf--
		r.mu.Unlock()
		return &remote.Result{Exit: 1, Stderr: []byte("0403-029 There is not enough memory available now")}, nil
	}
	lose := r.lose && strings.Contains(script, "watchdog.sh\" start")
	if lose {
		r.lose = false
	}
	r.mu.Unlock()
	if gone {
		return nil, &remote.Error{Host: r.name, Err: remote.ErrUnreachable}
	}
	cmd := exec.Command("/bin/sh", "-c", c.Line)
	cmd.Env = []string{"PATH=" + r.tools + ":/usr/bin:/bin"}
	cmd.Stdin = strings.NewReader(script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if lose {
		await.Within(await.Limit, func() bool { // until the step has a process of its own
			begun, _ := filepath.Glob(filepath.Join(r.base, "*", "step.*.pid"))
			return len(begun) > 0
		})
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		return nil, &remote.Error{Host: r.name, Err: remote.ErrLost}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if r.tidy && strings.Contains(script, "watchdog.sh\" confirm") {
		_ = os.RemoveAll(r.base)
	}
	return &remote.Result{Stdout: out.Bytes(), Stderr: errs.Bytes(), Exit: cmd.ProcessState.ExitCode()}, nil
}

func (r *real) inventory(t *testing.T) *model.Host {
	return &model.Host{Name: r.name, Platform: model.AIX, MachineID: "9009-22A*1", Elements: map[string]*model.Element{
		"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Addrs: prefixes(t, "10.0.0.1/24"),
			Attrs: attrs("mtu_bypass="+r.get("en0.mtu_bypass"), "rfc1323="+r.get("en0.rfc1323"))},
	}}
}

// watched is a runner over two such hosts and a plan of a step on each.
func watched(t *testing.T) (*execute.Runner, *plan.Plan, map[string]*real) {
	t.Helper()
	hosts := map[string]*real{"h1": newReal(t, "h1"), "h2": newReal(t, "h2")}
	fleet := &model.Fleet{}
	r := &execute.Runner{Hosts: map[string]remote.Host{}, Journals: execute.Journals{Dir: filepath.Join(t.TempDir(), "runs")},
		StepLimit: 10 * time.Second, Folder: "@BASE@"}
	for _, name := range []string{"h1", "h2"} {
		r.Hosts[name] = hosts[name]
		fleet.Hosts = append(fleet.Hosts, hosts[name].inventory(t))
	}
	r.Read = func(_ context.Context, name string) (*model.Host, error) { return hosts[name].inventory(t), nil }
	r.Fresh = func(_ context.Context, name string) (remote.Host, error) { return hosts[name], nil }
	p, err := plan.Build(fleet, known, desired("h1:en0:mtu_bypass=on", "h2:en0:mtu_bypass=on", "h2:en0:rfc1323=1"))
	if err != nil || len(p.Steps) != 3 {
		t.Fatalf("plan: %+v, %v", p, err)
	}
	return r, p, hosts
}

func stand(hosts map[string]*real) string {
	var s []string
	for _, h := range []string{"h1", "h2"} {
		s = append(s, hosts[h].get("en0.mtu_bypass")+" "+hosts[h].get("en0.rfc1323"))
	}
	return strings.Join(s, ", ")
}

const (
	oldStand = "off 0, off 0"
	newStand = "on 0, on 1"
)

func TestWithinConfirmedByCheck(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	var asked string
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Health: func(_ context.Context, id string) error {
		asked = id + " " + stand(hosts)
		return nil
	}})
	if err != nil || run.Outcome != execute.Applied || asked != run.ID+" "+newStand || stand(hosts) != newStand {
		t.Fatalf("got %+v, %v, check saw %q, values %s", run, err, asked, stand(hosts))
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != execute.RolledBack || stand(hosts) != oldStand {
		t.Errorf("rollback: got %+v, %v, values %s", run, err, stand(hosts))
	}
	if run, err = r.Rollback(t.Context(), run.ID); err != nil || run.Outcome != execute.RolledBack {
		t.Errorf("rollback again: got %+v, %v, want nothing to do", run, err)
	}
}

func TestWithinTakenBack(t *testing.T) {
	for _, c := range []struct {
		name string
		mar  func(t *testing.T, hosts map[string]*real)
		how  execute.Confirmation
		want string
	}{
		{"the check says no", nil, execute.Confirmation{Within: time.Minute,
			Health: func(context.Context, string) error { return errors.New("ill") }}, "health check: ill"},
		{"nobody says anything", nil, execute.Confirmation{Within: 10 * time.Second}, "not confirmed"},
		{"a command fails on the second host", func(t *testing.T, hosts map[string]*real) { hosts["h2"].put(t, "refuse.1", "") },
			execute.Confirmation{Within: time.Minute, Auto: true}, "0514-062"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, p, hosts := watched(t)
			if c.mar != nil {
				c.mar(t, hosts)
			}
			run, err := r.ApplyWithin(t.Context(), p, c.how)
			if err == nil || !strings.Contains(err.Error(), c.want) || run == nil || run.Outcome != execute.RolledBack || stand(hosts) != oldStand {
				t.Errorf("got %+v, %v, values %s, want rolled back because %q", run, err, stand(hosts), c.want)
			}
		})
	}
}

// A session that dies with its step under way: the step goes on, and its end
// is asked for over a new connection.
func TestWithinSessionLost(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	hosts["h2"].lose = true
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Auto: true})
	if err != nil || run.Outcome != execute.Applied || stand(hosts) != newStand {
		t.Errorf("got %+v, %v, values %s", run, err, stand(hosts))
	}
	if hosts["h2"].lose {
		t.Error("no session was lost")
	}
}

// Another machine has no journal: what the hosts know is enough.
func TestConfirmElsewhere(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Leave: true})
	if err != nil || run.Outcome != execute.Pending {
		t.Fatalf("got %+v, %v, want it pending", run, err)
	}
	elsewhere := func(hosts map[string]remote.Host) *execute.Runner {
		return &execute.Runner{Hosts: hosts, Read: r.Read, Fresh: r.Fresh, ReadOver: r.ReadOver, Folder: r.Folder,
			Journals: execute.Journals{Dir: filepath.Join(t.TempDir(), "runs")}}
	}
	other := elsewhere(r.Hosts)
	if states, err := other.Watched(t.Context()); err != nil || len(states) != 2 || states[0].Phase != watchdog.Armed || states[0].Left <= 0 {
		t.Errorf("status elsewhere: got %+v, %v, want two pending with time left", states, err)
	}
	if _, err := other.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute}); !errors.Is(err, execute.ErrDrift) {
		t.Errorf("the plan again elsewhere: got %v, want drift", err)
	}
	missing := elsewhere(map[string]remote.Host{"h1": hosts["h1"]})
	if _, err := missing.Confirm(t.Context(), run.ID); err == nil || !strings.Contains(err.Error(), "h2") {
		t.Errorf("confirm with one host: got %v, want that h2 is missing", err)
	}
	got, err := other.Confirm(t.Context(), run.ID)
	if err != nil || got.Outcome != execute.Applied || stand(hosts) != newStand {
		t.Fatalf("confirm elsewhere: got %+v, %v, values %s", got, err, stand(hosts))
	}
	if got, err = other.Rollback(t.Context(), run.ID); err != nil || got.Outcome != execute.RolledBack || stand(hosts) != oldStand {
		t.Errorf("rollback elsewhere: got %+v, %v, values %s", got, err, stand(hosts))
	}
	if got, err = other.Confirm(t.Context(), run.ID); !errors.Is(err, watchdog.ErrOver) || got.Outcome != execute.RolledBack {
		t.Errorf("confirm too late: got %+v, %v", got, err)
	}
	for name, ask := range map[string]func(context.Context, string) (*execute.Run, error){"confirm": other.Confirm, "rollback": other.Rollback} {
		_, err := ask(t.Context(), "20200101-000000-abcdef")
		if !errors.Is(err, execute.ErrNoRun) {
			t.Fatalf("%s: got %v, want that no host knows the run", name, err)
		}
		text := err.Error()
		if strings.Contains(text, "\n") || !strings.Contains(text, "on h1, h2: seaworthy status lists") {
			t.Errorf("%s: got %q, want one line that names the hosts once and says how to list runs", name, text)
		}
	}
}

// An apply that waits removes the run from its hosts as soon as they are confirmed.
func TestConfirmWhileApplyWaits(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Leave: true})
	if err != nil || run.Outcome != execute.Pending {
		t.Fatalf("got %+v, %v, want it pending", run, err)
	}
	hosts["h1"].tidy = true
	got, err := r.Confirm(t.Context(), run.ID)
	if err != nil || got.Outcome != execute.Applied || stand(hosts) != newStand {
		t.Fatalf("got %+v, %v, values %s", got, err, stand(hosts))
	}
	for _, h := range got.Hosts {
		if h.Phase != watchdog.Confirmed || h.Left != 0 {
			t.Errorf("got %+v, want it confirmed", h)
		}
	}
}

// While apply waits for the confirmation, a host may not say how its run stands: who stops it is told why.
func TestWaitSaysWhy(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := func(string, time.Duration) {
		times := 0
		hosts["h2"].mu.Lock()
		hosts["h2"].mute = true
		hosts["h2"].heard = func(script string) {
			if strings.Contains(script, "watchdog.sh\" show") {
				times++
			}
			if times == 2 { // the answer to the first is known
				cancel()
			}
		}
		hosts["h2"].mu.Unlock()
	}
	_, err := r.ApplyWithin(ctx, p, execute.Confirmation{Within: time.Minute, Asked: asked})
	if err == nil || !strings.Contains(err.Error(), "0403-029 There is not enough memory available now") {
		t.Errorf("got %v, want the reason why h2 says nothing", err)
	}
}

// A host that does not answer a confirmation is asked again until its time is over. Then
// the run is taken back on the hosts that had confirmed it: no half of a plan stays.
func TestConfirmOnAllHostsOrNone(t *testing.T) {
	for _, c := range []struct {
		name    string
		deaf    int
		outcome execute.Outcome
		stand   string
	}{
		{"answers late", 3, execute.Applied, newStand},
		{"never answers", 1 << 20, execute.RolledBack, oldStand},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, p, hosts := watched(t)
			run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: 10 * time.Second, Leave: true})
			if err != nil {
				t.Fatal(err)
			}
			hosts["h2"].mu.Lock()
			hosts["h2"].deaf = c.deaf
			hosts["h2"].mu.Unlock()
			got, err := r.Confirm(t.Context(), run.ID)
			if got == nil || got.Outcome != c.outcome || stand(hosts) != c.stand {
				t.Fatalf("got %+v, %v, values %s, want it %s with %s", got, err, stand(hosts), c.outcome, c.stand)
			}
			if (err != nil) != (c.outcome == execute.RolledBack) {
				t.Errorf("error: got %v", err)
			}
			if kept, _, lerr := r.Journals.Load(t.Context(), run.ID); lerr != nil || kept.Outcome != c.outcome {
				t.Errorf("journal: got %+v, %v, want %s", kept, lerr, c.outcome)
			}
		})
	}
}

// One host is out of reach when the change is to be taken back: it does so
// itself, the other one at once.
func TestWithinHostUnreachable(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: 10 * time.Second, Leave: true})
	if err != nil {
		t.Fatal(err)
	}
	hosts["h2"].mu.Lock()
	hosts["h2"].gone = true
	hosts["h2"].mu.Unlock()
	await.Until(t, "the hosts take run "+run.ID+" back", func() bool { return stand(hosts) == oldStand })
}

func TestWithinBusyHost(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	first, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Leave: true})
	if err != nil {
		t.Fatal(err)
	}
	fleet := &model.Fleet{Hosts: []*model.Host{hosts["h1"].inventory(t)}}
	q, err := plan.Build(fleet, known, desired("h1:en0:rfc1323=1"))
	if err != nil {
		t.Fatal(err)
	}
	before := stand(hosts)
	run, err := r.ApplyWithin(t.Context(), q, execute.Confirmation{Within: time.Minute})
	if !errors.Is(err, watchdog.ErrBusy) || !strings.Contains(err.Error(), first.ID) || stand(hosts) != before {
		t.Errorf("got %+v, %v, values %s, want that %s is pending", run, err, stand(hosts), first.ID)
	}
	if run, err := r.Rollback(t.Context(), first.ID); err != nil || cmp.Diff(oldStand, stand(hosts)) != "" {
		t.Errorf("rollback: got %+v, %v, values %s", run, err, stand(hosts))
	}
}
