package demo

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
)

// Machine is what else this machine did while the demo measured.
type Machine struct {
	Processors int      `json:"processors"`
	Load       *float64 `json:"load_before,omitempty"`   // runnable threads before the demo began; nil: not known
	Steal      *float64 `json:"steal_percent,omitempty"` // of the processors, given to other guests during the trials; nil: not known
}

// From these on a machine counts as busy with other work: runnable threads for each
// processor, and percent of the processors that other guests took.
const (
	busyLoad  = 0.25
	busySteal = 5
)

// Busy says what other work the machine had, in words; empty: none that matters.
func (m Machine) Busy() string {
	var parts []string
	if m.Load != nil && *m.Load > busyLoad*float64(m.Processors) {
		parts = append(parts, fmt.Sprintf("%.1f runnable threads on %d processors before the demo began", *m.Load, m.Processors))
	}
	if m.Steal != nil && *m.Steal > busySteal {
		parts = append(parts, fmt.Sprintf("%.0f %% of its processors went to other guests during the trials", *m.Steal))
	}
	return strings.Join(parts, "; ")
}

// beforehand reads the load of other work.
func beforehand() Machine {
	m := Machine{Processors: runtime.NumCPU()}
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return m
	}
	word, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(word, 64)
	if err == nil {
		m.Load = &load
	}
	return m
}

// ticks are the processors' time as /proc/stat has it: all of it, and what other guests took.
// Zero where it cannot be read.
func ticks() (all, stolen float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	const steal = 8 // field, after the line's name
	for i, word := range strings.Fields(first) {
		value, err := strconv.ParseFloat(word, 64)
		if err != nil || i > steal { // guests' time is part of the first two
			continue
		}
		all += value
		if i == steal {
			stolen = value
		}
	}
	return all, stolen
}

// notWorse takes back what a busy machine cannot show: that a change made something worse.
func notWorse(r *measure.Result, busy string) {
	for _, e := range effects(r) {
		if e.Verdict == stats.Worse {
			e.Verdict, e.Reason = stats.Inconclusive, "this machine had other work: "+busy
		}
	}
}

// effects are those of a comparison, in all its figures.
func effects(r *measure.Result) (all []*stats.Effect) {
	for i := range r.Results {
		for _, e := range []*stats.Effect{r.Results[i].Effect, r.Results[i].Cost} {
			if e != nil {
				all = append(all, e)
			}
		}
	}
	for i := range r.Contrast {
		all = append(all, &r.Contrast[i].Effect)
	}
	return all
}
