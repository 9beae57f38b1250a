package bench

import (
	"errors"
	"fmt"

	"seaworthy/dialect/load/netperf"
	"seaworthy/probe/load"
)

// Netperf drives netperf 2: TCP_STREAM or TCP_RR, one process per stream or
// session, as netperf has it.
var Netperf Driver = &toolDriver{
	name: "netperf", kinds: []load.Kind{load.Stream, load.RequestResponse}, ready: silentWait,
	refuse: func(w Workload) error {
		if w.Reverse {
			return errors.New("has no reverse direction for TCP_STREAM: exchange --from and --to")
		}
		return nil
	},
	lines: func(target string, port int, w Workload) toolLines {
		test, sizes := "TCP_STREAM", fmt.Sprintf(" -m %d", w.Write)
		if w.Kind == load.RequestResponse {
			test, sizes = "TCP_RR", fmt.Sprintf(" -r %d,%d", w.Request, w.Response)
		}
		return toolLines{
			server: fmt.Sprintf("netserver -D -p %d", port),
			client: fmt.Sprintf("netperf -H %s -p %d -l %d -t %s --%s", target, port, length(w), test, sizes) +
				flag(w.Window > 0, " -s %d -S %d", w.Window, w.Window) + flag(w.NoDelay, " -D"),
			clients: w.connections(), seconds: float64(length(w)),
		}
	},
	read: readNetperf,
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
