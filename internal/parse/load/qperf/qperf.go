// Package qperf reads what `qperf HOST tcp_lat` prints. It only reads: the lab
// has no qperf of its own.
package qperf

import (
	"time"

	"seaworthy/internal/parse"
)

var latency = parse.Lazy(`(?m)^\s*latency\s*=\s*([0-9.]+) (ns|us|ms|sec)\s*$`)

var units = map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "sec": time.Second}

// Parse gives the latency of a message one way in seconds: half a round trip.
// It returns parse.ErrNotRecognised if the text has none.
func Parse(text []byte) (seconds float64, err error) {
	v, unit := 0.0, ""
	if !latency.Scan(string(text), &v, &unit) || !(v > 0) {
		return 0, parse.ErrNotRecognised
	}
	return v * units[unit].Seconds(), nil
}
