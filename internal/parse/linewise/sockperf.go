package linewise

import "seaworthy/internal/parse"

// SockperfRun is the measured part of a run of sockperf ping-pong, warm-up left out.
type SockperfRun struct {
	parse.Report
	Seconds  float64
	Received uint64 // answers, so round trips
}

var sockperfForm = parse.Lazy(`\[Valid Duration\] RunTime=([0-9.]+) sec;.* ReceivedMessages=(\d+)`)

var sockperfOutput = &output[SockperfRun]{
	name:    "sockperf",
	ignored: parse.Lazy(`^sockperf: `),
	rows: []line[SockperfRun]{func(o *SockperfRun, l parse.Line) bool {
		var seconds float64
		var received uint64
		if o.Received > 0 || !sockperfForm.Scan(l.Text, &seconds, &received) || !(seconds > 0) || received == 0 {
			return false
		}
		o.Seconds, o.Received = seconds, received
		return true
	}},
	recognised: func(o *SockperfRun) bool { return o.Received > 0 },
}

// ParseSockperf reads a run; parse.ErrNotRecognised if the text has no line of the valid duration, or one in which
// nothing was received.
func ParseSockperf(text []byte) (*SockperfRun, error) { return sockperfOutput.parse(text) }
