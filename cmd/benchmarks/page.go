package main

import (
	"context"
	"fmt"
	"os"
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

// machine says where and when.
func (p *page) machine(ctx context.Context) {
	user := "an ordinary user"
	if os.Geteuid() == 0 {
		user = "root"
	}
	p.say("Measured %s on %s, Linux %s, as %s.",
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), processor(), output(ctx, "uname", "-r"), user)
	p.say("Go %s. Tools: %s.", strings.TrimPrefix(runtime.Version(), "go"), strings.Join(tools(ctx), ", "))
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	name := runtime.GOARCH
	if err == nil {
		for l := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == "model name" {
				name = strings.TrimSpace(v)
			}
		}
	}
	return fmt.Sprintf("%d CPUs (%s)", runtime.NumCPU(), name)
}

// tools are the other load generators found here, with their versions.
func tools(ctx context.Context) []string {
	var out []string
	for _, t := range [][]string{{"iperf3", "--version"}, {"iperf", "-v"}, {"qperf", "--version"}, {"sockperf", "--version"}} {
		if _, err := exec.LookPath(t[0]); err != nil {
			out = append(out, t[0]+" not installed")
			continue
		}
		words := strings.Fields(strings.Split(output(ctx, t[0], t[1:]...), "\n")[0])
		out = append(out, strings.Join(words[:min(len(words), 4)], " "))
	}
	return out
}

func output(ctx context.Context, name string, args ...string) string {
	text, _ := exec.CommandContext(ctx, name, args...).CombinedOutput()
	return strings.TrimSpace(string(text))
}

// seconds puts repeated times into a row: n, median with its interval, most.
func seconds(values []float64) []string {
	s := stats.Summarise(values)
	if s == nil {
		return []string{"0", "-", "-", "-"}
	}
	return []string{fmt.Sprint(s.N), duration(s.Median), span(s, duration), duration(slices.Max(values))}
}

// span prints an interval. One of fewer than five values says little more than
// that they are few; nothing that is measured here is below zero.
func span(s *stats.Summary, form func(float64) string) string {
	if s.Low == nil || s.N < 5 {
		return "-"
	}
	return form(max(0, *s.Low)) + " to " + form(*s.High)
}

func duration(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.1f ms", s*1e3)
	}
	return fmt.Sprintf("%.2f s", s)
}
