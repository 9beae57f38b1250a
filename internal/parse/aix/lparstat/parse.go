package lparstat

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// parser reads a text line by line.
type parser struct {
	*Output
	lines      []parse.Line
	table      *Table
	calls      bool // the heading of lparstat -H was seen
	recognised bool
}

// Parse reads lparstat output of any form. Errors: parse.ErrNotRecognised if
// no line is one of lparstat's.
func Parse(text []byte) (*Output, error) {
	p := &parser{Output: &Output{}}
	p.lines = parse.Lines(text, &p.Report)
	for i, l := range p.lines {
		if !p.readLine(i, l) {
			p.NotUnderstood(l)
		}
	}
	return parse.Recognised(p.Output, p.recognised)
}

// readLine reads the line of an index; false if no form has it.
func (p *parser) readLine(i int, l parse.Line) bool {
	body := strings.TrimSpace(l.Text)
	words := strings.Fields(body)
	switch {
	case isRule(body):
		return true
	case p.config(l, words):
		return true
	case p.isTitle(body):
		return true
	case p.heading(i, words):
		return true
	case p.sample(l, words):
		return true
	case p.call(words):
		return true
	case p.callsHeading(body):
		return true
	}
	return p.field(l, body)
}

// isRule recognises a line of dashes, perhaps in pieces. nmon saves a line end before
// a rule as n.
func isRule(body string) bool {
	body = strings.TrimPrefix(body, "n")
	return len(body) > 1 && body[0] == '-' && strings.Trim(body, "- ") == ""
}

// isTitle recognises what stands between a configuration and its columns: "Physical
// Processor Utilisation:", "-----Actual-----   ----Normalised----".
func (p *parser) isTitle(body string) bool {
	ruled := strings.HasPrefix(body, "--") && strings.HasSuffix(body, "--")
	return p.table != nil && p.table.Columns == nil && (strings.HasSuffix(body, ":") || ruled)
}

// partitionLabels distinguish lparstat -i and -W from other lists of labels.
var partitionLabels = []string{"node name", "partition name", "partition number", "type", "mode",
	"entitled capacity", "online virtual cpus", "partition group-id", "wpar key"}

// field reads a line of lparstat -i.
func (p *parser) field(l parse.Line, body string) bool {
	q, ok := labels.Cut(body)
	if !ok || p.table != nil || (body[0] < 'A' || body[0] > 'Z') && len(p.Fields) == 0 {
		return false
	}
	p.Fields = append(p.Fields, p.value(l, q.Label, q.Value))
	p.recognised = p.recognised || slices.Contains(partitionLabels, strings.ToLower(q.Label))
	return true
}

func (p *parser) value(l parse.Line, name, text string) Field {
	f, doubt := readField(name, text)
	if doubt != "" {
		p.Warn(l.Number, name+": "+doubt)
	}
	return f
}

// config reads "System configuration: type=Shared mode=Uncapped ..."; Linux
// prints the settings on a line of their own, with a unit apart from its number.
func (p *parser) config(l parse.Line, words []string) bool {
	if strings.Join(words, " ") == "System Configuration" {
		return true
	}
	// The heading is translated: one word in some languages.
	if _, after, ok := strings.Cut(strings.Join(words, " "), ": "); ok {
		words = strings.Fields(after)
	}
	if !strings.HasPrefix(words[0], "type=") { // vmstat and others print a like line without it
		return false
	}
	t := &Table{}
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if ok && i+1 < len(words) && words[i+1] == "kB" {
			value += "kB"
		}
		if ok {
			t.Config = append(t.Config, p.value(l, name, value))
		} else if w != "kB" {
			return false
		}
	}
	p.table, p.Tables = t, append(p.Tables, t)
	p.calls, p.recognised = false, true
	return true
}

// heading reads the columns of the interval form, or of another report: those
// have a rule below.
func (p *parser) heading(i int, words []string) bool {
	known := slices.Contains(words, "%idle") || slices.Contains(words, "%user")
	if p.table != nil && p.table.Columns == nil && i+1 < len(p.lines) {
		next := p.lines[i+1].Text
		known = known || len(words) > 1 && isRule(strings.TrimSpace(next)) && len(strings.Fields(next)) == len(words)
	}
	if !known || strings.ContainsAny(words[0], "0123456789") {
		return false
	}
	switch {
	case p.table != nil && slices.Equal(p.table.Columns, words): // printed again every screen
	case p.table != nil && p.table.Columns == nil:
		p.table.Columns = words
	default:
		p.table = &Table{Columns: words}
		p.Tables = append(p.Tables, p.table)
	}
	p.recognised = true
	return true
}

func (p *parser) sample(l parse.Line, words []string) bool {
	if p.table == nil || p.table.Columns == nil || len(words) != len(p.table.Columns) {
		return false
	}
	s := Sample{Values: make([]*float64, len(words))}
	commas := false
	for i, w := range words {
		if w == "-" || w == "--" {
			continue
		}
		w, _, _ = strings.Cut(w, "GHz[") // 3.9GHz[102%]
		n, comma, ok := parse.Decimal(w)
		if !ok {
			return false
		}
		s.Values[i], commas = &n, commas || comma
	}
	if commas {
		p.Warn(l.Number, "read the sample's numbers with a decimal comma")
	}
	p.table.Samples = append(p.table.Samples, s)
	return true
}

// callsHeading reads the three lines above the table of hypervisor calls.
func (p *parser) callsHeading(body string) bool {
	switch {
	case p.table == nil:
		return false
	case strings.Contains(body, "Hypervisor Calls"):
	case strings.HasPrefix(body, "Hypervisor") && strings.Contains(body, "%Total"):
		p.calls = true
	case !p.calls || !strings.HasPrefix(body, "Call"):
		return false
	}
	return true
}

func (p *parser) call(words []string) bool {
	if !p.calls || len(words) != 6 {
		return false
	}
	c := Call{Name: words[0]}
	var ok [5]bool
	c.Count, ok[0] = parse.Count(words[1])
	c.Total, _, ok[1] = parse.Decimal(words[2])
	c.Hypervisor, _, ok[2] = parse.Decimal(words[3])
	c.Average, ok[3] = parse.Count(words[4])
	c.Max, ok[4] = parse.Count(words[5])
	if slices.Contains(ok[:], false) {
		return false
	}
	p.table.Calls = append(p.table.Calls, c)
	return true
}
