package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// seaworthy runs the program and gives its standard output. Exit statuses in
// fine are answers, not failures.
func (s *suite) seaworthy(ctx context.Context, fine []int, args ...string) ([]byte, time.Duration, error) {
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Env = s.environment()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	begin := time.Now()
	err := cmd.Run()
	took := time.Since(begin)
	for _, code := range fine {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == code {
			err = nil
		}
	}
	if err != nil {
		return nil, took, fmt.Errorf("seaworthy %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out.Bytes(), took, nil
}

// environment keeps labs and journals apart from the user's own.
func (s *suite) environment() []string {
	return append(os.Environ(), "XDG_RUNTIME_DIR="+s.state, "XDG_STATE_HOME="+s.state)
}

// up starts a lab. down, deferred, ends it and adds its own failure to err.
func (s *suite) up(ctx context.Context, topology, name string) (down func(err *error), err error) {
	if _, _, err := s.seaworthy(ctx, nil, "lab", "up", topology, "--name", name); err != nil {
		return nil, err
	}
	return func(err *error) {
		_, _, failed := s.seaworthy(context.WithoutCancel(ctx), nil, "lab", "down", name)
		*err = errors.Join(*err, failed)
	}, nil
}

// bypass sets mtu_bypass of both LPARs of two-systems.
func (s *suite) bypass(ctx context.Context, lab, value string) error {
	for _, host := range []string{"lpar1", "lpar2"} {
		if _, _, err := s.seaworthy(ctx, nil, "lab", "exec", "--lab", lab, host, "--", "chdev -l en0 -a mtu_bypass="+value); err != nil {
			return err
		}
	}
	return nil
}

// left counts what a lab could leave behind on this machine.
type left struct{ processes, mounts, namespaces int }

func leavings() left {
	var l left
	seen := map[string]bool{}
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		if line, err := os.ReadFile(p + "/cmdline"); err != nil || len(line) == 0 {
			continue // the kernel's own threads come and go
		}
		l.processes++
		if ns, err := os.Readlink(p + "/ns/net"); err == nil {
			seen[ns] = true
		}
	}
	l.namespaces = len(seen)
	text, _ := os.ReadFile("/proc/self/mountinfo")
	l.mounts = bytes.Count(text, []byte("\n"))
	return l
}

// lab measures how long a lab takes to come and to go.
func (s *suite) lab(ctx context.Context) error {
	s.page.say("\n## Lab up and down\n")
	s.page.say("Whole commands, from start to end of the process: `lab up` returns when every node answers.")
	s.page.table("topology", "command", "n", "median", "95 % interval", "longest")
	before := leavings()
	for _, top := range []string{"two-systems", "dedicated"} {
		var up, down []float64
		for range s.times(30) {
			_, took, err := s.seaworthy(ctx, nil, "lab", "up", top)
			if err != nil {
				return err
			}
			up = append(up, took.Seconds())
			if _, took, err = s.seaworthy(ctx, nil, "lab", "down", top); err != nil {
				return err
			}
			down = append(down, took.Seconds())
		}
		s.page.row(append([]string{top, "lab up"}, seconds(up)...)...)
		s.page.row(append([]string{top, "lab down"}, seconds(down)...)...)
	}
	after := leavings()
	s.page.say("\nLeft behind after all of them: %d mounts, %d network namespaces; processes %d before, %d after.",
		after.mounts-before.mounts, after.namespaces-before.namespaces, before.processes, after.processes)
	return nil
}
