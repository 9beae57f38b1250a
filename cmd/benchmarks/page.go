package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"seaworthy/bench/stats"
)

// page is the text being written.
type page struct{ strings.Builder }

func (p *page) say(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) table(head ...string) {
	p.say("\n| %s |", strings.Join(head, " | "))
	p.say("|%s", strings.Repeat(" --- |", len(head)))
}

func (p *page) row(cells ...string) { p.say("| %s |", strings.Join(cells, " | ")) }

// machine says where and when, and with which other load generators.
func (p *page) machine(ctx context.Context) {
	const about = `echo "$(id -un) on $(uname -sr), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
for t in "iperf3 --version" "iperf -v" "qperf --version" "sockperf --version"; do
	echo "- $($t 2>&1 | head -1)"
done`
	text, _ := exec.CommandContext(ctx, "sh", "-c", about).Output()
	p.say("Measured %s with %d CPUs and %s by %s", time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		runtime.NumCPU(), runtime.Version(), text)
}

// summary puts repeated figures into cells: n, median with its interval, most.
// An interval of fewer than five values says little more than that they are few;
// nothing that is measured here is below zero.
func (p *page) summary(what string, values []float64, unit string) []string {
	s := stats.Summarise(values)
	interval := "-"
	if s.Low != nil && s.N >= 5 {
		interval = figured(max(0, *s.Low), unit) + " to " + figured(*s.High, unit)
	}
	return []string{what, fmt.Sprint(s.N), figured(s.Median, unit), interval, figured(slices.Max(values), unit)}
}

// figured is a figure with its unit.
func figured(v float64, unit string) string {
	switch {
	case unit != "s":
		return fmt.Sprintf("%.0f %s", v, unit)
	case v < 1:
		return fmt.Sprintf("%.1f ms", v*1e3)
	}
	return fmt.Sprintf("%.2f s", v)
}
