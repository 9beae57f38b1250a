package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// ran is what a script cost, and what it printed.
type ran struct {
	text      string
	wall, cpu time.Duration
	memory    int64 // bytes
}

// answers are exit statuses of the program that are no failure: no, and inconclusive.
var answers = []int{2, 3}

// shell runs a script in the folder of the run, with the program first on PATH
// and labs and journals apart from the user's own. QUICK is 2, a number of
// blocks, with -quick.
func (s *suite) shell(ctx context.Context, script string) (r ran, err error) {
	if script == "" {
		return r, nil
	}
	cmd := exec.CommandContext(ctx, "sh", "-ec", script)
	cmd.Dir = s.state
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+s.state, "XDG_STATE_HOME="+s.state, "OUT="+s.out,
		"PATH="+filepath.Dir(s.program)+":"+os.Getenv("PATH"))
	if s.quick {
		cmd.Env = append(cmd.Env, "QUICK=2")
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	begin := time.Now()
	err = cmd.Run()
	r.wall = time.Since(begin)
	r.text = string(bytes.TrimSpace(out.Bytes()))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && slices.Contains(answers, exit.ExitCode()) {
		err = nil
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", script, err, bytes.TrimSpace(said.Bytes()))
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.cpu, r.memory = time.Duration(u.Utime.Nano()+u.Stime.Nano()), u.Maxrss<<10
	}
	return r, nil
}
