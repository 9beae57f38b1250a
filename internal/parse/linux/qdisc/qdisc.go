// Package qdisc reads tc -s qdisc of Linux, text or JSON: which queueing
// disciplines send for a device, and what they dropped.
package qdisc

import (
	"bytes"
	"encoding/json"
	"strings"

	"seaworthy/internal/parse"
)

// Table is the whole output.
type Table struct {
	parse.Report
	Disciplines []*Discipline `json:"disciplines"`
}

// Discipline is one of a device. Without -s there are no counters.
type Discipline struct {
	Kind     string  `json:"kind"` // fq_codel, mq, noqueue
	Device   string  `json:"dev"`  // empty where tc was asked about one device
	Root     bool    `json:"root"`
	Packets  *uint64 `json:"packets"` // sent
	Dropped  *uint64 `json:"drops"`
	Held     *uint64 `json:"overlimits"` // packets that had to wait for a rate
	Requeues *uint64 `json:"requeues"`

	Limits string `json:"-"` // how it holds packets back, as tc prints it: rate 50Mbit; empty: not, or by its classes
	Rate   uint64 `json:"-"` // bits a second of that; 0: not said
}

var (
	head   = parse.Lazy(`^qdisc (\S+) \S+ (?:\[\S+\] )?(?:dev (\S+)(?:$|\s+(root|parent|ingress|clsact)?)|(root|parent|ingress|clsact)\b)`)
	sent   = parse.Lazy(`^\s+Sent [0-9]+ bytes ([0-9]+) pkt \(dropped ([0-9]+), overlimits ([0-9]+) requeues ([0-9]+)\)\s*$`)
	detail = parse.Lazy(`^\s+\S`) // backlog, and what each kind has of its own
)

// Parse reads tc qdisc. Errors: parse.ErrNotRecognised if no discipline is named.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) && len(text) <= parse.MaxText {
		var options []struct {
			Options map[string]json.RawMessage `json:"options"`
		}
		if json.Unmarshal(text, &t.Disciplines) != nil || json.Unmarshal(text, &options) != nil {
			return nil, parse.ErrNotRecognised
		}
		t.Lines = bytes.Count(text, []byte("\n"))
		for i, d := range t.Disciplines {
			if d == nil || d.Kind == "" {
				return nil, parse.ErrNotRecognised
			}
			d.options(options[i].Options)
		}
	} else {
		t.text(text)
	}
	return parse.Recognised(t, t.Disciplines != nil)
}

func (t *Table) text(text []byte) {
	var last *Discipline
	t.ReadComplete(text, func(l parse.Line) bool {
		if h := head.FindStringSubmatch(l.Text); h != nil {
			last = &Discipline{Kind: h[1], Device: h[2], Root: h[3]+h[4] == "root"}
			last.limits(l.Text)
			t.Disciplines = append(t.Disciplines, last)
			return true
		}
		return last != nil && (sent.Scan(l.Text, &last.Packets, &last.Dropped, &last.Held, &last.Requeues) ||
			detail.MatchString(l.Text) && !strings.Contains(l.Text, " Sent "))
	})
}
