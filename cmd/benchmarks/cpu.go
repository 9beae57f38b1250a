package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"seaworthy/bench/stats"
	"seaworthy/lab/cputime"
)

// cpu measures what it costs a lab that its CPU time is sampled: the same load
// with and without, in blocks of one turn each, in random order.
func (s *suite) cpu(ctx context.Context) error {
	s.page.say("\n## The cost of attributing CPU time\n")
	s.page.say("One TCP stream lpar1 to lpar2 for 2 s, with the sampler of `lab cpu` and without, in blocks of one turn each in random order; only labs of root sample.")
	if probe, err := cputime.Start(); err != nil {
		s.page.say("\nNot measured: %v", err)
		return nil
	} else {
		probe.Close()
	}
	if _, _, err := s.seaworthy(ctx, nil, "lab", "up", "two-systems"); err != nil {
		return err
	}
	defer func() {
		_, _, _ = s.seaworthy(context.WithoutCancel(ctx), nil, "lab", "down", "two-systems")
	}()
	if _, _, err := s.seaworthy(ctx, nil, "lab", "exec", "lpar2", "--", "netserver"); err != nil {
		return err
	}
	s.page.table("path", "blocks", "without, Gbit/s", "with, Gbit/s", "effect of sampling", "95 % interval")
	for _, bypass := range []string{"off", "on"} {
		for _, node := range []string{"lpar1", "lpar2"} {
			if _, _, err := s.seaworthy(ctx, nil, "lab", "exec", node, "--", "chdev -l en0 -a mtu_bypass="+bypass); err != nil {
				return err
			}
		}
		var ratios []float64
		var by [2][]float64
		for range s.times(20) {
			var got [2]float64
			for _, with := range rand.Perm(2) {
				var err error
				if got[with], err = s.sampled(ctx, with == 1); err != nil {
					return err
				}
				by[with] = append(by[with], got[with])
			}
			ratios = append(ratios, got[1]/got[0])
		}
		e, err := stats.Paired(ratios)
		if err != nil {
			return err
		}
		between := "-"
		if e.Low != nil && e.High != nil {
			between = fmt.Sprintf("%+.1f to %+.1f %%", 100*(*e.Low-1), 100*(*e.High-1))
		}
		gbps := func(v []float64) string { return fmt.Sprintf("%.2f", stats.Summarise(v).Median/1e9) }
		s.page.row("mtu_bypass="+bypass, fmt.Sprint(len(ratios)), gbps(by[0]), gbps(by[1]), fmt.Sprintf("%+.1f %%", 100*(e.Ratio-1)), between)
	}
	return nil
}

// sampled is the throughput of one turn, in bit/s.
func (s *suite) sampled(ctx context.Context, with bool) (float64, error) {
	if with {
		sampler, err := cputime.Start()
		if err != nil {
			return 0, err
		}
		defer sampler.Close()
	}
	out, _, err := s.seaworthy(ctx, nil, "lab", "exec", "lpar1", "--", "netperf -H lpar2 -t TCP_STREAM -l 2 -P 0")
	if err != nil {
		return 0, err
	}
	// buffer sizes, message size, time, and last 10^6 bit/s
	f := strings.Fields(string(out))
	if len(f) < 5 {
		return 0, fmt.Errorf("netperf: got %q, a line of five figures expected", out)
	}
	mbps, err := strconv.ParseFloat(f[len(f)-1], 64)
	if err != nil {
		return 0, fmt.Errorf("netperf: %w", err)
	}
	return mbps * 1e6, nil
}
