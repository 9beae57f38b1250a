package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// Trace is the report of mtr: which of the routers on the way answered, and how late.
type Trace struct {
	parse.Report
	From string `json:"from,omitempty"` // the host's name in the heading
	Hops []*Hop `json:"hops"`
}

// Hop is a router, or the far end, which is the last.
type Hop struct {
	Number int     `json:"number" from:"number"`
	Name   string  `json:"name" from:"name"` // ??? where nobody answered
	Loss   float64 `json:"loss" from:"loss"` // percent
	Sent   int     `json:"sent" from:"sent"` // packets
	Best   float64 `json:"best" from:"best"` // ms
	Line   int     `json:"-" from:"#"`
}

var (
	traceHead = parse.Lazy(`^HOST: (\S+)\s+Loss%\s+Snt\s`)
	traceHop  = parse.Lazy(`^\s*(?P<number>\d{1,3})\.(?:\|--)? +(?:AS\S+ +)?(?P<name>\S+)(?: \(\S+\))?\s+` +
		`(?P<loss>[\d.]+)%?\s+(?P<sent>\d+)\s+` +
		`[\d.]+\s+[\d.]+\s+(?P<best>[\d.]+)\s+[\d.]+(?:\s+[\d.]+)*\s*$`)
	traceMore = parse.Lazy(`^(?:Start: .*|\s+\|(?:  )?(?:[|\x60]--|\s*\+--) *\S+)\s*$`)
)

var traceOutput = &output[Trace]{
	name: "mtr",
	rows: []line[Trace]{
		func(t *Trace, l parse.Line) bool { return traceHead.Scan(l.Text, &t.From) },
		row(traceHop, func(t *Trace) *[]*Hop { return &t.Hops }, nil),
	},
	ignored:    traceMore,
	recognised: func(t *Trace) bool { return t.From != "" && len(t.Hops) > 0 },
}

// ParseTrace reads a report; parse.ErrNotRecognised without its heading or a hop.
func ParseTrace(text []byte) (*Trace, error) { return traceOutput.parse(text) }

// Lossy is the first hop from which on all that answer lose packets, the far end among them, and the least loss of these in
// percent. Nil where the far end loses none: a router that answers late or seldom forwards all the same.
func (t *Trace) Lossy() (first *Hop, percent float64) {
	for i := len(t.Hops) - 1; i >= 0; i-- {
		h := t.Hops[i]
		if strings.Trim(h.Name, "?") == "" { // nobody answered there
			continue
		}
		if h.Loss == 0 {
			break
		}
		if first == nil || h.Loss < percent {
			percent = h.Loss
		}
		first = h
	}
	return first, percent
}
