package profile

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"time"
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
	r := &recorder{source: s, out: out, hooks: hooks, began: time.Now(), seen: map[key]*seen{}}
	list, err := s.processes()
	if err != nil {
		return nil, err
	}
	if r.idle0, r.cpus, err = s.idle(); err != nil {
		return nil, err
	}
	for _, p := range list {
		if !p.dead {
			r.seen[key{p.pid, p.start}] = &seen{p, p.ticks}
		}
	}
	r.event(hookOn, "")
	return r, r.err
}

// sample reads all processes.
func (r *recorder) sample() error {
	list, err := r.processes()
	if err != nil {
		return err
	}
	sort.Slice(list, func(i, j int) bool { return list[i].pid < list[j].pid })
	for _, p := range list {
		k := key{p.pid, p.start}
		old := r.seen[k]
		switch {
		case old == nil && p.dead:
			continue // nothing says whose it was
		case p.dead:
			p.name = old.name
		case old == nil:
			old = &seen{process: process{pid: p.pid, start: p.start}}
			r.seen[k] = old
		}
		if old.name != p.name {
			r.event(hookExec, fmt.Sprintf("pid=%d %s", p.pid, p.name))
		}
		if p.user+p.kernel > old.user+old.kernel {
			r.event(hookTick, fmt.Sprintf("pid=%d kernel=%d user=%d %s", p.pid, p.kernel-old.kernel, p.user-old.user, p.name))
		}
		old.process = p
	}
	r.idle1, _, err = r.idle()
	if err != nil {
		return err
	}
	return r.err
}

// close takes the last sample.
func (r *recorder) close() error {
	err := r.sample()
	r.event(hookOff, "")
	if err == nil {
		err = r.err
	}
	return err
}

// event writes a line: seconds since the beginning, hook, text.
func (r *recorder) event(hook, text string) {
	if r.out == nil || r.err != nil || len(r.hooks) > 0 && !slices.Contains(r.hooks, hook) {
		return
	}
	_, r.err = fmt.Fprintf(r.out, "%.6f %s %s\n", time.Since(r.began).Seconds(), hook, text)
}

// row is a line of the report: all processes of a name.
type row struct {
	name      string
	processes int
	ticks
}

// rows adds up what was used since the beginning, the busiest first.
func (r *recorder) rows() []row {
	byName := map[string]*row{}
	for _, s := range r.seen {
		used := ticks{s.user - s.base.user, s.kernel - s.base.kernel}
		if used.user+used.kernel == 0 {
			continue
		}
		x := byName[s.name]
		if x == nil {
			x = &row{name: s.name}
			byName[s.name] = x
		}
		x.processes++
		x.user += used.user
		x.kernel += used.kernel
	}
	var out []row
	for _, x := range byName {
		out = append(out, *x)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].user+out[i].kernel, out[j].user+out[j].kernel
		return a > b || a == b && out[i].name < out[j].name
	})
	return out
}
