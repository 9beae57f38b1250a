package live

import (
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/remote"
)

// host holds what the model keeps of one.
type host struct {
	name string
	inv  *model.Host // structure of the whole reading, states of the last; nil: not read yet
	lost *Lost       // nil while it answers

	at       time.Time // of the last reading of counters; zero: none yet
	seconds  float64   // between the last two; 0: not known
	counters map[string]model.Counters
	since    map[string]int64 // seconds that an element's counters count
	totals   model.Counters
	cgroup   *meter.CgroupStat
	stat     *meter.ProcStat

	rates  map[string]Rates
	peaks  map[string]Rates
	reset  map[string]bool
	cores  *float64
	peak   *float64 // of cores
	resent *float64 // segments a second
	unread int      // commands that did not answer
	hung   []string // commands that are not asked again
}

// lose forgets what no rate may bridge; the peaks stay.
func (h *host) lose(l *Lost) {
	if h.lost != nil && h.lost.Why == l.Why { // gone since then
		l.At = h.lost.At
	}
	h.lost = l
	h.clearCounts()
}

func (h *host) clearCounts() {
	h.at = time.Time{}
	h.seconds = 0
	h.counters = nil
	h.since = nil
	h.totals = model.Counters{}
	h.cgroup = nil
	h.stat = nil
	h.rates = nil
	h.reset = nil
	h.cores = nil
	h.resent = nil
}

// read takes a reading. Only those of the counters give rates: a whole one
// takes seconds, and nobody knows at which of them it read a counter.
func (h *host) read(r *collect.Reading) {
	h.lost = nil
	if r.Whole {
		h.clearCounts()
		h.hung = nil
		h.noteHung(r)
		h.inv = assemble.Host(r.About(), r.Outputs)
		return
	}
	if h.inv == nil {
		return // a recording that begins in the middle
	}
	h.unread = 0
	for _, o := range r.Outputs {
		if o.Exit != 0 && !isHung(o) {
			h.unread++
		}
	}
	h.noteHung(r)
	now := assemble.Host(r.About(), r.Outputs)
	seconds := r.At.Sub(h.at).Seconds()
	if h.at.IsZero() || seconds <= 0 {
		seconds = 0
	}
	h.elements(now, seconds)
	h.processors(r, now)
	h.resent = nil
	if seconds > 0 {
		for _, name := range retransmitted {
			if n, known, back := grown(h.totals, now.Protocols, []string{name}); known && !back {
				h.resent = new(float64(n) / seconds)
			}
		}
	}
	h.totals, h.at, h.seconds = now.Protocols, r.At, seconds
}

// noteHung adds commands that are not asked again.
func (h *host) noteHung(r *collect.Reading) {
	for _, o := range r.Outputs {
		if isHung(o) && !slices.Contains(h.hung, o.Command) {
			h.hung = append(h.hung, o.Command)
		}
	}
}

// isHung says whether a command did not end, now or before.
func isHung(o assemble.Output) bool {
	return strings.HasPrefix(o.Problem, remote.NotAskedAgain) || strings.HasPrefix(o.Problem, remote.ErrTimeout.Error())
}

// elements takes the counters and states; seconds 0: there is nothing to
// compare with.
func (h *host) elements(now *model.Host, seconds float64) {
	before, counted := h.counters, h.since
	h.counters, h.since = map[string]model.Counters{}, map[string]int64{}
	h.rates, h.reset = map[string]Rates{}, map[string]bool{}
	for name, e := range now.Elements {
		if own := h.inv.Elements[name]; own != nil {
			renew(own, e)
		}
		h.counters[name] = e.Counters
		if e.CountedS != nil {
			h.since[name] = *e.CountedS
		}
		if seconds == 0 {
			continue
		}
		if was, ok := counted[name]; ok && e.CountedS != nil && *e.CountedS < was {
			h.reset[name] = true // entstat -r, or the adapter was opened again
			continue
		}
		h.rates[name], h.reset[name] = rates(before[name], e.Counters, seconds)
	}
	for name, r := range h.rates {
		if e := h.inv.Elements[name]; e != nil && e.Kind == model.SEA {
			h.bridged(e, r)
		}
		if h.peaks[name] == nil {
			h.peaks[name] = Rates{}
		}
		h.peaks[name].raise(r)
	}
}

// bridged gives an SEA the traffic of its adapters, as topas -E does: its own
// counters are those of its interface.
func (h *host) bridged(sea *model.Element, r Rates) {
	for _, m := range []Metric{InBytes, OutBytes, InPackets, OutPackets} {
		sum, known := 0.0, true
		for _, name := range append([]string{sea.Real}, sea.Trunks...) {
			v, ok := h.rates[name][m]
			sum, known = sum+v, known && ok
		}
		delete(r, m)
		if known {
			r[m] = sum
		}
	}
}

// renew takes over what changes while a host runs.
func renew(own, now *model.Element) {
	own.Counters = now.Counters
	own.HAState = now.HAState
	own.BridgeMode = now.BridgeMode
	own.Shared = now.Shared
	own.Channel = now.Channel
	own.Bridges, own.Priority = now.Bridges, now.Priority
	if now.LinkUp != nil {
		own.LinkUp = now.LinkUp
	}
	if now.Up != nil {
		own.Up = now.Up
	}
}

// processors takes the cores used: those that the hypervisor counts on AIX; on
// Linux the account of the control group, which a container has of its own and
// of a whole host is the host's, else the kernel's.
func (h *host) processors(r *collect.Reading, now *model.Host) {
	h.cores = nil
	p := h.inv.Partition
	if f, ok := now.Figures[model.CoresUsed]; ok {
		h.cores = &f.Value
	} else if f, ok := now.Figures[model.CPUBusy]; ok && strings.HasPrefix(p.Type, "Dedicated") && p.VirtualCPUs != nil {
		h.cores = new(f.Value / 100 * float64(*p.VirtualCPUs))
	}
	var cgroup *meter.CgroupStat
	var stat *meter.ProcStat
	for _, o := range r.Outputs {
		switch {
		case o.Exit != 0:
		case o.ID == "cgroup-cpu":
			cgroup, _ = meter.ParseCgroupStat(string(o.Text), r.At) // one that is none gives no figure
		case o.ID == "proc-stat":
			stat, _ = meter.ParseProcStat(string(o.Text), r.At)
		}
	}
	if cgroup != nil && h.cgroup != nil {
		if u, err := cgroup.Since(h.cgroup); err == nil {
			h.cores = &u.Cores
		}
	} else if cgroup == nil && stat != nil && h.stat != nil {
		if u, err := stat.Since(h.stat); err == nil {
			h.cores = &u.Cores
		}
	}
	h.cgroup, h.stat = cgroup, stat
	if h.cores != nil && (h.peak == nil || *h.cores > *h.peak) {
		h.peak = new(*h.cores)
	}
}
