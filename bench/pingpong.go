package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"seaworthy/dialect/load/qperf"
	"seaworthy/dialect/load/sockperf"
	"seaworthy/probe/load"
	"seaworthy/remote/shellword"
)

// pingPong says why a tool that bounces one message cannot run a workload.
func pingPong(tool string, w Workload) error {
	switch {
	case w.Kind != load.RequestResponse:
		return fmt.Errorf("%s measures rr only, not streams", tool)
	case w.Sessions != 1 || w.Request != w.Response:
		return fmt.Errorf("%s bounces one message over one session: %d sessions, request %d and response %d bytes were asked for", tool, w.Sessions, w.Request, w.Response)
	case w.Window != 0:
		return fmt.Errorf("%s: no window can be asked of both ends", tool)
	case !w.NoDelay:
		return fmt.Errorf("%s always sets TCP_NODELAY: the workload must too", tool)
	}
	return nil
}

// Qperf drives qperf's tcp_lat, installed on both ends: one session. Its
// figure includes the warm-up. qperf takes a second port of its own choice.
type Qperf struct{}

// Name is "qperf".
func (Qperf) Name() string { return "qperf" }

// NeedsProbe is false: the load is qperf's.
func (Qperf) NeedsProbe() bool { return false }

// Start runs qperf.
func (Qperf) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if err := pingPong("qperf", w); err != nil {
		return nil, err
	}
	port, length := choosePort(p), int(math.Ceil(w.Warmup+w.Seconds+1))
	t, err := startTool(ctx, p, fmt.Sprintf("qperf -lp %d", port), time.Second/2)
	if err != nil {
		return nil, err
	}
	line := fmt.Sprintf("qperf %s -lp %d -t %d -m %d -e 6 tcp_lat", shellword.Quote(p.Target), port, length, w.Request)
	if err := t.start(ctx, []string{line}, float64(length)); err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: func(_ string, clients []client) (*Measure, error) {
		oneWay, err := qperf.Parse(clients[0].out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%w: %.300s", err, clients[0].out.Stdout)
		}
		tps := 1 / (2 * oneWay)
		return &Measure{TPS: &tps, Seconds: float64(length)}, nil
	}}, nil
}

// sockperfIdle is how long a sockperf 3.x client sends nothing, in seconds:
// after a few first messages it rests before the test that -t times.
const sockperfIdle = 2.1

// Sockperf drives sockperf's ping-pong over TCP, installed on both ends: one
// session. It leaves a warm-up of its own out.
type Sockperf struct{}

// Name is "sockperf".
func (Sockperf) Name() string { return "sockperf" }

// NeedsProbe is false: the load is sockperf's.
func (Sockperf) NeedsProbe() bool { return false }

// Start runs sockperf.
func (Sockperf) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if err := pingPong("sockperf", w); err != nil {
		return nil, err
	}
	if w.Request < 14 {
		return nil, fmt.Errorf("sockperf's messages have at least 14 bytes, not %d", w.Request)
	}
	port, length := choosePort(p), int(math.Ceil(w.Warmup+w.Seconds+1))
	t, err := startTool(ctx, p, fmt.Sprintf("sockperf server --tcp -p %d", port), readyWait)
	if err != nil {
		return nil, err
	}
	line := fmt.Sprintf("sockperf ping-pong --tcp -i %s -p %d -t %d -m %d", shellword.Quote(p.Target), port, length, w.Request)
	if err := t.start(ctx, []string{line}, float64(length)); err != nil {
		t.Abort()
		return nil, err
	}
	if err := pause(ctx, sockperfIdle); err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: func(_ string, clients []client) (*Measure, error) {
		o, err := sockperf.Parse(clients[0].out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%w: %.300s", err, clients[0].out.Stdout)
		}
		tps := float64(o.Received) / o.Seconds
		return &Measure{TPS: &tps, Seconds: o.Seconds}, nil
	}}, nil
}
