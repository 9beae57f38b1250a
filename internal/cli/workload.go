package cli

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/ui/report"
)

// workloadFlags describe the traffic; lists make one workload for every
// combination.
type workloadFlags struct {
	streams, sessions []int
	writes, requests  []string
	responses         []string
	window            string
	rate              float64
	delay, reverse    bool
	seconds, warmup   float64
}

func (f *workloadFlags) flags() command.Flags {
	return command.Flags{
		"streams": &f.streams, "write": &f.writes, "sessions": &f.sessions, "request": &f.requests, "response": &f.responses, "rate": &f.rate,
		"window": &f.window, "delay": &f.delay, "reverse": &f.reverse,
		"seconds": command.Seconds(&f.seconds), "warmup": command.Seconds(&f.warmup),
	}
}

// newWorkload has the defaults.
func newWorkload() workloadFlags {
	return workloadFlags{writes: []string{"128K"}, requests: []string{"700"}, window: "0", seconds: 10, warmup: 1}
}

func (f *workloadFlags) workloads() ([]measure.Workload, error) {
	window, err := size("--window", f.window, 0)
	if err != nil {
		return nil, err
	}
	if !(f.seconds > 0 && f.seconds <= longest) {
		return nil, command.Usage("--seconds %g: expected more than 0, at most %d", f.seconds, longest)
	}
	if !(f.warmup >= 0 && f.warmup <= longest) {
		return nil, command.Usage("--warmup %g: expected 0 to %d", f.warmup, longest)
	}
	if !(f.rate >= 0 && f.rate <= load.MaxRate) {
		return nil, command.Usage("--rate %g: expected 0 to %.0f requests per second", f.rate, float64(load.MaxRate))
	}
	if f.rate > 0 && len(f.sessions) == 0 {
		return nil, command.Usage("--rate: give --sessions too: streams have no requests")
	}
	if err := f.counts(); err != nil {
		return nil, err
	}
	if len(f.streams)+len(f.sessions) == 0 {
		f.streams = []int{1}
	}
	warmup := f.warmup
	if warmup == 0 {
		warmup = -1 // none
	}
	var all []measure.Workload
	for _, n := range f.streams {
		for _, text := range f.writes {
			write, err := size("--write", text, 1)
			if err != nil {
				return nil, err
			}
			name := report.Plural(n, "stream")
			if len(f.writes) > 1 {
				name += " × " + text
			}
			all = append(all, measure.Workload{Name: name, Kind: load.Stream, Streams: n, Write: write,
				Window: window, Reverse: f.reverse, Seconds: f.seconds, Warmup: warmup})
		}
	}
	sessions, err := f.sessionWorkloads(window, warmup)
	return append(all, sessions...), err
}

// sessionWorkloads are those of requests and responses.
func (f *workloadFlags) sessionWorkloads(window int, warmup float64) (all []measure.Workload, err error) {
	for _, n := range f.sessions {
		pairs, err := f.pairs()
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			name := fmt.Sprintf("%s × %d B", report.Plural(n, "session"), p[0])
			if p[1] != p[0] {
				name += fmt.Sprintf("/%d B", p[1])
			}
			if f.rate > 0 {
				name += fmt.Sprintf(" at %g/s", f.rate)
			}
			all = append(all, measure.Workload{Name: name, Kind: load.RequestResponse, Sessions: n, Request: p[0], Response: p[1], Rate: f.rate,
				Window: window, NoDelay: !f.delay, Seconds: f.seconds, Warmup: warmup})
		}
	}
	return all, nil
}

// Bounds of what one trial may be asked for.
const (
	longest = 24 * 3600 // s
	most    = 100_000   // connections
)

// counts checks the numbers of connections.
func (f *workloadFlags) counts() error {
	for _, c := range []struct {
		flag    string
		numbers []int
	}{{"--streams", f.streams}, {"--sessions", f.sessions}} {
		for _, n := range c.numbers {
			if n < 1 || n > most {
				return command.Usage("%s %d: expected 1 to %d", c.flag, n, most)
			}
		}
	}
	return nil
}

// pairs are the sizes of request and response.
func (f *workloadFlags) pairs() ([][2]int, error) {
	var out [][2]int
	for _, q := range f.requests {
		request, err := size("--request", q, 1)
		if err != nil {
			return nil, err
		}
		if len(f.responses) == 0 {
			out = append(out, [2]int{request, request})
		}
		for _, s := range f.responses {
			response, err := size("--response", s, 1)
			if err != nil {
				return nil, err
			}
			out = append(out, [2]int{request, response})
		}
	}
	return out, nil
}

// size reads a number of bytes: 700, 64K, 1M.
func size(flag, text string, least int) (int, error) {
	unit := 1
	digits := text
	switch {
	case strings.HasSuffix(strings.ToUpper(text), "K"):
		unit, digits = 1<<10, text[:len(text)-1]
	case strings.HasSuffix(strings.ToUpper(text), "M"):
		unit, digits = 1<<20, text[:len(text)-1]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < least || n > 1<<30/unit {
		return 0, command.Usage("%s %s: expected bytes, 64K or 1M, from %d to 1024M", flag, text, least)
	}
	return n * unit, nil
}
