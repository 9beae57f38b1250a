// Package etime reads how long a process has run, as ps -o etime= prints it:
// [[days-]hours:]minutes:seconds.
package etime

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/dialect"
)

// Elapsed is the output of ps -o etime= for one process.
type Elapsed struct {
	dialect.Report
	Time *time.Duration `json:"time_ns,omitempty"` // nil: the text does not say
}

var shape = dialect.Lazy(`^(?:(?:(\d{1,5})-)?(\d{1,2}):)?(\d{1,2}):(\d{2})$`)

// Parse reads the output; dialect.ErrNotRecognised if there is neither a time nor a message in it.
func Parse(text []byte) (*Elapsed, error) {
	e := &Elapsed{}
	for _, line := range dialect.Lines(text, &e.Report) {
		m := shape.FindStringSubmatch(strings.TrimSpace(line.Text))
		if m == nil || e.Time != nil {
			e.NotUnderstood(line)
			continue
		}
		var n [4]int
		for i, s := range m[1:] {
			n[i], _ = strconv.Atoi(s) // digits, or none
		}
		e.Time = new(time.Duration(((n[0]*24+n[1])*60+n[2])*60+n[3]) * time.Second)
	}
	if e.Time == nil && e.Messages == 0 {
		return nil, fmt.Errorf("ps: %w", dialect.ErrNotRecognised)
	}
	return e, nil
}
