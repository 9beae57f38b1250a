// Package etime reads how long a process has run, as ps -o etime= prints it:
// [[days-]hours:]minutes:seconds.
package etime

import (
	"strings"
	"time"

	"seaworthy/internal/parse"
)

// Elapsed is the output of ps -o etime= for one process.
type Elapsed struct {
	parse.Report
	Time *time.Duration `json:"time_ns,omitempty"` // nil: the text does not say
}

var shape = parse.Lazy(`^(?:(?:(\d{1,5})-)?(\d{1,2}):)?(\d{1,2}):(\d{2})$`)

// Parse reads the output; parse.ErrNotRecognised if there is neither a time nor a message in it.
func Parse(text []byte) (*Elapsed, error) {
	e := &Elapsed{}
	e.Read(text, func(line parse.Line) bool {
		var days, hours, minutes, seconds int
		ok := e.Time == nil && shape.Scan(strings.TrimSpace(line.Text), &days, &hours, &minutes, &seconds)
		if ok {
			e.Time = new(time.Duration(((days*24+hours)*60+minutes)*60+seconds) * time.Second)
		}
		return ok
	})
	return parse.Recognised(e, e.Time != nil || e.Messages > 0)
}
