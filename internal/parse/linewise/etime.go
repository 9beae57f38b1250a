package linewise

import (
	"strings"
	"time"

	"seaworthy/internal/parse"
)

// ElapsedTime is the output of ps -o etime= for one process: [[days-]hours:]minutes:seconds.
type ElapsedTime struct {
	parse.Report
	Time *time.Duration `json:"time_ns,omitempty"` // nil: the text does not say
}

var etimeForm = parse.Lazy(`^(?:(?:(\d{1,5})-)?(\d{1,2}):)?(\d{1,2}):(\d{2})$`)

var etimeOutput = &output[ElapsedTime]{
	name: "etime",
	rows: []line[ElapsedTime]{func(e *ElapsedTime, l parse.Line) bool {
		var days, hours, minutes, seconds int
		if e.Time != nil || !etimeForm.Scan(strings.TrimSpace(l.Text), &days, &hours, &minutes, &seconds) {
			return false
		}
		e.Time = new(time.Duration(((days*24+hours)*60+minutes)*60+seconds) * time.Second)
		return true
	}},
	message: true,
}

// ParseEtime reads how long a process has run; parse.ErrNotRecognised if there is neither a time nor a message in it.
func ParseEtime(text []byte) (*ElapsedTime, error) { return etimeOutput.parse(text) }
