package lparstat

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

const blanks = " \t\n\f\r"

// isRuler knows a line of dashes, perhaps in pieces. nmon saves a line end
// before a ruler as n.
func isRuler(body string) bool {
	body = strings.TrimPrefix(body, "n")
	return len(body) > 1 && body[0] == '-' && body[len(body)-1] == '-' && strings.Trim(body, "- ") == ""
}

// cutField cuts "Label   : value", with the colon and the blanks around it.
func cutField(body string) (label, sep, value string, ok bool) {
	at := strings.IndexByte(body, ':')
	if at < 1 || body[0] < 'A' || body[0] > 'Z' {
		return "", "", "", false
	}
	label = strings.TrimRight(body[:at], blanks)
	for i := 0; i < len(label); i++ {
		c := label[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') && strings.IndexByte(" \t/()%-", c) < 0 {
			return "", "", "", false
		}
	}
	value = strings.TrimLeft(body[at+1:], blanks)
	return label, body[len(label) : len(body)-len(value)], value, true
}

// single writes a label with one blank between its words.
func single(label string) string {
	if strings.Contains(label, "  ") || strings.IndexByte(label, '\t') >= 0 {
		return strings.Join(strings.Fields(label), " ")
	}
	return label
}

// Parse reads lparstat output of any form. Errors: dialect.ErrNotRecognised if
// no line is one of lparstat's.
func Parse(text []byte) (*Output, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	o := &Output{}
	r := layout.NewReader(text, &o.Report)
	p := parser{o: o, r: r}
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(line)
		if body == "" || isRuler(body) {
			r.Keep()
			continue
		}
		if p.table == nil && p.plainField(lead, body, tail) {
			continue
		}
		words, rowTail, ok := r.Words()
		switch {
		case p.config(lead, body, tail):
		case ok && p.heading(words, rowTail):
		case ok && p.sample(words, rowTail):
		case ok && p.call(words, rowTail):
		case p.callsHeading(body):
			r.Keep()
		case p.field(lead, body, tail):
		default:
			r.Unread()
		}
	}
	o.Layout = r.Sheet()
	if !p.recognised {
		return nil, dialect.ErrNotRecognised
	}
	return o, nil
}

type parser struct {
	o          *Output
	r          *layout.Reader
	table      *Table
	calls      bool // the heading of lparstat -H was seen
	recognised bool

	fields  layout.Room[Field]
	samples layout.Room[Sample]
	rows    layout.Room[Call]
	numbers layout.Room[float64]
	styles  layout.Room[style]
}

// number gives a number for keeps.
func (p *parser) number(n float64) *float64 {
	kept := &p.numbers.Take(1)[0]
	*kept = n
	return kept
}

// isSetting tells the name of a setting: letters and underscores.
func isSetting(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i] | 0x20; !(c >= 'a' && c <= 'z') && name[i] != '_' {
			return false
		}
	}
	return name != ""
}

// labels that tell lparstat -i and -W from any other list of labels.
var labels = map[string]bool{"node name": true, "partition name": true, "partition number": true, "type": true, "mode": true,
	"entitled capacity": true, "online virtual cpus": true, "partition group-id": true, "wpar key": true}

func (p *parser) field(lead, body, tail string) bool {
	if p.table != nil {
		return false
	}
	label, sep, text, ok := cutField(body)
	if !ok {
		return false
	}
	name := single(label)
	f := &p.fields.Take(1)[0]
	f.Name, f.Value = name, p.value(name, text)
	f.Layout = FieldLayout{Before: p.r.Held(), Lead: lead, Tail: tail, name: label, sep: sep}
	if text == "" && strings.TrimSpace(tail) == "" {
		f.Layout.sep, f.Layout.Tail = sep+tail, ""
	}
	p.o.Fields = append(p.o.Fields, f)
	p.recognised = p.recognised || labels[strings.ToLower(name)]
	return true
}

// plainField is field for lines that can be nothing else: their label is one
// that only lparstat -i prints.
func (p *parser) plainField(lead, body, tail string) bool {
	if strings.IndexByte(body, '=') >= 0 || strings.IndexByte(body, '%') >= 0 {
		return false
	}
	return p.field(lead, body, tail)
}

func (p *parser) value(name, text string) Value {
	if isName(name) {
		return Value{Text: text}
	}
	v := NewValue(text)
	if why := doubtful(name, v); why != "" {
		p.r.Warn(name + ": " + why)
		return Value{Text: text}
	}
	switch {
	case v.Number != nil && v.style.comma:
		p.r.Warn(name + ": read " + text + " as a number with a decimal comma")
	case v.Number == nil && strings.Trim(text, "0123456789.,%") == "" && strings.ContainsAny(text, ",."):
		p.r.Warn(name + ": " + text + " is no number that can be read with certainty")
	}
	return v
}

