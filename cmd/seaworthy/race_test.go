package main_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
)

// A plan that does not fit the hosts any more, or is not the one that was
// reviewed, changes nothing.
func TestPlanRefused(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, true)
	b.lab("p")
	plan := b.plan("p")
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	before := b.values("p")
	for name, edited := range map[string]string{
		"a command added":   strings.Replace(string(text), "mtu_bypass=on", "mtu_bypass=on; touch /tmp/x", 1),
		"another value":     strings.ReplaceAll(string(text), "65536", "32768"),
		"another host":      strings.ReplaceAll(string(text), "lpar2", "vios2"),
		"cut off":           string(text[:len(text)/2]),
		"empty":             "",
		"of another format": strings.Replace(string(text), "seaworthy.plan/2", "seaworthy.plan/9", 1),
	} {
		if edited == string(text) {
			t.Fatalf("%s: nothing was edited", name)
		}
		file := b.path("out", "edited.json")
		if err := os.WriteFile(file, []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		r := b.try("apply", "-i", "lab:p", file)
		if r.exit != command.ExitFailed || !strings.Contains(r.err, "edited.json") {
			t.Errorf("%s: %s\nwant exit 1 and the file's name", name, r)
		}
	}
	if r := b.on("p", "lpar1", "chdev -l en0 -a mtu_bypass=on"); r.exit != 0 {
		t.Fatal(r)
	}
	drifted := b.values("p")
	r := b.try("apply", "-i", "lab:p", plan)
	if r.exit != command.ExitFailed {
		t.Errorf("drift: %s\nwant exit 1", r)
	}
	r.says(t, "lpar1 en0", "mtu_bypass", "new plan")
	if now := b.values("p"); now != drifted || drifted == before {
		t.Errorf("a plan that was refused changed values (-before +now):\n%s", diff(drifted, now))
	}
	if runs := b.runs(); len(runs) > 0 {
		t.Errorf("refused plans left runs: %+v", runs)
	}
	r = b.try("rollback", "-i", "lab:p", "20200101-000000-abcdef")
	if r.exit != command.ExitFailed {
		t.Errorf("rollback of no run: %s", r)
	}
	r.says(t, "20200101-000000-abcdef", "no such run")
}

// Two applies at once, of one user or of two who share no files: each either applies
// or leaves no trace, and rolling back what was applied gives the values from before.
func TestTwoApplies(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, true)
	b.lab("t")
	before := b.values("t")
	plan := b.plan("t")
	other := *b
	other.env = append(slices.Clone(b.env), "XDG_STATE_HOME="+b.path("out", "other"))
	for i := range 2 * rounds(1) {
		beside := b
		if i%2 == 1 {
			beside = &other
		}
		first, second := b.start("apply", "-i", "lab:t", plan), beside.start("apply", "-i", "lab:t", plan)
		one, two := first.end(), second.end()
		applied := 0
		for _, r := range []*result{one, two} {
			switch r.exit {
			case command.ExitDone:
				applied++
			case command.ExitFailed, command.ExitRolledBack:
			default:
				t.Errorf("%s\nwant exit 0, 1 or 4", r)
			}
		}
		if applied > 1 {
			t.Errorf("both applied the same plan:\n%s\n%s", one, two)
		}
		for _, user := range []*box{b, &other} {
			for _, run := range user.runs() { // newest first
				if run.Outcome == "rolled-back" {
					continue
				}
				user.must(command.ExitDone, "rollback", "-i", "lab:t", run.ID)
			}
		}
		if now := b.values("t"); now != before {
			t.Errorf("after all was rolled back (-before +now):\n%s\n%s\n%s", diff(before, now), one, two)
		}
	}
}
