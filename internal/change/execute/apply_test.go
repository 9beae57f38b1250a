package execute_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

func runner(t *testing.T, boxes ...*box) *execute.Runner {
	r := &execute.Runner{Hosts: map[string]remote.Host{}, Journals: execute.Journals{Dir: filepath.Join(t.TempDir(), "runs")}}
	byName := map[string]*box{}
	for _, b := range boxes {
		r.Hosts[b.Name()] = b
		byName[b.Name()] = b
	}
	r.Read = func(_ context.Context, host string) (*model.Host, error) {
		// As if read over SSH: a copy, not the box's own state.
		text, err := json.Marshal(byName[host].host)
		if err != nil {
			return nil, err
		}
		h := new(model.Host)
		return h, json.Unmarshal(text, h)
	}
	return r
}

// A name that leads to another machine, which has the same values, is found out.
func TestAnotherHostBehindTheName(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(ent0 *model.Element, h *model.Host)
		want   string
	}{
		{"the same", func(*model.Element, *model.Host) {}, ""},
		{"no address shown", func(e *model.Element, _ *model.Host) { e.MAC = "" }, ""},
		{"another address", func(e *model.Element, _ *model.Host) { e.MAC = "00:09:6b:00:00:99" },
			"lpar1 is another host than the plan was made for"},
		{"no such adapter", func(_ *model.Element, h *model.Host) { delete(h.Elements, "ent0") }, "it has none"},
		{"the adapter has another name", func(e *model.Element, h *model.Host) {
			h.Elements["ent7"] = &model.Element{Name: "ent7", Kind: model.Virtual, MAC: e.MAC}
			e.MAC = "00:09:6b:00:00:99"
		}, "is ent7 now, not ent0"},
	} {
		l, _ := pair(t)
		ent0 := l.host.Elements["ent0"]
		ent0.Kind, ent0.MAC = model.Virtual, "00:09:6b:00:00:01"
		p := build(t, []*box{l}, "lpar1:en0:mtu_bypass=on")
		c.change(ent0, l.host)
		_, err := runner(t, l).Apply(t.Context(), p)
		if ok := err == nil; ok != (c.want == "") || !ok && (!errors.Is(err, execute.ErrDrift) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestApplyAndRollback(t *testing.T) {
	l, v := pair(t)
	// ifconfig had switched largesend on until the next boot: drift that a
	// rollback must bring back exactly.
	l.host.Elements["en0"].Attrs = attrs("mtu_bypass=off", "mtu=1500", "tcp_sendspace=262144/", "tcp_recvspace=65536", "rfc1323=0",
		"use_a_value_with_quote=x")
	beforeL, beforeV := state(l.host), state(v.host)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "lpar1:en0:tcp_sendspace=524288", "vios1:ent5:largesend=1",
		"vios1:ent0:large_send=yes", "lpar1:no:sb_max=2097152")
	r := runner(t, l, v)
	run, err := r.Apply(context.Background(), p)
	if err != nil || run.Outcome != execute.Applied {
		t.Fatalf("apply: got %+v, %v, want applied", run, err)
	}
	if got := state(l.host)["en0 mtu_bypass"]; got != "on/on" {
		t.Errorf("mtu_bypass after apply: got %s, want on/on", got)
	}
	if got := state(v.host)["ent0 large_send"]; got != "no/yes" {
		t.Errorf("large_send of a busy adapter after apply: got %s, want no/yes (pending)", got)
	}
	run, err = r.Rollback(context.Background(), run.ID)
	if err != nil || run.Outcome != execute.RolledBack {
		t.Fatalf("rollback: got %+v, %v, want rolled-back", run, err)
	}
	if d := cmp.Diff(beforeL, state(l.host)); d != "" {
		t.Errorf("lpar1 after rollback (-before +after):\n%s", d)
	}
	if d := cmp.Diff(beforeV, state(v.host)); d != "" {
		t.Errorf("vios1 after rollback (-before +after):\n%s", d)
	}
	l.log = nil
	if _, err := r.Rollback(context.Background(), run.ID); err != nil || len(l.log) != 0 {
		t.Errorf("second rollback: got %v and commands %v, want nothing done", err, l.log)
	}
}

func TestFailureUndoesAll(t *testing.T) {
	for _, c := range []struct{ prefix, what, want string }{
		{"chdev -l en0 -a mtu_bypass=on", "exit", "0514-062"},
		{"chdev -l en0 -a mtu_bypass=on", "lost", "connection lost"},
		{"chdev -l en0 -a mtu_bypass=on", "ignore", `is "off" after the change`},
		{"lsattr -El en0 -a mtu_bypass", "exit", "exit status 1"},
	} {
		l, v := pair(t)
		beforeL, beforeV := state(l.host), state(v.host)
		p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
		l.fail = map[string]string{c.prefix: c.what}
		r := runner(t, l, v)
		run, err := r.Apply(context.Background(), p)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "lpar1") {
			t.Errorf("%s %s: got error %v, want one naming lpar1 and %q", c.prefix, c.what, err, c.want)
		}
		if run == nil || run.Outcome != execute.RolledBack {
			t.Errorf("%s %s: got run %+v, want rolled-back", c.prefix, c.what, run)
		}
		if d := cmp.Diff(beforeL, state(l.host)); d != "" {
			t.Errorf("%s %s: lpar1 not as before:\n%s", c.prefix, c.what, d)
		}
		if d := cmp.Diff(beforeV, state(v.host)); d != "" {
			t.Errorf("%s %s: vios1 not as before:\n%s", c.prefix, c.what, d)
		}
	}
}

