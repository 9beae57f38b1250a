package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/remote/shellword"
)

// toolDriver drives a load tool that is installed on both ends. Its figures
// include the warm-up, unless the tool can leave it out.
type toolDriver struct {
	name           string
	kinds          []load.Kind // it can measure
	server, client string      // command lines, templates over toolCall; no server: one runs already
	processes      bool        // a client process per stream or session
	serverReports  bool        // the server prints the figures of the receiving end
	oneWay         string      // why data cannot flow from To to From; "": it can
	smallest       int         // it bounces one message of at least so many bytes over one session; 0: it does not
	ready          time.Duration
	finest         float64 // seconds of the shortest interval that all levels of it report; 0: totals only
	idle           float64 // seconds that a client rests before it measures
	read           func(text []byte) (*Measure, error)
}

// How long a server gets to listen: one that may print something first, and one
// that never does.
const (
	readyWait  = 2 * time.Second
	silentWait = 500 * time.Millisecond
)

// toolCall holds what a tool's command line is made of. Times are whole seconds.
type toolCall struct {
	Workload
	Target         string // quoted
	Port           int
	Warm, Measured int     // the second covers begin and end of the interval
	Length         int     // both together
	Interval       float64 // of a course
}

// interval divides a run into at most 60, and is itself at most the 60 s that iperf3 takes.
func (d *toolDriver) interval(length int) float64 {
	return min(max(d.finest, math.Ceil(float64(length)/6)/10), 60)
}

// Name is the name a user types.
func (d *toolDriver) Name() string { return d.name }

// NeedsProbe is false: the load is the tool's.
func (d *toolDriver) NeedsProbe() bool { return false }

// Start starts the server on To, then the clients on From.
func (d *toolDriver) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if err := d.check(w); err != nil {
		return nil, fmt.Errorf("%s %w", d.name, err)
	}
	call := toolCall{Workload: w, Target: shellword.Quote(p.Target),
		Port: cmp.Or(p.Port, 20000+rand.IntN(10000)), // neither an ephemeral nor a well-known one
		Warm: int(math.Ceil(w.Warmup)), Measured: int(math.Ceil(w.Seconds)) + 1, Length: int(math.Ceil(w.Warmup + w.Seconds + 1))}
	call.Interval = d.interval(call.Length)
	var server, line strings.Builder
	for text, to := range map[string]*strings.Builder{d.server: &server, d.client: &line} {
		if err := template.Must(template.New(d.name).Parse(text)).Execute(to, call); err != nil {
			return nil, err
		}
	}
	t, err := startTool(ctx, p, server.String(), d.ready)
	if err != nil {
		return nil, err
	}
	lines := []string{line.String()}
	for d.processes && len(lines) < w.connections() {
		lines = append(lines, lines[0])
	}
	err = t.start(ctx, lines, float64(call.Warm+call.Measured))
	if err == nil {
		err = pause(ctx, d.idle)
	}
	if err != nil {
		t.Abort()
		return nil, err
	}
	t.read = d.measure
	return t, nil
}

// check says what of a workload the tool cannot do.
func (d *toolDriver) check(w Workload) error {
	switch {
	case len(d.kinds) == 1 && d.kinds[0] != w.Kind && w.Kind == load.Stream:
		return errors.New("measures rr only, not streams")
	case len(d.kinds) == 1 && d.kinds[0] != w.Kind:
		return errors.New("measures streams only, not rr")
	case w.Rate > 0:
		return errors.New("sends a request when the one before is answered, not at a rate")
	case w.Reverse && d.oneWay != "":
		return errors.New(d.oneWay + ": exchange --from and --to")
	case d.smallest == 0:
		return nil
	case w.Sessions != 1 || w.Request != w.Response:
		return fmt.Errorf("bounces one message over one session, not %d sessions with request %d and response %d bytes",
			w.Sessions, w.Request, w.Response)
	case w.Request < d.smallest:
		return fmt.Errorf("has messages of at least %d bytes, not %d", d.smallest, w.Request)
	case w.Window != 0:
		return errors.New("has no option for the window of both ends")
	case !w.NoDelay:
		return errors.New("always sets TCP_NODELAY: the workload must too")
	}
	return nil
}

// measure takes the receiving end's report, where the server prints one, or the
// sum over the client processes. One without a result makes the whole unknown.
func (d *toolDriver) measure(server string, clients []client) (*Measure, error) {
	if d.serverReports {
		if m, err := d.read([]byte(server)); err == nil {
			return m, nil // else it was ended before it printed one
		}
	}
	var sum *Measure
	for _, c := range clients {
		m, err := d.read(c.out.Stdout)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %.300s", err, strings.TrimSpace(string(c.out.Stdout)))
		case sum == nil:
			sum = m
		case m.BPS != nil && sum.BPS != nil:
			*sum.BPS += *m.BPS
		case m.TPS != nil && sum.TPS != nil:
			*sum.TPS += *m.TPS
		}
	}
	return sum, nil
}
