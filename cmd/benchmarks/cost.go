package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"seaworthy/bench/stats"
	"seaworthy/lab/cputime"
)

// What a lab of root watches while it runs.
const (
	counting = 1 << iota // receive buffers
	sampling             // CPU time
	kinds    = iota
)

// watches are the kinds of watching that are compared with none.
var watches = []struct {
	name string
	what int
}{{"buffers and CPU", counting | sampling}, {"buffers", counting}, {"CPU", sampling}}

// turn is what one transfer gave.
type turn struct{ gbps, perGB float64 }

// cost measures what watching costs a lab: the same transfer in two networks of
// which one has receive buffers, each with and without CPU sampling. The four
// take turns in random order.
func (s *suite) cost(ctx context.Context) error {
	s.page.say("\n## What receive buffers and the attribution of CPU cost\n")
	if os.Geteuid() != 0 {
		s.page.say("Not measured: both need a lab started by root.")
		return nil
	}
	var sites [2]*site
	for i := range sites {
		var err error
		if sites[i], err = newSite(ctx, i == 1); err != nil {
			return err
		}
		defer sites[i].close()
	}
	if err := s.warm(ctx, sites, "off"); err != nil {
		return err
	}
	if err := s.frames(ctx, sites); err != nil {
		return err
	}
	s.page.say("\nTCP from lpar1 to lpar2 of two-systems, %v a transfer. A block has four transfers in random order: with receive buffers, "+
		"with the sampler of `lab cpu`, with both and with neither. The effect is with / without. CPU is user and system time of the process "+
		"and of what the kernel does for it, per byte.", length)
	s.page.table("mtu_bypass", "streams", "with", "figure", "with", "without", "effect", "95 % interval", "blocks")
	var shares [][]string
	for _, bypass := range []string{"off", "on"} {
		if err := s.warm(ctx, sites, bypass); err != nil {
			return err
		}
		for _, streams := range []int{1, 8} {
			got, err := s.turns(ctx, sites, streams)
			if err != nil {
				return err
			}
			if err := s.compared(bypass, streams, got); err != nil {
				return err
			}
			rows, err := s.shares(ctx, sites, bypass, streams)
			if err != nil {
				return err
			}
			shares = append(shares, rows...)
		}
	}
	empty, err := emptyRun(s.times(20))
	if err != nil {
		return err
	}
	s.page.say("\nWhat the programs of both take of the transfers' CPU time, by the kernel's own clock: a figure that other work on the machine "+
		"does not blur. It holds the measuring of each run, and is so an upper bound: a program that does nothing shows %.0f ns. "+
		"It lacks the way to the program and the interrupts of the timer.", empty)
	s.page.table("mtu_bypass", "streams", "program", "of the CPU time", "a run", "runs a frame of 1500 bytes")
	for _, r := range shares {
		s.page.row(r...)
	}
	return nil
}

// turns are the transfers of all blocks, by what watched them.
func (s *suite) turns(ctx context.Context, sites [2]*site, streams int) (got [1 << kinds][]turn, err error) {
	for range s.times(60) {
		for _, what := range rand.Perm(len(got)) {
			t, err := watched(ctx, sites, what, streams)
			if err != nil {
				return got, err
			}
			got[what] = append(got[what], t)
		}
	}
	return got, nil
}

// warm sets mtu_bypass, and lets the networks be busy for seconds, as a lab is
// that is measured.
func (s *suite) warm(ctx context.Context, sites [2]*site, bypass string) error {
	for _, x := range sites {
		if err := x.set(ctx, bypass); err != nil {
			return err
		}
		for range 12 {
			if _, _, _, err := x.transfer(ctx, 2); err != nil {
				return err
			}
		}
	}
	return nil
}

// length of a transfer.
const length = 250 * time.Millisecond

// watched is a transfer under a set of kinds of watching.
func watched(ctx context.Context, sites [2]*site, what, streams int) (t turn, err error) {
	if what&sampling != 0 {
		sampler, err := cputime.Start()
		if err != nil {
			return t, err
		}
		defer sampler.Close()
	}
	// One before it, until the sampler knows that there is much to do.
	if _, _, _, err := sites[what&counting].transfer(ctx, streams); err != nil {
		return t, err
	}
	sent, took, used, err := sites[what&counting].transfer(ctx, streams)
	return turn{float64(sent) * 8 / took.Seconds() / 1e9, used.Seconds() / float64(sent) * 1e9}, err
}

func (s *suite) compared(bypass string, streams int, got [1 << kinds][]turn) error {
	for _, w := range watches {
		for _, f := range []struct {
			name string
			of   func(turn) float64
		}{{"Gbit/s", func(t turn) float64 { return t.gbps }}, {"CPU seconds per GB", func(t turn) float64 { return t.perGB }}} {
			var with, without, ratios []float64
			for i := range got[0] {
				a, b := f.of(got[w.what][i]), f.of(got[0][i])
				with, without, ratios = append(with, a), append(without, b), append(ratios, a/b)
			}
			e, err := stats.Paired(ratios)
			if err != nil {
				return fmt.Errorf("mtu_bypass %s, %d streams: %w", bypass, streams, err)
			}
			s.page.row(bypass, fmt.Sprint(streams), w.name, f.name, fmt.Sprintf("%.3f", stats.Summarise(with).Median),
				fmt.Sprintf("%.3f", stats.Summarise(without).Median), fmt.Sprintf("× %.3f", e.Ratio), between(e), fmt.Sprint(e.Blocks))
		}
	}
	return nil
}

// shares are the rows on the programs' own time.
func (s *suite) shares(ctx context.Context, sites [2]*site, bypass string, streams int) ([][]string, error) {
	sampler, err := cputime.Start()
	if err != nil {
		return nil, err
	}
	defer sampler.Close()
	clock, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return nil, fmt.Errorf("run times of programs: %w", err)
	}
	defer clock.Close()
	programs := append(sites[counting].meter.Programs(), sampler.Programs()...)
	type cost struct {
		runs  uint64
		spent time.Duration
	}
	costs := map[string]cost{}
	var names []string
	add := func(sign int) error {
		for _, p := range programs {
			info, err := p.Info()
			if err != nil {
				return fmt.Errorf("run times of programs: %w", err)
			}
			x, err := p.Stats()
			if err != nil {
				return fmt.Errorf("run times of programs: %w", err)
			}
			c, ok := costs[info.Name]
			if !ok {
				names = append(names, info.Name)
			}
			costs[info.Name] = cost{c.runs + uint64(sign)*x.RunCount, c.spent + time.Duration(sign)*x.Runtime}
		}
		return nil
	}
	// Until the sampler knows that there is much to do.
	for range 2 {
		if _, _, _, err := sites[counting].transfer(ctx, streams); err != nil {
			return nil, err
		}
	}
	var used time.Duration
	var sent int64
	if err := add(-1); err != nil {
		return nil, err
	}
	for range s.times(40) {
		n, _, u, err := sites[counting].transfer(ctx, streams)
		if err != nil {
			return nil, err
		}
		sent, used = sent+n, used+u
	}
	if err := add(1); err != nil {
		return nil, err
	}
	var rows [][]string
	for _, n := range names {
		c := costs[n]
		rows = append(rows, []string{bypass, fmt.Sprint(streams), n, fmt.Sprintf("%.2f %%", 100*c.spent.Seconds()/used.Seconds()),
			fmt.Sprintf("%.0f ns", float64(c.spent.Nanoseconds())/float64(max(c.runs, 1))), fmt.Sprintf("%.2f", float64(c.runs)/(float64(sent)/1448))})
	}
	return rows, nil
}
