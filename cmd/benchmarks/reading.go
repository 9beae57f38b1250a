package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// reading measures how fast hosts are collected and audited.
func (s *suite) reading(ctx context.Context) (err error) {
	s.page.say("\n## Reading and judging hosts\n")
	s.page.say("Whole commands, from start to end of the process; the hosts are the four of two-systems.")
	down, err := s.up(ctx, "two-systems", "two-systems")
	if err != nil {
		return err
	}
	defer down(&err)
	saved := filepath.Join(s.state, "saved")
	measures := []struct {
		what string
		args []string
	}{
		{"collect of four hosts over SSH", []string{"collect", "-i", "lab", "-o", saved}},
		{"audit of four live hosts", []string{"audit", "-i", "lab"}},
		{"audit of one saved host", []string{"audit", filepath.Join(saved, "lpar1")}},
		{"audit of one saved VIOS", []string{"audit", filepath.Join(saved, "vios1")}},
		{"audit of four saved hosts", []string{"audit", saved}},
		{"plan from four saved hosts", []string{"plan", saved}},
		{"rules test, all cases", []string{"rules", "test"}},
	}
	s.page.table("what", "n", "median", "95 % interval", "longest")
	for _, m := range measures {
		var took []float64
		for i := range s.times(20) {
			args := m.args
			if m.args[0] == "collect" && i > 0 {
				args = append(slices.Clone(args[:len(args)-1]), fmt.Sprintf("%s-%d", saved, i))
			}
			_, d, err := s.seaworthy(ctx, []int{2, 3}, args...)
			if err != nil {
				return err
			}
			took = append(took, d.Seconds())
		}
		s.page.row(append([]string{m.what}, seconds(took)...)...)
	}
	return nil
}
