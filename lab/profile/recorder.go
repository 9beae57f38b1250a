package profile

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"seaworthy/lab/node"
)

// Trace hooks that are recorded here, by AIX's numbers.
const (
	hookOn   = "001"
	hookOff  = "002"
	hookExec = "134" // a program is seen for the first time
	hookTick = "234" // processor time of a process since the last sample
)

var hookNames = map[string]string{hookOn: "TRACE ON", hookOff: "TRACE OFF", hookExec: "EXEC", hookTick: "CLOCK TICKS"}

// interval between two samples of /proc: a process that lives shorter may be missed.
const interval = 20 * time.Millisecond

// key distinguishes processes that had the same id one after the other.
type key struct {
	pid   int
	start uint64
}

// recorder follows the node's processes.
type recorder struct {
	source
	out   io.Writer // events, one a line; nil: none
	hooks []string  // none: all
	began time.Time
	seen  map[key]*seen
	idle0 uint64
	idle1 uint64
	cpus  int
	err   error
}

// seen is one process: what it had used when recording began, and last.
type seen struct {
	process
	base ticks
}

func record(s source, out io.Writer, hooks []string) (*recorder, error) {
	list, err := s.processes()
	if err != nil {
		return nil, err
	}
	return recordSince(s, out, hooks, time.Now(), list)
}

// recordSince records what processes use beyond what they had used at a time.
func recordSince(s source, out io.Writer, hooks []string, began time.Time, list []process) (r *recorder, err error) {
	r = &recorder{source: s, out: out, hooks: hooks, began: began, seen: map[key]*seen{}}
	if r.idle0, r.cpus, err = s.idle(); err != nil {
		return nil, err
	}
	for _, p := range list {
		if !p.Dead {
			r.seen[key{p.PID, p.Start}] = &seen{p, p.ticks}
		}
	}
	r.event(0, hookOn, "")
	return r, r.err
}

// sample reads all processes.
func (r *recorder) sample() error {
	list, err := r.processes()
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b process) int { return cmp.Compare(a.PID, b.PID) })
	for _, p := range list {
		k := key{p.PID, p.Start}
		old := r.seen[k]
		switch {
		case old == nil && p.Dead:
			continue // nothing says whose it was
		case p.Dead:
			p.Name = old.Name
		case old == nil:
			old = &seen{process: process{PID: p.PID, Start: p.Start}}
			r.seen[k] = old
		}
		if old.Name != p.Name {
			r.event(time.Since(r.began), hookExec, fmt.Sprintf("pid=%d %s", p.PID, p.Name))
		}
		if p.User+p.Kernel > old.User+old.Kernel {
			r.event(time.Since(r.began), hookTick, fmt.Sprintf("pid=%d kernel=%d user=%d %s", p.PID, p.Kernel-old.Kernel, p.User-old.User, p.Name))
		}
		old.process = p
	}
	r.idle1, _, err = r.idle()
	return cmp.Or(err, r.err)
}

// close takes the last sample.
func (r *recorder) close() error {
	err := r.sample()
	r.event(time.Since(r.began), hookOff, "")
	return cmp.Or(err, r.err)
}

// event writes a line: seconds since the beginning, hook, text.
func (r *recorder) event(at time.Duration, hook, text string) {
	if r.out == nil || r.err != nil || len(r.hooks) > 0 && !slices.Contains(r.hooks, hook) {
		return
	}
	_, r.err = fmt.Fprintf(r.out, "%.6f %s %s\n", at.Seconds(), hook, text)
}

// row is a line of the report: all processes of a name.
type row struct {
	Name      string
	processes int
	ticks
}

// rows adds up what was used since the beginning, the busiest first.
func (r *recorder) rows() []row {
	byName := map[string]row{}
	for _, s := range r.seen {
		user, kernel := s.User-s.base.User, s.Kernel-s.base.Kernel
		if user+kernel > 0 {
			x := byName[s.Name]
			byName[s.Name] = row{s.Name, x.processes + 1, ticks{x.User + user, x.Kernel + kernel}}
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b row) int {
		return cmp.Or(cmp.Compare(b.User+b.Kernel, a.User+a.Kernel), strings.Compare(a.Name, b.Name))
	})
}

// machine is the line that names the node, as uname gives it there.
func machine(name string) string { return "System: AIX Node: " + name }

// report is the .prof file.
func (r *recorder) report(c *node.Call, base string, took time.Duration) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	rows := r.rows()
	idle := uint64(0)
	if r.idle1 > r.idle0 {
		idle = r.idle1 - r.idle0
	}
	total := idle
	for _, x := range rows {
		total += x.User + x.Kernel
	}
	p("Configuration information\n=========================\n%s", machine(c.Node))
	p("Tprof command was:\n%s", strings.Join(c.Argv, " "))
	p("Trace command was:\n/usr/bin/trace -ad -M -T 500000 -j %s -o %s.trc",
		strings.Join([]string{hookOn, hookOff, hookExec, hookTick}, ","), base)
	p("Total Samples = %d", total)
	p("Traced Time = %.2fs (out of a total execution time of %.2fs)", took.Seconds(), took.Seconds())
	p("Ticks are of 10 ms, from the kernel's accounting; wait is the idle time of the whole machine.")
	p("Shared is not separated from User in the lab.")
	p("%s\n", strings.Repeat("<", 80))
	p("%-37s %5s %6s %6s %6s %6s %6s", "Process", "FREQ", "Total", "Kernel", "User", "Shared", "Other")
	p("%-37s %5s %6s %6s %6s %6s %6s", "=======", "====", "=====", "======", "====", "======", "=====")
	lines := append([]row{{Name: "wait", processes: r.cpus, ticks: ticks{Kernel: idle}}}, rows...)
	for _, x := range lines {
		p("%-37s %5d %6d %6d %6d %6s %6s", x.Name, x.processes, x.User+x.Kernel, x.Kernel, x.User, "-", "-")
	}
	return b.String()
}

// symbols is the .syms file: which process ran which program.
func (r *recorder) symbols() string {
	var out []string
	for _, s := range r.seen {
		out = append(out, fmt.Sprintf("%d %s", s.PID, s.Name))
	}
	slices.Sort(out)
	return strings.Join(out, "\n") + "\n"
}

// View is vi, as far as to show files. On a terminal it is the machine's own editor, if there is one.
func View(_ context.Context, c *node.Call) int {
	if len(c.Argv) < 2 {
		fmt.Fprintln(c.Stderr, "Usage: vi File...")
		return 1
	}
	for _, name := range c.Argv[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			return status(c, err)
		}
		_, _ = c.Stdout.Write(text)
	}
	return 0
}
