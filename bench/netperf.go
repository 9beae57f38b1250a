package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"seaworthy/dialect/load/netperf"
	"seaworthy/probe/load"
	"seaworthy/remote/shellword"
)

// Netperf drives netperf 2, installed on both ends: one process per stream or
// session, as netperf has it. Its figures include the warm-up.
type Netperf struct{}

// Name is "netperf".
func (Netperf) Name() string { return "netperf" }

// NeedsProbe is false: the load is netperf's.
func (Netperf) NeedsProbe() bool { return false }

// Start runs netperf TCP_STREAM or TCP_RR.
func (Netperf) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if w.Reverse {
		return nil, errors.New("netperf: TCP_STREAM has no reverse direction: exchange From and To")
	}
	port := choosePort(p)
	// netserver says nothing when it stays in front: give it a moment.
	t, err := startTool(ctx, p, fmt.Sprintf("netserver -D -p %d", port), time.Second/2)
	if err != nil {
		return nil, err
	}
	length := int(math.Ceil(w.Warmup + w.Seconds + 1))
	test, options := "TCP_STREAM", fmt.Sprintf(" -m %d", w.Write)
	if w.Kind == load.RequestResponse {
		test, options = "TCP_RR", fmt.Sprintf(" -r %d,%d", w.Request, w.Response)
	}
	if w.Window > 0 {
		options += fmt.Sprintf(" -s %d -S %d", w.Window, w.Window)
	}
	if w.NoDelay {
		options += " -D"
	}
	line := fmt.Sprintf("netperf -H %s -p %d -l %d -t %s --%s", shellword.Quote(p.Target), port, length, test, options)
	var lines []string
	for range w.connections() {
		lines = append(lines, line)
	}
	if err := t.start(ctx, lines, float64(length)); err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: readNetperf}, nil
}

// readNetperf sums over the processes; one without a result makes the whole
// unknown.
func readNetperf(_ string, clients []client) (*Measure, error) {
	m := &Measure{}
	bps, tps := 0.0, 0.0
	streams, sessions := 0, 0
	for _, c := range clients {
		o, err := netperf.Parse(c.out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%w: %.300s", err, c.out.Stdout)
		}
		if v, ok := o.BitsPerSecond(); ok {
			bps += v
			streams++
		}
		if v, ok := o.Transactions(); ok {
			tps += v
			sessions++
		}
	}
	switch len(clients) {
	case streams:
		m.BPS = &bps
	case sessions:
		m.TPS = &tps
	default:
		return nil, fmt.Errorf("%d of %d processes gave a result", streams+sessions, len(clients))
	}
	return m, nil
}
