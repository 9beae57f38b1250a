package linewise

import (
	"time"

	"seaworthy/internal/parse"
)

// QperfLatency is the output of qperf HOST tcp_lat.
type QperfLatency struct {
	parse.Report
	Seconds float64 // a message one way: half a round trip
}

var qperfForm = parse.Lazy(`^\s*latency\s*=\s*([0-9.]+) (ns|us|ms|sec)\s*$`)

var qperfUnits = map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "sec": time.Second}

var qperfOutput = &output[QperfLatency]{
	name:    "qperf",
	ignored: parse.Lazy(`^\w+:\s*$`),
	rows: []line[QperfLatency]{func(q *QperfLatency, l parse.Line) bool {
		var n float64
		var unit string
		if q.Seconds > 0 || !qperfForm.Scan(l.Text, &n, &unit) || !(n > 0) {
			return false
		}
		q.Seconds = n * qperfUnits[unit].Seconds()
		return true
	}},
	recognised: func(q *QperfLatency) bool { return q.Seconds > 0 },
}

// ParseQperf reads the latency; parse.ErrNotRecognised if the text has none.
func ParseQperf(text []byte) (*QperfLatency, error) { return qperfOutput.parse(text) }
