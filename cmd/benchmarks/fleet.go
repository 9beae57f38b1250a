package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"seaworthy/collect/redact"
)

// fleet measures what it costs to audit saved hosts, by their number.
func (s *suite) fleet(ctx context.Context) (err error) {
	s.page.say("\n## Judging a fleet\n")
	s.page.say("`seaworthy audit DIR -f json` on copies of the four hosts of two-systems, each four redacted with a key of "+
		"their own, so that "+
		"names, addresses and serial numbers differ. Files in the page cache; the best of %d runs. Memory is the process's largest "+
		"resident set.", s.times(3))
	down, err := s.up(ctx, "two-systems", "two-systems")
	if err != nil {
		return err
	}
	saved := filepath.Join(s.state, "fleet-source")
	_, _, err = s.seaworthy(ctx, []int{3}, "collect", "-i", "lab", "-o", saved)
	down(&err)
	if err != nil {
		return err
	}
	s.page.table("hosts", "files", "MB on disk", "wall", "CPU", "CPU per host", "memory", "JSON")
	sizes := []int{100, 1000, 10000}
	if s.quick {
		sizes = sizes[:2]
	}
	dir := filepath.Join(s.state, "fleet")
	made := 0
	for _, n := range sizes {
		for ; made < n; made += 4 {
			key, err := redact.NewKey([]byte("a fleet of copies: " + strconv.Itoa(made)))
			if err != nil {
				return err
			}
			if _, err := redact.Folder(ctx, saved, dir, key); err != nil {
				return err
			}
		}
		if err := s.audit(ctx, dir, n); err != nil {
			return fmt.Errorf("%d hosts: %w", n, err)
		}
	}
	return nil
}

func (s *suite) audit(ctx context.Context, dir string, n int) error {
	files, size := 0, int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, size = files+1, size+info.Size()
		}
		return err
	})
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
	s.page.row(fmt.Sprint(n), fmt.Sprint(files), fmt.Sprintf("%.0f", float64(size)/1e6), duration(best.wall.Seconds()),
		duration(best.cpu.Seconds()), duration(best.cpu.Seconds()/float64(n)), fmt.Sprintf("%d MB", best.peak/1e6),
		fmt.Sprintf("%.1f MB", float64(best.printed)/1e6))
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
	var messages bytes.Buffer
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Env = s.environment()
	cmd.Stdout, cmd.Stderr = &out, &messages
	begin := time.Now()
	err := cmd.Run()
	r := run{wall: time.Since(begin), printed: int64(out)}
	exit := (*exec.ExitError)(nil)
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) { // 2: there are findings
		return r, fmt.Errorf("%w: %s", err, bytes.TrimSpace(messages.Bytes()))
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, errors.New("this system does not report a process's resource usage")
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
