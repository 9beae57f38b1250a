// Package sockperf reads what `sockperf ping-pong` prints. It only reads: the
// lab has no sockperf of its own.
package sockperf

import "seaworthy/internal/parse"

// Output is the measured part of a run, warm-up left out.
type Output struct {
	Seconds  float64
	Received uint64 // answers, so round trips
}

var valid = parse.Lazy(`\[Valid Duration\] RunTime=([0-9.]+) sec;.* ReceivedMessages=(\d+)`)

// Parse reads a run. It returns parse.ErrNotRecognised if the text has no
// line of the valid duration, or one in which nothing was received.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	return parse.Recognised(o, valid.Scan(string(text), &o.Seconds, &o.Received) && o.Seconds > 0 && o.Received > 0)
}
