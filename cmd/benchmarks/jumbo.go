package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"seaworthy/bench"
)

// jumbo carries jumbo frames out end to end, from the switch to the clients,
// and measures the clients with and without.
func (s *suite) jumbo(ctx context.Context) (err error) {
	const lab, in = "jumbo", "lab:jumbo"
	s.page.say("\n## Jumbo frames\n")
	down, err := s.up(ctx, "two-systems", lab)
	if err != nil {
		return err
	}
	defer down(&err)
	for _, port := range []string{"sw1/1", "sw1/2"} { // the network team's step
		if _, _, err := s.seaworthy(ctx, nil, "lab", "break", "--lab", lab, port, "no-jumbo", "9000"); err != nil {
			return err
		}
	}
	plan := filepath.Join(s.state, "jumbo.json")
	args := []string{"plan", "-i", in, "-o", plan}
	for _, v := range []string{"vios1", "vios2"} {
		args = append(args, "--set", v+":ent0:jumbo_frames=yes", "--set", v+":ent5:jumbo_frames=yes", "--set", v+":en5:mtu=9000")
	}
	if _, _, err := s.seaworthy(ctx, []int{2}, args...); err != nil {
		return err
	}
	_, first, err := s.applied(ctx, plan, lab, "--done", "switch-ports")
	if err != nil {
		return err
	}
	for _, v := range []string{"vios1", "vios2"} {
		// The session ends with the host.
		if _, _, err := s.seaworthy(ctx, []int{1, 137, 255}, "lab", "exec", "--lab", lab, "-u", "root", v, "--", "reboot"); err != nil {
			return err
		}
	}
	_, second, err := s.applied(ctx, plan, lab)
	if err != nil {
		return err
	}
	s.page.say("The VIOSes of two-systems: ports and SEAs before their restart (%s), their interfaces after it (%s, with "+
		"packets of 9000 bytes proved).", duration(first.Seconds()), duration(second.Seconds()))
	s.page.say("Then the clients' MTU, 1500 and 9000 in randomised interleaved blocks. Packets that pass show each time that " +
		"the switch ports are done.")
	for _, bypass := range []string{"off", "on"} {
		if err := s.jumboEffect(ctx, in, lab, bypass); err != nil {
			return fmt.Errorf("mtu_bypass %s: %w", bypass, err)
		}
	}
	return nil
}

// jumboEffect compares the clients' two MTUs.
func (s *suite) jumboEffect(ctx context.Context, in, lab, bypass string) error {
	if err := s.bypass(ctx, lab, bypass); err != nil {
		return err
	}
	args := []string{"bench", "compare", "-i", in, "--from", "lpar1", "--to", "lpar2", "--via", "vios1,vios2",
		"--set", "lpar1:en0:mtu=9000", "--set", "lpar2:en0:mtu=9000",
		"--streams", "1,8", "--sessions", "10", "--seconds", "2", "--control", "-1", "-n", strconv.Itoa(s.times(6)), "-f", "json"}
	out, _, err := s.seaworthy(ctx, []int{2, 3}, args...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.out, "jumbo-bypass-"+bypass+".json"), out, 0o644); err != nil {
		return err
	}
	r := new(bench.Result)
	if err := json.Unmarshal(out, r); err != nil {
		return fmt.Errorf("its JSON: %w", err)
	}
	s.page.say("\nWith mtu_bypass %s (random seed %d):", bypass, r.Options.Seed)
	s.effects(r)
	return nil
}
