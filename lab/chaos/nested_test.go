package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// nestedTask changes an attribute that no plan of a round has.
func (s *site) nestedTask(node string) task.Task {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.nested[node]; ok {
		return t
	}
	file := filepath.Join(s.dir, "nested."+node+".json")
	if out, exit := s.run("state", "plan", "-o", file, "--set", node+":no:tcp_nodelayack=1"); exit != 2 {
		s.t.Errorf("nested plan: exit %d: %s", exit, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		s.t.Error(err)
	}
	p, err := plan.Parse(file, text)
	if err != nil || len(p.Steps) != 1 {
		s.t.Errorf("nested plan: got %+v, %v, want one step", p, err)
		return task.Task{}
	}
	s.nested[node] = p.Steps[0].Task
	return s.nested[node]
}

// rebootNested begins a run under the one that the host is busy with, as tune does, and
// reboots the host at some point of it.
func (s *site) rebootNested(node string, r *rand.Rand) {
	points := []string{"begun", "during its step", "stepped", "during its undo", "undone"}
	// Not begun: the outer run ended meanwhile, or the host cannot be reached.
	_ = s.nest(node, fmt.Sprintf("nested-%d", r.IntN(1e9)), points[r.IntN(len(points))], time.Duration(r.IntN(1000))*time.Millisecond)
}

// nest begins a run under the one that a host is busy with, and reboots the host at a
// point of it, or a little later. The error is that of the run's begin.
func (s *site) nest(node, id, point string, later time.Duration) error {
	ctx := s.t.Context()
	list, err := targets.Open(ctx, []string{node}, s.reach)
	if err != nil {
		return err
	}
	k := watchdog.Client{Host: list[0]}
	under := strings.TrimSpace(s.place.on(node, "cat /var/tmp/seaworthy/pending 2>/dev/null"))
	job := watchdog.Job{ID: id, Under: under, Plan: "nested", Hosts: []string{node}, Tasks: []task.Task{s.nestedTask(node)},
		Window: 5 * time.Second, Limit: 8 * time.Second}
	defer s.place.reboot(node)
	if _, err := k.Begin(ctx, job); err != nil {
		return err
	}
	act := func(do func() error, wait bool) {
		done := make(chan struct{})
		go func() {
			_ = do() // what becomes of it, the host's values say
			close(done)
		}()
		if wait {
			<-done
		}
	}
	step := func() error { return k.Step(ctx, id, 1, job.Limit) }
	undo := func() error { _, err := k.Revert(ctx, id); return err }
	switch point {
	case "during its step":
		act(step, false)
	case "stepped":
		act(step, true)
	case "during its undo":
		act(step, true)
		act(undo, false)
	case "undone":
		act(step, true)
		act(undo, true)
	}
	await.Pause(later)
	return nil
}

// A host reboots at each point of a run made under another one: both are taken back, and
// nothing is left for the next reboot.
func TestRebootInNestedRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	s := start(t, build(t), "two-systems")
	j := s.prepare(&jobs[0])
	for i, point := range draw.OneIn(t, 5, []string{"begun", "during its step", "stepped", "during its undo", "undone"}) {
		state := fmt.Sprintf("nested%d", i)
		if out, exit := s.run(state, append(s.apply(j), "--confirm-within", "1h", "--no-wait")...); exit != 0 {
			t.Fatalf("%s: apply: exit %d: %s", point, exit, out)
		}
		if err := s.nest("lpar1", fmt.Sprintf("inner-%d", i), point, 0); err != nil {
			t.Fatalf("%s: %v", point, err)
		}
		s.settled("lpar1", point)
		if out, exit := s.run(state, "rollback", "latest"); exit != 0 {
			t.Errorf("%s: rollback of the other host: exit %d: %s", point, exit, out)
		}
		s.restored(point)
		t.Logf("%s: done", point)
	}
}

// A cleaner takes the folder of a pending run and somebody puts a script in its place: the
// next reboot takes the run back, and that script never runs.
func TestPlantedScript(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	s := start(t, build(t), "two-systems")
	j := s.prepare(&jobs[0])
	for _, reboot := range draw.OneIn(t, 2, []bool{true, false}) {
		if out, exit := s.run("planted", append(s.apply(j), "--confirm-within", "1h", "--no-wait")...); exit != 0 {
			t.Fatalf("apply: exit %d: %s", exit, out)
		}
		id := s.newest("planted")
		s.place.on("lpar1", cleaner+"; mkdir -p /var/tmp/seaworthy/"+id+"; cd /var/tmp/seaworthy/"+id+
			` && printf '#!/bin/sh\n: >/tmp/ran\n' >watchdog.sh; chmod 755 . .. watchdog.sh`)
		if reboot {
			s.place.reboot("lpar1")
		}
		s.settled("lpar1", "planted")
		s.place.reboot("lpar1")
		if out := s.place.on("lpar1", "ls /tmp/ran 2>/dev/null"); strings.TrimSpace(out) != "" {
			t.Error("the planted script was run by the reboot")
		}
		s.place.on("lpar1", cleaner)
		_, _ = s.run("planted", "rollback", id)
		s.restored("planted")
	}
}

// settled waits until a host holds no run, and fails the test if something is left for its
// next reboot.
func (s *site) settled(node, when string) {
	s.t.Helper()
	left := ""
	atRest := await.Within(time.Minute, func() bool {
		left = strings.TrimSpace(s.place.on(node, heldBy) + s.place.on(node, forBoot))
		return left == ""
	})
	if !atRest {
		s.t.Errorf("%s: %s does not come to rest: %s", when, node, left)
	}
}

// restored fails the test if a host's values are not those from before.
func (s *site) restored(when string) {
	s.t.Helper()
	if d := cmp.Diff(s.old, s.read(s.names)); d != "" {
		s.t.Errorf("%s: values (-before +now):\n%s", when, d)
	}
}
