package bench

import (
	"errors"
	"fmt"

	"seaworthy/dialect/load/qperf"
	"seaworthy/dialect/load/sockperf"
	"seaworthy/probe/load"
)

// oneMessage says why a tool that bounces one message cannot run a workload.
func oneMessage(w Workload) error {
	switch {
	case w.Sessions != 1 || w.Request != w.Response:
		return fmt.Errorf("bounces one message over one session, not %d sessions with request %d and response %d bytes",
			w.Sessions, w.Request, w.Response)
	case w.Window != 0:
		return errors.New("has no option for the window of both ends")
	case !w.NoDelay:
		return errors.New("always sets TCP_NODELAY: the workload must too")
	}
	return nil
}

// Qperf drives qperf's tcp_lat over one session. It takes a second port of its
// own choice.
var Qperf Driver = &toolDriver{
	name: "qperf", kinds: []load.Kind{load.RequestResponse}, ready: silentWait, refuse: oneMessage,
	lines: func(target string, port int, w Workload) toolLines {
		return toolLines{
			server:  fmt.Sprintf("qperf -lp %d", port),
			client:  fmt.Sprintf("qperf %s -lp %d -t %d -m %d -e 6 tcp_lat", target, port, length(w), w.Request),
			seconds: float64(length(w)),
		}
	},
	read: func(_ string, clients []client) (*Measure, error) {
		oneWay, err := qperf.Parse(clients[0].out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%w: %.300s", err, clients[0].out.Stdout)
		}
		tps := 1 / (2 * oneWay)
		return &Measure{TPS: &tps}, nil
	},
}

// Sockperf drives sockperf's ping-pong over TCP, one session. It leaves a
// warm-up of its own out: a 3.x client sends nothing for two seconds after a
// few first messages, before the test that -t times.
var Sockperf Driver = &toolDriver{
	name: "sockperf", kinds: []load.Kind{load.RequestResponse}, ready: readyWait, idle: 2.1,
	refuse: func(w Workload) error {
		if w.Request < 14 {
			return fmt.Errorf("has messages of at least 14 bytes, not %d", w.Request)
		}
		return oneMessage(w)
	},
	lines: func(target string, port int, w Workload) toolLines {
		return toolLines{
			server:  fmt.Sprintf("sockperf server --tcp -p %d", port),
			client:  fmt.Sprintf("sockperf ping-pong --tcp -i %s -p %d -t %d -m %d", target, port, length(w), w.Request),
			seconds: float64(length(w)),
		}
	},
	read: func(_ string, clients []client) (*Measure, error) {
		o, err := sockperf.Parse(clients[0].out.Stdout)
		if err != nil {
			return nil, fmt.Errorf("%w: %.300s", err, clients[0].out.Stdout)
		}
		tps := float64(o.Received) / o.Seconds
		return &Measure{TPS: &tps, Seconds: o.Seconds}, nil
	},
}
