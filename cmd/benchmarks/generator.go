package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"seaworthy/bench"
)

// rivals are the tools that the built-in load is held against.
var rivals = []struct {
	tool  string
	loads []string
}{
	{"iperf3", []string{"--streams", "1", "--write", "128K"}},
	{"qperf", []string{"--sessions", "1", "--request", "700"}},
	{"sockperf", []string{"--sessions", "1", "--request", "700"}},
}

// generator compares the built-in load with other tools, on the path with
// mtu_bypass off and on.
func (s *suite) generator(ctx context.Context) (err error) {
	s.page.say("\n## The built-in load against other tools\n")
	s.page.say("Same lab path (lpar1 → lpar2 of two-systems), same run, interleaved in random order. The effect is built-in / " +
		"tool: 1 is alike.")
	down, err := s.up(ctx, "two-systems", "two-systems")
	if err != nil {
		return err
	}
	defer down(&err)
	for _, state := range []string{"off", "on"} {
		if err := s.bypass(ctx, "two-systems", state); err != nil {
			return err
		}
		for _, r := range rivals {
			if _, err := exec.LookPath(r.tool); err != nil {
				s.page.say("\n%s is not installed here: not compared.", r.tool)
				continue
			}
			if err := s.versus(ctx, state, r.tool, r.loads); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *suite) versus(ctx context.Context, state, tool string, loads []string) error {
	file := filepath.Join(s.out, fmt.Sprintf("%s-mtu_bypass-%s.json", tool, state))
	args := append([]string{"bench", "compare", "-i", "lab", "--from", "lpar1", "--to", "lpar2", "--against", tool,
		"-n", fmt.Sprint(s.times(14)), "--control", "-1", "--seconds", "1", "--warmup", "0.5", "--counters=false", "-o", file}, loads...)
	// 2 and 3 are answers about the comparison.
	if _, _, err := s.seaworthy(ctx, []int{2, 3}, args...); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var r bench.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	s.page.say("\nmtu_bypass %s, built-in against %s:", state, tool)
	s.effects(&r)
	return nil
}
