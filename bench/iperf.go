package bench

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/dialect/load/iperf3"
	"seaworthy/probe/load"
)

// Iperf3 drives iperf3 3.1 or newer, with the warm-up omitted from its figures.
var Iperf3 Driver = &toolDriver{
	name: "iperf3", kinds: []load.Kind{load.Stream}, ready: readyWait,
	lines: func(target string, port int, w Workload) toolLines {
		// iperf3 counts whole seconds; one more than measured covers begin and end.
		warm, length := int(math.Ceil(w.Warmup)), int(math.Ceil(w.Seconds))+1
		return toolLines{
			server: fmt.Sprintf("iperf3 -s -1 --forceflush -p %d", port),
			client: fmt.Sprintf("iperf3 -c %s -p %d -t %d -O %d -P %d -l %d -J", target, port, length, warm, w.Streams, w.Write) +
				flag(w.Window > 0, " -w %d", w.Window) + flag(w.NoDelay, " -N") + flag(w.Reverse, " -R"),
			seconds: float64(warm + length),
		}
	},
	read: readIperf3,
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

// Iperf2 drives iperf 2.
var Iperf2 Driver = &toolDriver{
	name: "iperf2", kinds: []load.Kind{load.Stream}, ready: readyWait,
	refuse: func(w Workload) error {
		if w.Reverse {
			return errors.New("has no reverse direction that all its levels know: exchange --from and --to")
		}
		return nil
	},
	lines: func(target string, port int, w Workload) toolLines {
		window := flag(w.Window > 0, " -w %d", w.Window)
		return toolLines{
			server: fmt.Sprintf("iperf -s -p %d", port) + window,
			client: fmt.Sprintf("iperf -c %s -p %d -t %d -P %d -l %d -f k", target, port, length(w), w.Streams, w.Write) +
				window + flag(w.NoDelay, " -N"),
			seconds: float64(length(w)),
		}
	},
	read: readIperf2,
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
			m.Seconds = max(m.Seconds, i.End)
			if b, ok := i.Transfer.Bytes(); ok {
				m.Connections = append(m.Connections, uint64(b))
			}
		}
		return m, nil
	}
	return nil, fmt.Errorf("no bandwidth in its report: %.300s", strings.TrimSpace(mine))
}