func (p *parser) config(lead, body, tail string) bool {
	if strings.IndexByte(body, '=') < 0 {
		return false
	}
	colon := strings.IndexByte(body, ':')
	if colon < 1 || strings.IndexByte(body[:colon], '=') >= 0 {
		return false
	}
	words, end, ok := layout.Words(body[colon+1:])
	if !ok || end != "" || len(words) == 0 || words[0].Gap == "" {
		return false
	}
	t := &Table{Layout: TableLayout{Lead: lead + body[:colon+1], Tail: tail}}
	typed := false
	for _, w := range words {
		name, text, ok := strings.Cut(w.Text, "=")
		if !ok || !isSetting(name) {
			return false
		}
		typed = typed || name == "type" // vmstat and others print a like line without it
		f := &p.fields.Take(1)[0]
		*f = Field{Name: name, Value: p.value(name, text), Layout: FieldLayout{Lead: w.Gap, name: name, sep: "="}}
		t.Config = append(t.Config, f)
	}
	if !typed {
		return false
	}
	t.Layout.ConfigBefore = p.r.Held()
	p.o.Tables = append(p.o.Tables, t)
	p.table, p.calls, p.recognised = t, false, true
	return true
}

func (p *parser) heading(words []layout.Word, tail string) bool {
	idle := false
	for _, w := range words {
		idle = idle || w.Text == "%idle" || w.Text == "%user"
	}
	if p.table != nil && p.table.Columns == nil {
		idle = idle || p.ruledColumns(len(words)) // lparstat -m and others
	}
	if !idle || strings.ContainsAny(words[0].Text, "0123456789") {
		return false
	}
	if p.table != nil && p.table.Columns != nil && sameColumns(p.table.Columns, words) {
		p.r.Keep() // printed again every screen
		return true
	}
	if p.table == nil || p.table.Columns != nil {
		p.table = &Table{}
		p.o.Tables = append(p.o.Tables, p.table)
	}
	for _, w := range words {
		p.table.Columns = append(p.table.Columns, w.Text)
	}
	p.table.Layout.HeadingBefore = p.r.Held()
	p.table.Layout.Heading = p.r.Line(words, tail, nil)
	p.recognised = true
	return true
}

// ruledColumns tells whether the next line rules off that many columns.
func (p *parser) ruledColumns(n int) bool {
	next := p.r.PeekData(1)
	if strings.IndexByte(next, '-') < 0 {
		return false
	}
	words, _, ok := layout.Words(next)
	for _, w := range words {
		ok = ok && strings.Trim(w.Text, "-") == ""
	}
	return ok && n > 1 && len(words) == n
}

func sameColumns(columns []string, words []layout.Word) bool {
	if len(columns) != len(words) {
		return false
	}
	for i, w := range words {
		if columns[i] != w.Text {
			return false
		}
	}
	return true
}

func (p *parser) sample(words []layout.Word, tail string) bool {
	if p.table == nil || p.table.Columns == nil || len(words) != len(p.table.Columns) {
		return false
	}
	values, styles := make([]*float64, len(words)), p.styles.Take(len(words))
	comma := false
	for i, w := range words {
		if w.Text == "-" || w.Text == "--" {
			styles[i] = style{none: w.Text}
			continue
		}
		d, ok := layout.ParseDecimal(w.Text)
		if !ok {
			return false
		}
		comma = comma || d.Comma
		values[i], styles[i] = p.number(d.Value), style{places: d.Places, comma: d.Comma}
	}
	s := &p.samples.Take(1)[0]
	s.Values, s.Layout.styles = values, styles
	if comma {
		p.r.Warn("read the sample's numbers with a decimal comma")
	}
	s.Layout.Before = p.r.Held()
	s.Layout.Line = p.r.Line(words, tail, func(int) bool { return true })
	p.table.Samples = append(p.table.Samples, s)
	return true
}

// callsHeading knows the three lines above the table of hypervisor calls.
func (p *parser) callsHeading(body string) bool {
	if p.table == nil {
		return false
	}
	first := strings.Fields(body)[0]
	switch {
	case strings.Contains(body, "Hypervisor Calls"):
	case first == "Hypervisor" && strings.Contains(body, "%Total"):
		p.calls = true
	case first == "Call" && p.calls:
	default:
		return false
	}
	return true
}

func (p *parser) call(words []layout.Word, tail string) bool {
	if !p.calls || len(words) != 6 {
		return false
	}
	c := &p.rows.Take(1)[0]
	*c = Call{Name: words[0].Text}
	var ok [5]bool
	c.Count, ok[0] = layout.Count(words[1].Text)
	total, ok1 := layout.ParseDecimal(words[2].Text)
	hyper, ok2 := layout.ParseDecimal(words[3].Text)
	ok[1], ok[2] = ok1, ok2
	c.Average, ok[3] = layout.Count(words[4].Text)
	c.Max, ok[4] = layout.Count(words[5].Text)
	if ok != [5]bool{true, true, true, true, true} {
		return false
	}
	c.Total, c.Hypervisor = total.Value, hyper.Value
	styles := p.styles.Take(2)
	styles[0], styles[1] = style{places: total.Places, comma: total.Comma}, style{places: hyper.Places, comma: hyper.Comma}
	c.Layout = RowLayout{Before: p.r.Held(), Line: p.r.Line(words, tail, func(i int) bool { return i > 0 }), styles: styles}
	p.table.Calls = append(p.table.Calls, c)
	return true
}
