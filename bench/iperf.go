package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/dialect/load/iperf3"
	"seaworthy/probe/load"
	"seaworthy/remote/shellword"
)

// readyWait is how long a silent server gets to listen.
const readyWait = 2 * time.Second

var errStreamsOnly = errors.New("measures streams only, not rr")

// Iperf3 drives iperf3 3.1 or newer, installed on both ends.
type Iperf3 struct{}

// Name is "iperf3".
func (Iperf3) Name() string { return "iperf3" }

// NeedsProbe is false: the load is iperf3's.
func (Iperf3) NeedsProbe() bool { return false }

// Start runs iperf3 with the warm-up omitted from its figures.
func (Iperf3) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if w.Kind != load.Stream {
		return nil, fmt.Errorf("iperf3 %w", errStreamsOnly)
	}
	port := choosePort(p)
	t, err := startTool(ctx, p, fmt.Sprintf("iperf3 -s -1 --forceflush -p %d", port), readyWait)
	if err != nil {
		return nil, err
	}
	// iperf3 counts whole seconds; one more than measured covers begin and end.
	warm, length := int(math.Ceil(w.Warmup)), int(math.Ceil(w.Seconds))+1
	line := fmt.Sprintf("iperf3 -c %s -p %d -t %d -O %d -P %d -l %d -J", shellword.Quote(p.Target), port, length, warm, w.Streams, w.Write)
	if w.Window > 0 {
		line += fmt.Sprintf(" -w %d", w.Window)
	}
	if w.NoDelay {
		line += " -N"
	}
	if w.Reverse {
		line += " -R"
	}
	if err := t.start(ctx, []string{line}, float64(warm+length)); err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: readIperf3}, nil
}

func readIperf3(_ string, clients []client) (*Measure, error) {
	o, err := iperf3.Parse(clients[0].out.Stdout)
	if err != nil {
		return nil, err
	}
	m := &Measure{BPS: o.BitsPerSec, Bytes: o.Bytes, Retransmits: o.Retransmits}
	if o.Seconds != nil {
		m.Seconds = *o.Seconds
	}
	for _, s := range o.Streams {
		if s.Bytes != nil {
			m.Connections = append(m.Connections, *s.Bytes)
		}
	}
	return m, nil
}

// Iperf2 drives iperf 2, installed on both ends. Its figures include the
// warm-up: iperf 2 cannot leave it out.
type Iperf2 struct{}

// Name is "iperf2".
func (Iperf2) Name() string { return "iperf2" }

// NeedsProbe is false: the load is iperf's.
func (Iperf2) NeedsProbe() bool { return false }

// Start runs iperf.
func (Iperf2) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	switch {
	case w.Kind != load.Stream:
		return nil, fmt.Errorf("iperf 2 %w", errStreamsOnly)
	case w.Reverse:
		return nil, errors.New("iperf 2: no reverse direction that all its levels know: exchange From and To")
	}
	port := choosePort(p)
	window := ""
	if w.Window > 0 {
		window = fmt.Sprintf(" -w %d", w.Window)
	}
	t, err := startTool(ctx, p, fmt.Sprintf("iperf -s -p %d%s", port, window), readyWait)
	if err != nil {
		return nil, err
	}
	length := int(math.Ceil(w.Warmup + w.Seconds + 1))
	line := fmt.Sprintf("iperf -c %s -p %d -t %d -P %d -l %d -f k%s", shellword.Quote(p.Target), port, length, w.Streams, w.Write, window)
	if w.NoDelay {
		line += " -N"
	}
	if err := t.start(ctx, []string{line}, float64(length)); err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: readIperf2}, nil
}

// readIperf2 takes the receiving end's report, which is the server's; where
// the server was ended before it printed one, the client's.
func readIperf2(server string, clients []client) (*Measure, error) {
	mine := string(clients[0].out.Stdout)
	for _, text := range []string{server, mine} {
		o, err := iperf2.Parse([]byte(text))
		if err != nil {
			continue
		}
		bps, ok := o.Total()
		if !ok {
			continue
		}
		m := &Measure{BPS: &bps}
		for _, i := range o.Totals() {
			m.Seconds = max(m.Seconds, i.End.Value)
			if b, ok := i.Transfer.Bytes(); ok {
				m.Connections = append(m.Connections, uint64(b))
			}
		}
		return m, nil
	}
	return nil, fmt.Errorf("no bandwidth in its report: %.300s", strings.TrimSpace(mine))
}
