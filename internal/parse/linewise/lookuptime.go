package linewise

import (
	"strconv"

	"seaworthy/internal/parse"
)

// LookupTime is how long looking up a name took: by dig, or by time before dig, host, nslookup or getent.
type LookupTime struct {
	parse.Report
	Seconds *float64 `json:"seconds,omitempty"`
	Line    int      `json:"-"`                // 1-based, of the seconds
	Silent  []int    `json:"silent,omitempty"` // lines about a server that did not answer
}

var (
	realTime      = parse.Lazy(`^real\s+(?:(\d+)m)?(\d+(?:[.,]\d+)?)s?\s*$`)
	queryTime     = parse.Lazy(`^;; Query time: (\d+) msec\s*$`)
	silentServer  = parse.Lazy(`(?i)connection timed out|no servers could be reached|request.* timed out|no response from server`)
	lookupAnswers = parse.Lazy(`\S`)
)

// The answers themselves hold no value.
var lookupTimeOutput = &output[LookupTime]{
	name: "lookup-time", rows: []line[LookupTime]{(*LookupTime).readTime}, ignored: lookupAnswers,
	recognised: func(t *LookupTime) bool { return t.Seconds != nil || len(t.Silent) > 0 },
}

// ParseLookupTime reads an output; parse.ErrNotRecognised if it neither holds a time nor tells of a server that is silent.
func ParseLookupTime(text []byte) (*LookupTime, error) { return lookupTimeOutput.parse(text) }

func (t *LookupTime) readTime(l parse.Line) bool {
	if m := realTime.FindStringSubmatch(l.Text); m != nil {
		minutes, _ := strconv.ParseUint(m[1], 10, 32) // none: it took less than one
		seconds, _, ok := parse.Decimal(m[2])
		t.take(float64(minutes)*60+seconds, l.Number)
		return ok
	}
	if m := queryTime.FindStringSubmatch(l.Text); m != nil {
		milliseconds, _, ok := parse.Decimal(m[1])
		t.take(milliseconds/1000, l.Number)
		return ok
	}
	if silentServer.MatchString(l.Text) {
		t.Silent = append(t.Silent, l.Number)
		return true
	}
	return false
}

// take keeps the longest time.
func (t *LookupTime) take(seconds float64, number int) {
	if t.Seconds == nil || seconds > *t.Seconds {
		t.Seconds, t.Line = &seconds, number
	}
}
