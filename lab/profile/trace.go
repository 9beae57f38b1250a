package profile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"seaworthy/lab/node"
)

const (
	traceUsage = `Usage: trace -a [-d] [-M] [-j Hook,...] [-L Size] [-T Size] [-o File]`
	traceDir   = "/var/adm/ras"
	traceFile  = traceDir + "/trcfile"
	tracePID   = traceDir + "/trace.pid"
	recorderOf = "--recorder" // marks the process in the background
)

type traceOptions struct {
	background, delayed, recorder bool
	hooks                         []string // none: all
	out                           string
}

func traceArgs(args []string) (t traceOptions, err error) {
	t.out = traceFile
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == recorderOf {
			t.recorder = true
			continue
		}
		if len(a) < 2 || a[0] != '-' {
			return t, fmt.Errorf("%q is not a flag", a)
		}
		for j := 1; j < len(a); j++ {
			switch flag := a[j]; {
			case flag == 'a':
				t.background = true
			case flag == 'd':
				t.delayed = true
			case strings.IndexByte("Mgflnph", flag) >= 0:
			case strings.IndexByte("jLTo", flag) >= 0:
				v := a[j+1:]
				if v == "" && len(args) == 0 {
					return t, fmt.Errorf("flag -%c needs a value", flag)
				}
				if v == "" {
					v, args = args[0], args[1:]
				}
				if err := t.set(flag, v); err != nil {
					return t, err
				}
				j = len(a)
			default:
				return t, fmt.Errorf("flag -%c is not supported in the lab", flag)
			}
		}
	}
	return t, nil
}

// set sets a flag with a value. Sizes of buffers and files are checked and ignored.
func (t *traceOptions) set(flag byte, v string) error {
	switch flag {
	case 'o':
		t.out = v
	case 'j':
		for _, h := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' }) {
			if _, err := strconv.ParseUint(h, 16, 16); err != nil || len(h) > 4 {
				return fmt.Errorf("%q is not a hook", h)
			}
			t.hooks = append(t.hooks, strings.ToLower(h))
		}
	default:
		if n, err := strconv.ParseInt(v, 10, 64); err != nil || n < 1 {
			return fmt.Errorf("-%c %s: not a size", flag, v)
		}
	}
	return nil
}

// trace records in the background until trcstop; with -d it waits for trcon.
func trace(ctx context.Context, c *node.Call) int {
	t, err := traceArgs(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr, "trace: %v\n%s\n", err, traceUsage)
		return 1
	}
	if t.recorder {
		err = t.recordUntilStopped(ctx)
	} else {
		err = t.start(c)
	}
	return status(c, err)
}

// status is a command's exit status; it prints the error.
func status(c *node.Call, err error) int {
	if err != nil {
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
		return 1
	}
	return 0
}

func (t traceOptions) start(c *node.Call) error {
	if pid, err := tracing(); err == nil {
		return fmt.Errorf("process %d is recording already: trcstop ends it", pid)
	}
	if !t.background {
		return errors.New("only -a, recording in the background, is supported in the lab")
	}
	out, err := filepath.Abs(t.out)
	if err == nil {
		err = errors.Join(os.MkdirAll(traceDir, 0o755), os.WriteFile(out, nil, 0o644))
	}
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Args = append(append([]string{"trace", recorderOf}, c.Argv[1:]...), "-o", out)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	// The recorder writes its number once it heeds trcon and trcstop.
	for range 1000 {
		if pid, err := tracing(); err == nil && pid == cmd.Process.Pid {
			return cmd.Process.Release()
		}
		time.Sleep(5 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	return errors.New("the recorder in the background does not answer")
}

// tracing is the process that records now.
func tracing() (int, error) {
	text, _ := os.ReadFile(tracePID)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(line), recorderOf) {
			return pid, nil
		}
	}
	return 0, errors.New("nothing is recording")
}

// recordUntilStopped: USR1 turns recording on, USR2 off, TERM ends it.
func (t traceOptions) recordUntilStopped(ctx context.Context) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM)
	if err := os.WriteFile(tracePID, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		return err
	}
	f, err := os.OpenFile(t.out, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var r *recorder
	if !t.delayed {
		if r, err = record(procfs{"/proc"}, f, t.hooks); err != nil {
			return err
		}
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-signals:
			switch {
			case s == syscall.SIGUSR1 && r == nil:
				r, err = record(procfs{"/proc"}, f, t.hooks)
			case s != syscall.SIGUSR1 && r != nil:
				err = r.close()
				r = nil
			}
			if s == syscall.SIGTERM {
				return err
			}
		case <-tick.C:
			if r != nil {
				err = r.sample()
			}
		}
	}
	return err
}

// control is trcon, trcoff and trcstop.
func control(sig syscall.Signal) node.Command {
	return func(_ context.Context, c *node.Call) int {
		pid, err := tracing()
		if err == nil {
			err = syscall.Kill(pid, sig)
		}
		stopping, end := err == nil && sig == syscall.SIGTERM, time.Now().Add(5*time.Second)
		for ; stopping && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, gone := tracing(); gone != nil {
				_ = os.Remove(tracePID)
				break
			}
		}
		return status(c, err)
	}
}

// trcrpt prints a recording as columns.
func trcrpt(_ context.Context, c *node.Call) int {
	file := traceFile
	if n := len(c.Argv); n > 1 {
		file = c.Argv[n-1]
	}
	f, err := os.Open(file)
	if err != nil {
		return status(c, err)
	}
	defer f.Close()
	fmt.Fprintf(c.Stdout, "%-4s %14s  %-12s %s\n\n", "ID", "ELAPSED_SEC", "EVENT", "DATA")
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		p := strings.SplitN(in.Text(), " ", 3)
		if len(p) != 3 {
			return status(c, fmt.Errorf("%s:%d: not a recorded event: %q", file, n, in.Text()))
		}
		fmt.Fprintf(c.Stdout, "%-4s %14s  %-12s %s\n", strings.ToUpper(p[1]), p[0], hookNames[p[1]], p[2])
	}
	return status(c, in.Err())
}
