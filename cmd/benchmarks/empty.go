package main

import (
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"

	"seaworthy/bench/stats"
)

// emptyRun is what the kernel's clock shows for a run of a program that does
// nothing, in ns: the median of blocks. Of any other program's run that much is
// the clock, and the way in and out.
func emptyRun(blocks int) (ns float64, err error) {
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{Name: "empty", Type: ebpf.SchedCLS, License: "Apache-2.0",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()}})
	if err != nil {
		return 0, fmt.Errorf("empty program: %w", err)
	}
	defer p.Close()
	clock, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return 0, fmt.Errorf("run times of programs: %w", err)
	}
	defer clock.Close()
	var got []float64
	for range blocks {
		before, err := p.Stats()
		if err != nil {
			return 0, fmt.Errorf("empty program: run time: %w", err)
		}
		if _, err := p.Run(&ebpf.RunOptions{Data: make([]byte, 64), Repeat: 10_000}); err != nil {
			return 0, fmt.Errorf("empty program: run: %w", err)
		}
		after, err := p.Stats()
		if err != nil {
			return 0, fmt.Errorf("empty program: run time: %w", err)
		}
		runs := after.RunCount - before.RunCount
		if runs == 0 {
			return 0, fmt.Errorf("empty program: the kernel counted no run")
		}
		got = append(got, float64((after.Runtime-before.Runtime).Nanoseconds())/float64(runs))
	}
	return stats.Summarise(got).Median, nil
}
