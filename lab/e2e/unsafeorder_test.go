package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/lab/rehearsal"
)

// asRoot are lines that padmin has run as root.
func asRoot(lines ...string) (out []string) {
	for _, line := range lines {
		out = append(out, "echo '"+line+"' | oem_setup_env")
	}
	return out
}

// rebuild parts a step of a VIOS in two: one takes its SEA away, the other changes the port below it and configures the
// SEA again.
func rebuild(s plan.Step) (away, back plan.Step) {
	take := asRoot("chdev -l en5 -a state=down", "chdev -l en5 -a state=detach", "rmdev -l ent5")
	bring := func(flow string) []string {
		// A real port takes its time until its link is up again.
		return asRoot("chdev -l ent0 -a flow_ctrl="+flow, "sleep 0.5", "mkdev -l ent5", "chdev -l en5 -a state=up", "mkdev -l inet0")
	}
	s.Changes, s.Stage = nil, 0
	s.Class, s.Outage = string(knowledge.O5), knowledge.O5.Outage()
	away, back = s, s
	away.ID, away.Program = s.Host+":ent5:away", task.Program{Do: take, Undo: bring("yes")}
	back.ID, back.Program = s.Host+":ent5:back", task.Program{Do: bring("no"), Undo: asRoot("rmdev -l ent5")}
	return away, back
}

// The second VIOS of a pair that is changed while the first is not back: the rehearsal names the step, who was cut off
// and for how long. In the right order the same steps are as planned.
func TestRehearsalFindsUnsafeOrder(t *testing.T) {
	draw.Rarely(t, 8)
	s := start(t, "dual-vios", "padmin")
	p := s.plan("vios1b:ent5:accounting=enabled", "vios1a:ent5:accounting=enabled")
	if len(p.Steps) != 2 || p.Steps[0].Host != "vios1b" {
		t.Fatalf("got steps %v, want one for each VIOS, the one that stands by first", stepIDs(p))
	}
	firstAway, firstBack := rebuild(p.Steps[0])
	secondAway, secondBack := rebuild(p.Steps[1])
	// It cannot be taken back, since an edited plan is not read again: the next one sets the same.
	try := func(steps ...plan.Step) []rehearsal.Step {
		p.Steps = steps
		r, err := rehearsal.Run(t.Context(), rehearsal.Options{Lab: s.lab, Plan: p, Dir: t.TempDir(), Within: 20 * time.Second, Brief: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Steps
	}
	for _, step := range try(firstAway, firstBack, secondAway, secondBack) {
		// On a busy machine the changed VIOS's own address is back a little after the step: what counts is who else was cut off.
		others := slices.DeleteFunc(slices.Clone(step.Worse), func(cut string) bool { return strings.Contains(cut, step.Host+":en5 ") })
		if len(others) > 0 || step.State != "done" {
			t.Errorf("in the right order: %+v", step)
		}
	}
	steps := try(firstAway, secondAway, secondBack, firstBack)
	at := slices.IndexFunc(steps, func(s rehearsal.Step) bool { return s.ID == secondAway.ID })
	worse := strings.Join(steps[at].Worse, "\n")
	for _, want := range []string{"lpar1:en0 – lpar2:en0 was cut off for ", "vios1b, which stands in for vios1a, was not back from vios1b:ent5:away"} {
		if !strings.Contains(worse, want) {
			t.Errorf("the second while the first is away: got %q, want %q in it: %+v", worse, want, steps)
		}
	}
	t.Logf("%s: %s", secondAway.ID, worse)
}
