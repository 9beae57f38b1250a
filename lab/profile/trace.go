package profile

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
)

const (
	traceUsage = `Usage: trace -a [-d] [-M] [-j Hook,...] [-L Size] [-T Size] [-o File]`
	traceDir   = "/var/adm/ras"
	traceFile  = traceDir + "/trcfile"
	traceState = traceDir + "/trace.state"
)

type traceOptions struct {
	background, delayed bool
	hooks               []string // none: all
	out                 string
}

// traceArgs reads the flags. Sizes of buffers and files are checked and ignored.
func traceArgs(args []string) (traceOptions, error) {
	t := traceOptions{out: traceFile}
	o, err := flags.Letters("adMgflnphj:L:T:o:", args)
	if err != nil {
		return t, err
	}
	if len(o.Rest) > 0 {
		return t, fmt.Errorf("%q is not a flag", o.Rest[0])
	}
	t.background, t.delayed = o.Has("a"), o.Has("d")
	for _, x := range o.List {
		switch x.Name {
		case "o":
			t.out = x.Value
		case "j":
			for _, h := range strings.FieldsFunc(x.Value, func(r rune) bool { return r == ',' }) {
				if _, err := strconv.ParseUint(h, 16, 16); err != nil || len(h) > 4 {
					return t, fmt.Errorf("%q is not a hook", h)
				}
				t.hooks = append(t.hooks, strings.ToLower(h))
			}
		case "L", "T":
			if n, err := strconv.ParseInt(x.Value, 10, 64); err != nil || n < 1 {
				return t, fmt.Errorf("-%s %s: not a size", x.Name, x.Value)
			}
		}
	}
	return t, nil
}

// Trace begins a trace; with -d it records from trcon on only.
func Trace(_ context.Context, c *node.Call) int {
	t, err := traceArgs(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr, "trace: %v\n%s\n", err, traceUsage)
		return 1
	}
	return status(c, t.begin())
}

// status is a command's exit status; it prints the error.
func status(c *node.Call, err error) int {
	if err != nil {
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
		return 1
	}
	return 0
}

func (t traceOptions) begin() error {
	if _, err := openSession(); err == nil {
		return errors.New("a trace is active already: trcstop ends it")
	}
	if !t.background {
		return errors.New("only -a is supported in the lab")
	}
	out, err := filepath.Abs(t.out)
	if err == nil {
		err = errors.Join(os.MkdirAll(traceDir, 0o755), os.WriteFile(out, nil, 0o644))
	}
	if err != nil {
		return err
	}
	s := &session{Out: out, Hooks: t.hooks}
	if !t.delayed {
		return s.on()
	}
	return s.save()
}

// session is a trace between trace and trcstop, kept in traceState: nothing runs
// meanwhile. What processes used between trcon and trcoff is recorded at trcoff.
type session struct {
	Out   string
	Hooks []string
	Began time.Time // by trcon; zero: off
	Base  []process // as they were then
}

func openSession() (*session, error) {
	text, err := os.ReadFile(traceState)
	if err != nil {
		return nil, errors.New("no trace is active")
	}
	s := &session{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", traceState, err)
	}
	return s, nil
}

func (s *session) save() error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(traceState, text, 0o644)
}

// on is trcon.
func (s *session) on() (err error) {
	if !s.Began.IsZero() {
		return nil
	}
	s.Began = time.Now()
	if s.Base, err = (proc{"/proc"}).processes(); err != nil {
		return err
	}
	return s.save()
}

// off is trcoff.
func (s *session) off() error {
	if s.Began.IsZero() {
		return nil
	}
	f, err := os.OpenFile(s.Out, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := recordSince(proc{"/proc"}, f, s.Hooks, s.Began, s.Base)
	if err == nil {
		err = r.close()
	}
	s.Began, s.Base = time.Time{}, nil
	return errors.Join(err, s.save())
}

// stop is trcstop.
func (s *session) stop() error { return errors.Join(s.off(), os.Remove(traceState)) }

// Trcon goes on with the active trace.
func Trcon(ctx context.Context, c *node.Call) int { return control((*session).on)(ctx, c) }

// Trcoff pauses the active trace.
func Trcoff(ctx context.Context, c *node.Call) int { return control((*session).off)(ctx, c) }

// Trcstop ends the active trace.
func Trcstop(ctx context.Context, c *node.Call) int { return control((*session).stop)(ctx, c) }

// control is a command on the active trace.
func control(do func(*session) error) node.Command {
	return func(_ context.Context, c *node.Call) int {
		s, err := openSession()
		if err == nil {
			err = do(s)
		}
		return status(c, err)
	}
}

// Trcrpt prints a recording as columns.
func Trcrpt(_ context.Context, c *node.Call) int {
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