func TestInterruptFinishesTheStepAndUndoes(t *testing.T) {
	l, v := pair(t)
	before := state(v.host)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	ctx, cancel := context.WithCancel(context.Background())
	v.onRun = func(line string) {
		if strings.Contains(line, "largesend=1") {
			cancel()
		}
	}
	run, err := runner(t, l, v).Apply(ctx, p)
	if !errors.Is(err, context.Canceled) || run.Outcome != execute.RolledBack {
		t.Fatalf("got %+v, %v, want rolled-back by an interrupt", run, err)
	}
	if d := cmp.Diff(before, state(v.host)); d != "" {
		t.Errorf("vios1 not as before:\n%s", d)
	}
	if len(l.log) != 0 {
		t.Errorf("lpar1 was touched after the interrupt: %v", l.log)
	}
}

func TestDriftStopsApply(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	set(l.host.Elements["en0"].Attrs["mtu_bypass"], "plso", false)
	_, err := runner(t, l, v).Apply(context.Background(), p)
	if !errors.Is(err, execute.ErrDrift) || len(l.log)+len(v.log) != 0 {
		t.Errorf("got %v and commands %v %v, want drift and no command", err, l.log, v.log)
	}
}

func TestJournalThatCannotBeWritten(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on")
	r := runner(t, l, v)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Journals.Dir = filepath.Join(file, "runs")
	if _, err := r.Apply(context.Background(), p); err == nil || len(l.log) != 0 {
		t.Errorf("got %v and commands %v, want an error before any command", err, l.log)
	}
}

func TestKilledRunCanBeRolledBack(t *testing.T) {
	l, v := pair(t)
	before := state(l.host)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	r := runner(t, l, v)
	run, err := r.Apply(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	// As if killed while the last step was under way, in the middle of a write.
	path := filepath.Join(r.Journals.Dir, run.ID, "journal.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:len(lines)-3], "")+`{"time":"20`), 0o600); err != nil {
		t.Fatal(err)
	}
	if run, _, err = r.Journals.Load(t.Context(), run.ID); err != nil || run.Outcome != execute.Running || !run.Gone || run.Steps[1].State != "doing" {
		t.Fatalf("got %+v, %v, want a run whose process is gone and whose last step is doing", run, err)
	}
	if run, err = r.Rollback(context.Background(), run.ID); err != nil || run.Outcome != execute.RolledBack || run.Gone {
		t.Fatalf("rollback: got %+v, %v", run, err)
	}
	if d := cmp.Diff(before, state(l.host)); d != "" {
		t.Errorf("lpar1 after rollback (-before +after):\n%s", d)
	}
}

// A run that was killed before its first step has changed nothing, and no longer
// counts as running once it is rolled back.
func TestKilledBeforeTheFirstStep(t *testing.T) {
	l, v := pair(t)
	r := runner(t, l, v)
	run, err := r.Apply(context.Background(), build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.Journals.Dir, run.ID, "journal.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, []byte(first+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if run, err = r.Rollback(context.Background(), run.ID); err != nil || run.Outcome != execute.RolledBack {
		t.Fatalf("rollback: got %+v, %v", run, err)
	}
}

// A change that fails between detach and up must not leave the interface down.
func TestInterfaceComesUpAfterFailure(t *testing.T) {
	l, _ := pair(t)
	p := build(t, []*box{l}, "lpar1:ent0:chksum_offload=yes")
	l.fail = map[string]string{"chdev -l ent0": "exit"}
	run, err := runner(t, l).Apply(context.Background(), p)
	if err == nil || run == nil {
		t.Fatalf("got %+v, %v, want a failed run", run, err)
	}
	last := map[bool]int{}
	for i, line := range l.log {
		for _, state := range []string{"up", "detach"} {
			if line == "chdev -l en0 -a state="+state {
				last[state == "up"] = i
			}
		}
	}
	if last[true] <= last[false] {
		t.Errorf("en0 is left detached:\n%s", strings.Join(l.log, "\n"))
	}
}
