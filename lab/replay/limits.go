package replay

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// LineShare is how much of the line rate the stream's frames took, headers
// included: 1 is a full line.
const LineShare = "line_share"

// way is the path of a trial.
type way struct {
	lineRate uint64  // bit/s of its slowest line; 0: there is none
	sender   string  // host whose sockets send
	delay    float64 // ms, there and back, that its cable was given
}

// limits are, trial by trial, the shares of what a trial could have used.
type limits struct {
	line    []float64 // of the line rate
	cpu     []float64 // of the machine's processors
	cpus    int
	rest    float64 // cores busy with other work before the trials
	rate    uint64
	peer    []float64 // of the busy time: held back by the receiver's window
	buffer  []float64 // likewise by the own send buffer
	again   []float64 // segments sent again, of those sent
	own     []float64 // of the time: the sending tool had a processor
	mss     int
	streams bool
}

// Shares above which something is said to hold a trial back.
const (
	fullLine   = 0.95
	fullCPU    = 0.90
	heldBack   = 0.30
	lossesTell = 0.001
	otherWork  = 0.1 // of the processors
)

// take reads a trial and gives the figures that follow from it.
func (l *limits) take(t *bench.Trial, p way) map[string]float64 {
	out := map[string]float64{}
	mss, header := 1448, 66
	var peer, buffer, busy uint64
	for _, s := range t.Sockets[p.sender] {
		if s.Info.MSS != nil && *s.Info.MSS > 0 {
			mss = *s.Info.MSS
		}
		if s.Info.Timestamps != nil && !*s.Info.Timestamps {
			header = 54 // Ethernet, IP and TCP without options
		}
		peer, buffer, busy = peer+micros(s.Info.PeerLimited), buffer+micros(s.Info.BufferLimit), busy+micros(s.Info.BusyMicros)
	}
	l.mss, l.streams = mss, l.streams || t.BPS != nil
	if t.BPS != nil && p.lineRate > 0 {
		share := *t.BPS * float64(mss+header) / float64(mss) / float64(p.lineRate)
		l.line, l.rate = append(l.line, share), p.lineRate
		out[LineShare] = share
	}
	if t.Cores != nil {
		if n := processors(t); n > 0 {
			l.cpu, l.cpus = append(l.cpu, *t.Cores/float64(n)), n
		}
	}
	if busy > 0 {
		l.peer, l.buffer = append(l.peer, share(peer, busy)), append(l.buffer, share(buffer, busy))
	}
	if t.Measure.Retransmits != nil && t.Bytes != nil && *t.Bytes > 0 {
		l.again = append(l.again, float64(*t.Measure.Retransmits)*float64(mss)/float64(*t.Bytes))
	}
	return out
}

func micros(p *uint64) uint64 {
	if p == nil {
		return 0
	}
	return *p
}

func share(part, whole uint64) float64 { return math.Min(1, float64(part)/float64(whole)) }

// processors of all hosts of a trial that were counted.
func processors(t *bench.Trial) int {
	n := 0
	for _, c := range t.CPU {
		if c.Counted {
			n += c.CPUs
		}
	}
	return n
}

func (l *limits) merge(o *limits) {
	l.line, l.cpu, l.peer = append(l.line, o.line...), append(l.cpu, o.cpu...), append(l.peer, o.peer...)
	l.buffer, l.again, l.own = append(l.buffer, o.buffer...), append(l.again, o.again...), append(l.own, o.own...)
	l.cpus, l.rate, l.mss = max(l.cpus, o.cpus), max(l.rate, o.rate), max(l.mss, o.mss)
	l.streams = l.streams || o.streams
}

// full says whether a case's trials kept all processors busy.
func (s *samples) full(name string) bool {
	if s.limits[name] == nil {
		return false
	}
	sum := stats.Summarise(s.limits[name].cpu)
	return sum != nil && sum.Median >= fullCPU
}

// describe says what held the trials back, each with its figure; if nothing did,
// how far from each limit they were.
func (l *limits) describe() []string {
	var out, free []string
	say := func(values []float64, full float64, held, open string) {
		s := stats.Summarise(values)
		if s == nil {
			return
		}
		if s.Median >= full {
			out = append(out, fmt.Sprintf(held, 100*s.Median))
		} else {
			free = append(free, fmt.Sprintf(open, 100*s.Median))
		}
	}
	line := fmt.Sprintf("the line of %s was ", rate(l.rate))
	say(l.line, fullLine, line+"full (%.0f %%)", line+"%.0f %% full")
	other := ""
	if l.rest > otherWork*float64(l.cpus) {
		other = fmt.Sprintf(", %.1f cores with other work before the trials", l.rest)
	}
	say(l.cpu, fullCPU, fmt.Sprintf("all %d processors of the machine were busy (%%.0f %%%%)%s", l.cpus, other),
		fmt.Sprintf("the machine's %d processors were %%.0f %%%% busy", l.cpus))
	say(l.own, fullCPU, "the sender had a processor for %.0f %% of the time, and can use one only",
		"the sender had a processor for %.0f %% of the time")
	if l.streams {
		say(l.peer, heldBack, "the receiver's window held the sender back for %.0f %% of the time",
			"the receiver's window for %.0f %% of the time")
		say(l.buffer, heldBack, "the send buffer held it back for %.0f %% of the time", "the send buffer for %.0f %%")
		if s := stats.Summarise(l.again); s != nil && s.Median >= lossesTell {
			out = append(out, fmt.Sprintf("%.1f of 1000 segments were sent again", 1000*s.Median))
		}
	}
	if len(out) == 0 && len(free) > 0 {
		out = append(out, "nothing measured was at its limit: "+strings.Join(free, ", "))
	}
	return out
}

// rate prints a line rate as people name it.
func rate(bits uint64) string {
	if bits >= 1e9 {
		return fmt.Sprintf("%g Gbit/s", float64(bits)/1e9)
	}
	return fmt.Sprintf("%g Mbit/s", float64(bits)/1e6)
}
