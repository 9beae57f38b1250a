package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"seaworthy/cmd/benchmarks/fleet"
)

// fleetSeed makes every run read the same hosts.
const fleetSeed = 7

// fleet measures what it costs to judge saved hosts, by their number.
func (s *suite) fleet(ctx context.Context) error {
	s.page.say("\n## Judging a fleet\n")
	s.page.say("`seaworthy audit DIR -f json` on made-up AIX and VIOS hosts (seed %d), files in the page cache; the best of %d runs. Memory is the process's largest resident set.", fleetSeed, s.times(3))
	s.page.table("hosts", "files", "MB on disk", "wall", "CPU", "CPU a host", "memory", "JSON")
	sizes := []int{100, 1000, 10000}
	if s.quick {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		if err := s.judge(ctx, n); err != nil {
			return fmt.Errorf("%d hosts: %w", n, err)
		}
	}
	s.page.row("goal: 10000", "~400000", "", "≤ 20 s", "", "flat", "≤ 400 MB", "")
	return nil
}

func (s *suite) judge(ctx context.Context, n int) error {
	dir := filepath.Join(s.state, fmt.Sprintf("fleet-%d", n))
	defer os.RemoveAll(dir)
	files, size, err := fleet.Write(ctx, dir, n, fleetSeed)
	if err != nil {
		return err
	}
	var best run
	for range s.times(3) {
		r, err := s.once(ctx, "audit", dir, "-f", "json")
		if err != nil {
			return err
		}
		if best.wall == 0 || r.wall < best.wall {
			best = r
		}
	}
	s.page.row(fmt.Sprint(n), fmt.Sprint(files), fmt.Sprintf("%.0f", float64(size)/1e6), duration(best.wall.Seconds()), duration(best.cpu.Seconds()),
		duration(best.cpu.Seconds()/float64(n)), fmt.Sprintf("%d MB", best.peak/1e6), fmt.Sprintf("%.1f MB", float64(best.printed)/1e6))
	return nil
}

// run is what one run of the program cost.
type run struct {
	wall, cpu     time.Duration
	peak, printed int64 // bytes
}

// once runs the program and throws away what it prints.
func (s *suite) once(ctx context.Context, args ...string) (run, error) {
	var out counted
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+s.state, "XDG_STATE_HOME="+s.state)
	cmd.Stdout, cmd.Stderr = &out, &said
	begin := time.Now()
	err := cmd.Run()
	r := run{wall: time.Since(begin), printed: int64(out)}
	exit := (*exec.ExitError)(nil)
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) { // 2: there are findings
		return r, fmt.Errorf("%w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, errors.New("this system does not tell what a process used")
	}
	r.cpu, r.peak = time.Duration(u.Utime.Nano()+u.Stime.Nano()), u.Maxrss<<10
	return r, nil
}

// counted counts what is written to it.
type counted int64

func (c *counted) Write(b []byte) (int, error) {
	*c += counted(len(b))
	return len(b), nil
}
