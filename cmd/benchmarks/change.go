package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// change measures how long a change takes on one host and on many, and how
// long after its deadline a host begins to take it back.
func (s *suite) change(ctx context.Context) error {
	s.page.say("\n## Change\n")
	if err := s.fewHosts(ctx); err != nil {
		return err
	}
	return s.manyHosts(ctx)
}

func (s *suite) fewHosts(ctx context.Context) (err error) {
	down, err := s.up(ctx, "two-systems", "change")
	if err != nil {
		return err
	}
	defer down(&err)
	if err := s.oneHost(ctx); err != nil {
		return err
	}
	return s.deadline(ctx)
}

// set plans one value for hosts of a lab and gives the plan's file.
func (s *suite) set(ctx context.Context, lab string, hosts ...string) (string, error) {
	file := filepath.Join(s.state, lab+".json")
	args := []string{"plan", "-i", "lab:" + lab, "-o", file}
	for _, h := range hosts {
		args = append(args, "--set", h+":en0:mtu_bypass=on")
	}
	_, _, err := s.seaworthy(ctx, []int{2}, args...)
	return file, err
}

// applied applies a plan, and gives the run's id and how long it took.
func (s *suite) applied(ctx context.Context, plan, lab string, more ...string) (string, time.Duration, error) {
	out, took, err := s.seaworthy(ctx, nil, append([]string{"apply", plan, "-i", "lab:" + lab, "-f", "json"}, more...)...)
	if err != nil {
		return "", took, err
	}
	var run struct{ ID, Outcome string }
	if err := json.Unmarshal(out, &run); err != nil {
		return "", took, fmt.Errorf("apply: %w", err)
	}
	return run.ID, took, nil
}

// oneHost applies a step without outage, read back and verified.
func (s *suite) oneHost(ctx context.Context) error {
	plan, err := s.set(ctx, "change", "lpar1")
	if err != nil {
		return err
	}
	s.page.say("A step without outage (class O0) on one lab host, from start to end of `apply`, which reads the host before and after.")
	s.page.table("how", "n", "median", "95 % interval", "longest")
	for _, how := range []struct {
		name string
		args []string
	}{{"over the session", nil}, {"the host watches over itself", []string{"--confirm-within", "2m", "--auto-confirm"}}} {
		var took []float64
		for range s.times(15) {
			id, t, err := s.applied(ctx, plan, "change", how.args...)
			if err != nil {
				return err
			}
			took = append(took, t.Seconds())
			if _, _, err := s.seaworthy(ctx, nil, "rollback", id, "-i", "lab:change"); err != nil {
				return err
			}
		}
		s.page.row(append([]string{how.name}, seconds(took)...)...)
	}
	return nil
}

// watching runs on a host: the time of the last word that it got and the time
// at which it begins to take the run back, both by its own clock.
const watching = `cd /var/tmp/seaworthy/%s && until [ ! -f state.armed ]; do sleep 0.02; done; date +%%s.%%N; stat -c %%.9Y window`

// deadline leaves runs to themselves.
func (s *suite) deadline(ctx context.Context) error {
	plan, err := s.set(ctx, "change", "lpar1")
	if err != nil {
		return err
	}
	s.page.say("\nNobody confirms: from the deadline, counted from the last word that the host got, to the start of its revert.")
	s.page.table("window", "n", "median", "95 % interval", "longest")
	for _, w := range []struct {
		window time.Duration
		times  int
	}{{10 * time.Second, s.times(10)}, {2 * time.Minute, 2}} {
		if s.quick && w.window > time.Minute {
			continue
		}
		var late []float64
		for range w.times {
			id, _, err := s.applied(ctx, plan, "change", "--confirm-within", w.window.String(), "--no-wait")
			if err != nil {
				return err
			}
			out, _, err := s.seaworthy(ctx, nil, "lab", "exec", "--lab", "change", "-u", "root", "lpar1", "--", fmt.Sprintf(watching, id))
			if err != nil {
				return err
			}
			f := strings.Fields(string(out))
			if len(f) != 2 {
				return fmt.Errorf("run %s: the host says %q, not two times", id, out)
			}
			begun, err1 := strconv.ParseFloat(f[0], 64)
			word, err2 := strconv.ParseFloat(f[1], 64)
			if err := cmp.Or(err1, err2); err != nil {
				return fmt.Errorf("run %s: %w", id, err)
			}
			late = append(late, begun-word-w.window.Seconds())
			if _, _, err := s.seaworthy(ctx, nil, "rollback", id, "-i", "lab:change"); err != nil { // waits for its end
				return err
			}
		}
		s.page.row(append([]string{w.window.String()}, seconds(late)...)...)
	}
	return nil
}

// manyHosts changes a hundred LPARs at the same time.
func (s *suite) manyHosts(ctx context.Context) (err error) {
	text, _, err := s.seaworthy(ctx, nil, "lab", "topologies", "--generate", "--lpars", "100", "--vios", "2")
	if err != nil {
		return err
	}
	file := filepath.Join(s.state, "many.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	var hosts []string
	for line := range bytes.Lines(text) {
		if _, name, ok := strings.Cut(string(line), "name: lpar"); ok {
			hosts = append(hosts, "lpar"+strings.TrimSpace(name))
		}
	}
	down, err := s.up(ctx, file, "many")
	if err != nil {
		return err
	}
	defer down(&err)
	plan, err := s.set(ctx, "many", hosts...)
	if err != nil {
		return err
	}
	s.page.say("\nThe same step on %d lab hosts side by side, each watching over itself; the hosts' own work is done by this "+
		"machine, too.", len(hosts))
	s.page.table("n", "median", "95 % interval", "longest")
	var took []float64
	for range s.times(3) {
		id, t, err := s.applied(ctx, plan, "many", "--confirm-within", "2m", "--auto-confirm")
		if err != nil {
			return err
		}
		took = append(took, t.Seconds())
		if _, _, err := s.seaworthy(ctx, nil, "rollback", id, "-i", "lab:many"); err != nil {
			return err
		}
	}
	s.page.row(seconds(took)...)
	return nil
}
