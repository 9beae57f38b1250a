package profile

import (
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
	traceUsage  = `Usage: trace [-a] [-d] [-M] [-j Hook,...] [-k Hook,...] [-L Size] [-T Size] [-o File]`
	traceDir    = "/var/adm/ras"
	traceFile   = traceDir + "/trcfile"
	traceNumber = traceDir + "/trace.pid"
	traceFront  = "--recorder" // the process in the background is told so
)

type traceOptions struct {
	back, delayed, front bool
	hooks, not           []string
	out                  string
	limit                int64
}

func traceArgs(args []string) (t traceOptions, err error) {
	t = traceOptions{out: traceFile, limit: 64 << 20}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == traceFront {
			t.front = true
			continue
		}
		if len(a) < 2 || a[0] != '-' {
			return t, fmt.Errorf("%q is not a flag", a)
		}
		for j := 1; j < len(a); j++ {
			if strings.IndexByte(traceValued, a[j]) < 0 {
				if err := t.mode(a[j]); err != nil {
					return t, err
				}
				continue
			}
			v := a[j+1:]
			if v == "" {
				if i++; i >= len(args) {
					return t, fmt.Errorf("flag -%c needs a value", a[j])
				}
				v = args[i]
			}
			if err := t.value(a[j], v); err != nil {
				return t, err
			}
			break
		}
	}
	return t, nil
}

// traceValued are the flags with a value behind them.
const traceValued = "jkLToACJKmtx"

// mode sets a flag without a value.
func (t *traceOptions) mode(flag byte) error {
	switch flag {
	case 'a':
		t.back = true
	case 'd':
		t.delayed = true
	case 'M', 'g', 'f', 'l', 'n', 'p', 'h':
	default:
		return fmt.Errorf("flag -%c is not in this lab", flag)
	}
	return nil
}

// value sets a flag with a value.
func (t *traceOptions) value(flag byte, v string) (err error) {
	switch flag {
	case 'j':
		t.hooks, err = hooks(v)
	case 'k':
		t.not, err = hooks(v)
	case 'L', 'T':
		n, bad := strconv.ParseInt(v, 10, 64)
		if bad != nil || n < 1 {
			return fmt.Errorf("-%c %s: not a size", flag, v)
		}
		if flag == 'L' {
			t.limit = n
		}
	case 'o':
		t.out = v
	default:
		return fmt.Errorf("flag -%c is not in this lab", flag)
	}
	return err
}

// hooks reads a list of hook words: up to four hexadecimal digits each.
func hooks(v string) ([]string, error) {
	list := strings.FieldsFunc(v, func(r rune) bool { return r == ',' })
	for n, h := range list {
		if _, err := strconv.ParseUint(h, 16, 16); err != nil || len(h) > 4 {
			return nil, fmt.Errorf("%q is no hook", h)
		}
		list[n] = strings.ToLower(h)
	}
	return list, nil
}

// trace records in the background until trcstop; with -d it waits for trcon.
func trace(ctx context.Context, c *node.Call) int {
	t, err := traceArgs(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr, "trace: %v\n%s\n", err, traceUsage)
		return 1
	}
	if t.front {
		err = t.recordUntilStopped(ctx)
	} else {
		err = t.start(c)
	}
	if err != nil {
		fmt.Fprintf(c.Stderr, "trace: %v\n", err)
		return 1
	}
	return 0
}

func (t traceOptions) start(c *node.Call) error {
	if pid, err := tracing(); err == nil {
		return fmt.Errorf("process %d is recording already: trcstop ends it", pid)
	}
	if !t.back {
		return errors.New("only -a, recording in the background, is in this lab")
	}
	if err := os.MkdirAll(traceDir, 0o755); err != nil {
		return err
	}
	out, err := filepath.Abs(t.out)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	f.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Args = append(append([]string{"trace", traceFront}, c.Argv[1:]...), "-o", out)
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
	text, err := os.ReadFile(traceNumber)
	if err != nil {
		return 0, errors.New("nothing is recording")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(line), traceFront) {
			return pid, nil
		}
	}
	return 0, errors.New("nothing is recording")
}

// recordUntilStopped: USR1 turns recording on, USR2 off, TERM ends it.
func (t traceOptions) recordUntilStopped(ctx context.Context) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM)
	if err := os.WriteFile(traceNumber, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		return err
	}
	f, err := os.OpenFile(t.out, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	hooks := t.hooks
	if len(hooks) == 0 {
		for h := range hookNames {
			hooks = append(hooks, h)
		}
	}
	for _, no := range t.not {
		for i, h := range hooks {
			if h == no {
				hooks = append(hooks[:i:i], hooks[i+1:]...)
				break
			}
		}
	}
	var r *recorder
	on := func() (err error) {
		r, err = record(procfs{"/proc"}, f, hooks)
		return err
	}
	if !t.delayed {
		if err := on(); err != nil {
			return err
		}
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-signals:
			switch {
			case s == syscall.SIGUSR1 && r == nil:
				err = on()
			case s != syscall.SIGUSR1 && r != nil:
				err = r.close()
				r = nil
			}
			if s == syscall.SIGTERM || err != nil {
				return err
			}
		case <-tick.C:
			if r == nil {
				continue
			}
			if at, err := f.Seek(0, 1); err == nil && at > t.limit {
				r.out = nil // full: AIX wraps or stops, this one stops
			}
			if err := r.look(); err != nil {
				return err
			}
		}
	}
}
