// Package sockperf reads what `sockperf ping-pong` prints. It only reads: the
// lab has no sockperf of its own.
package sockperf

import (
	"strconv"

	"seaworthy/dialect"
)

// Output is the measured part of a run, warm-up left out.
type Output struct {
	Seconds  float64
	Received uint64 // answers, so round trips
}

var valid = dialect.Lazy(`\[Valid Duration\] RunTime=([0-9.]+) sec;.* ReceivedMessages=(\d+)`)

// Parse reads a run. It returns dialect.ErrNotRecognised if the text has no
// line of the valid duration, or one in which nothing was received.
func Parse(text []byte) (*Output, error) {
	m := valid.Regexp().FindSubmatch(text)
	if m == nil {
		return nil, dialect.ErrNotRecognised
	}
	seconds, e1 := strconv.ParseFloat(string(m[1]), 64)
	received, e2 := strconv.ParseUint(string(m[2]), 10, 64)
	if e1 != nil || e2 != nil || !(seconds > 0) || received == 0 {
		return nil, dialect.ErrNotRecognised
	}
	return &Output{Seconds: seconds, Received: received}, nil
}
