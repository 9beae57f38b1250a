package measure

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/parse/load/iperf2"
	"seaworthy/internal/parse/load/iperf3"
	"seaworthy/internal/remote"
)

func pause(ctx context.Context, seconds float64) error {
	if seconds <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ofEach asks all hosts at once and gives what each says, and the first host's error.
func ofEach[T any](p *Path, ask func(remote.Host, hostMeter) (T, error)) (map[string]T, error) {
	got := make([]T, len(p.hosts))
	var all errgroup.Group
	for i, h := range p.hosts {
		all.Go(func() (err error) {
			got[i], err = ask(h, p.meters[h.Name()])
			return err
		})
	}
	err := all.Wait()
	by := map[string]T{}
	for i, h := range p.hosts {
		by[h.Name()] = got[i]
	}
	return by, err
}

// addCPU fills in the hosts' CPU, and the path's: each scope once, by the
// first host of it, and not at all if any host's is unknown.
func (t *Trial) addCPU(p *Path, reports map[string]*probe.Report) {
	t.CPU = map[string]HostCPU{}
	sum := 0.0
	scopes := map[string]bool{}
	for _, h := range p.hosts {
		r := reports[h.Name()]
		if r == nil || r.CPU == nil {
			why := "not measured"
			if r != nil && r.CPUError != "" {
				why = r.CPUError
			}
			t.NoCores = append(t.NoCores, h.Name()+": "+why)
			continue
		}
		scope := cmp.Or(r.CPU.Scope, "host:"+h.Name())
		c := HostCPU{Usage: *r.CPU, Self: r.Self, Counted: !scopes[scope]}
		scopes[scope] = true
		if c.Counted {
			sum += c.Cores
		}
		t.CPU[h.Name()] = c
	}
	if len(t.NoCores) == 0 {
		t.Cores = &sum
	}
	t.share()
}

// share separates hosts with a scope of their own from those that share one,
// and what of the path's CPU none of them accounts as its own.
func (t *Trial) share() {
	users := map[string]int{}
	for _, c := range t.CPU {
		users[c.Scope]++
	}
	own, all, anyShared := 0.0, t.Cores != nil, false
	for name, c := range t.CPU {
		c.Shared = c.Scope != "" && users[c.Scope] > 1
		t.CPU[name] = c
		anyShared = anyShared || c.Shared
		n := c.Alone()
		all = all && n != nil
		if all {
			own += *n
		}
	}
	if all && anyShared {
		// Two accounts of one kernel differ a little by how they count.
		t.Other = new(max(0, *t.Cores-own))
	}
}

// Alone returns what the host itself used, in cores; nil if it shares its kernel and cannot
// report its part.
func (c *HostCPU) Alone() *float64 {
	switch {
	case !c.Shared:
		return &c.Cores
	case c.Own != nil:
		return &c.Own.Cores
	}
	return nil
}

// hostCounters are one host's counters, or why they are unknown.
type hostCounters struct {
	values map[string]map[string]uint64
	err    error
}

func (e *Experiment) readCounters(ctx context.Context, p *Path) map[string]hostCounters {
	all, _ := ofEach(p, func(h remote.Host, _ hostMeter) (hostCounters, error) { // errors are kept by host
		v, err := e.Counters(ctx, h)
		return hostCounters{values: v, err: err}, nil
	})
	return all
}

func (t *Trial) addCounters(p *Path, before, after map[string]hostCounters) {
	for _, h := range p.hosts {
		b, a := before[h.Name()], after[h.Name()]
		if err := cmp.Or(b.err, a.err); err != nil {
			t.NoCount = append(t.NoCount, fmt.Sprintf("%s: %v", h.Name(), err))
			continue
		}
		for _, element := range slices.Sorted(maps.Keys(a.values)) {
			for _, name := range slices.Sorted(maps.Keys(a.values[element])) {
				was, ok := b.values[element][name]
				is := a.values[element][name]
				if !ok || was == is {
					continue // a counter that was not there before has no difference
				}
				d := CounterDelta{Host: h.Name(), Element: element, Counter: name, Before: was, After: is, Delta: is - was}
				if is < was {
					d.Delta, d.Reset = 0, true
				}
				t.Counters = append(t.Counters, d)
			}
		}
	}
}

// course turns counts into rates; nil if a helper of another version, or a tool,
// gave none.
func course(s *load.Samples, kind load.Kind) *Course {
	if s == nil || len(s.Seconds) == 0 || len(s.Seconds) != len(s.Counts) {
		return nil
	}
	unit := 8.0 // bits of a byte
	if kind == load.RequestResponse {
		unit = 1
	}
	c := &Course{}
	at, before := 0.0, uint64(0)
	for i, t := range s.Seconds {
		if t <= at || s.Counts[i] < before {
			return nil
		}
		c.Until = append(c.Until, math.Round(t*1e4)/1e4)
		c.Rates = append(c.Rates, math.Round(unit*float64(s.Counts[i]-before)/(t-at)))
		at, before = t, s.Counts[i]
	}
	return c
}

// CourseOf names the figure that a trial's course is of; empty if it has none that
// can be drawn.
func (t *Trial) CourseOf() string {
	c, at := t.Course, 0.0
	if c == nil || len(c.Until) == 0 || len(c.Until) != len(c.Rates) {
		return ""
	}
	for i, until := range c.Until { // a file may say anything
		if until <= at || c.Rates[i] < 0 {
			return ""
		}
		at = until
	}
	if t.BPS == nil {
		return Transactions
	}
	return Throughput
}

// ofIperf3 counts what the receiving end had at the end of each interval.
func ofIperf3(intervals []iperf3.Interval) *load.Samples {
	s := &load.Samples{}
	for _, i := range intervals {
		s.Seconds, s.Counts = append(s.Seconds, i.End-intervals[0].Start), append(s.Counts, last(s.Counts)+i.Bytes)
	}
	return mergeRemainder(s)
}

// ofIperf2 is the same of a text.
func ofIperf2(o *iperf2.Output) *load.Samples {
	s := &load.Samples{}
	until, carried := o.Steps()
	for i, bytes := range carried {
		s.Seconds, s.Counts = append(s.Seconds, until[i]), append(s.Counts, last(s.Counts)+uint64(bytes))
	}
	return mergeRemainder(s)
}

func last(counts []uint64) uint64 {
	if len(counts) == 0 {
		return 0
	}
	return counts[len(counts)-1]
}

// mergeRemainder joins the rest that a tool reports at its end, which may be too short for
// a rate, to the interval before it.
func mergeRemainder(s *load.Samples) *load.Samples {
	if n := len(s.Seconds); n > 1 && s.Seconds[n-1]-s.Seconds[n-2] < s.Seconds[0]/2 {
		s.Seconds, s.Counts = slices.Delete(s.Seconds, n-2, n-1), slices.Delete(s.Counts, n-2, n-1)
	}
	return s
}
