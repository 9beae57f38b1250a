package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"seaworthy/probe/load"
	"seaworthy/remote/shellword"
)

// toolDriver drives a load tool that is installed on both ends. Its figures
// include the warm-up, unless the tool can leave it out.
type toolDriver struct {
	name  string
	kinds []load.Kind // it can measure
	// refuse says what else of a workload it cannot do; nil: nothing.
	refuse func(w Workload) error
	// ready is how long a silent server gets to listen.
	ready time.Duration
	// idle is how long a client rests before it measures, in seconds.
	idle  float64
	lines func(target string, port int, w Workload) toolLines
	read  func(server string, clients []client) (*Measure, error)
}

// toolLines are a tool's command lines for a workload.
type toolLines struct {
	server, client string
	clients        int     // processes at once; 0: one
	seconds        float64 // that a client takes
}

const (
	readyWait  = 2 * time.Second        // for a server that may print something first
	silentWait = 500 * time.Millisecond // for one that never does
)

// Name is the name a user types.
func (d *toolDriver) Name() string { return d.name }

// NeedsProbe is false: the load is the tool's.
func (d *toolDriver) NeedsProbe() bool { return false }

// Start starts the server on To, then the clients on From.
func (d *toolDriver) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if err := d.check(w); err != nil {
		return nil, fmt.Errorf("%s %w", d.name, err)
	}
	l := d.lines(shellword.Quote(p.Target), choosePort(p), w)
	t, err := startTool(ctx, p, l.server, d.ready)
	if err != nil {
		return nil, err
	}
	lines := []string{l.client}
	for len(lines) < l.clients {
		lines = append(lines, l.client)
	}
	err = t.start(ctx, lines, l.seconds)
	if err == nil {
		err = pause(ctx, d.idle)
	}
	if err != nil {
		t.Abort()
		return nil, err
	}
	return &toolRun{tool: t, read: d.read}, nil
}

func (d *toolDriver) check(w Workload) error {
	if len(d.kinds) == 1 && d.kinds[0] != w.Kind {
		if w.Kind == load.Stream {
			return errors.New("measures rr only, not streams")
		}
		return errors.New("measures streams only, not rr")
	}
	if d.refuse == nil {
		return nil
	}
	return d.refuse(w)
}

// flag adds an option if a condition holds.
func flag(set bool, format string, args ...any) string {
	if !set {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// length covers warm-up, measured time and begin and end of the interval, in
// whole seconds.
func length(w Workload) int { return int(math.Ceil(w.Warmup + w.Seconds + 1)) }
