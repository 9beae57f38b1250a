// Package qdisc reads tc -s qdisc of Linux, text or JSON: which queueing
// disciplines send for a device, and what they dropped.
package qdisc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Table is the whole output.
type Table struct {
	dialect.Report
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
	head   = dialect.Lazy(`^qdisc (\S+) \S+ (?:\[\S+\] )?(?:dev (\S+)(?:$|\s+(root|parent|ingress|clsact)?)|(root|parent|ingress|clsact)\b)`)
	sent   = dialect.Lazy(`^\s+Sent [0-9]+ bytes ([0-9]+) pkt \(dropped ([0-9]+), overlimits ([0-9]+) requeues ([0-9]+)\)\s*$`)
	detail = dialect.Lazy(`^\s+\S`) // backlog, and what each kind has of its own
)

// Parse reads tc qdisc. Errors: dialect.ErrNotRecognised if no discipline is named.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) && len(text) <= dialect.MaxText {
		var options []struct {
			Options map[string]json.RawMessage `json:"options"`
		}
		if json.Unmarshal(text, &t.Disciplines) != nil || json.Unmarshal(text, &options) != nil {
			return nil, dialect.ErrNotRecognised
		}
		t.Lines = bytes.Count(text, []byte("\n"))
		for i, d := range t.Disciplines {
			if d == nil || d.Kind == "" {
				return nil, dialect.ErrNotRecognised
			}
			d.options(options[i].Options)
		}
	} else {
		t.text(text)
	}
	if t.Disciplines == nil {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

func (t *Table) text(text []byte) {
	var last *Discipline
	for _, l := range dialect.Lines(text, &t.Report) {
		h, s := head.FindStringSubmatch(l.Text), sent.FindStringSubmatch(l.Text)
		switch {
		case t.CutOff(l):
			t.NotUnderstood(l)
		case h != nil:
			last = &Discipline{Kind: h[1], Device: h[2], Root: h[3]+h[4] == "root"}
			last.limits(l.Text)
			t.Disciplines = append(t.Disciplines, last)
		case last == nil:
			t.NotUnderstood(l)
		case s != nil:
			last.Packets, last.Dropped, last.Held, last.Requeues = number(s[1]), number(s[2]), number(s[3]), number(s[4])
		case !detail.MatchString(l.Text) || strings.Contains(l.Text, " Sent "):
			t.NotUnderstood(l)
		}
	}
}

// number is nil of one that does not fit.
func number(s string) *uint64 {
	if n, err := strconv.ParseUint(s, 10, 64); err == nil {
		return &n
	}
	return nil
}
