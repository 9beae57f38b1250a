package no

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

const restrictedMark = "##Restricted tunables"

// Parse reads the output of no -a, -o or -L. Errors:
// dialect.ErrNotRecognised if no tunable is found.
func Parse(text []byte) (*Tunables, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := &Tunables{}
	r := layout.NewReader(text, &t.Report)
	p := parser{t: t, r: r}
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		_, body, _ := layout.Trim(line)
		if isRuler(body) { // every other line
			p.row = nil
			r.Keep()
			continue
		}
		words, tail, ok := r.Words()
		switch {
		case body == "":
			r.Keep()
		case ok && len(words) > 2 && p.table(words, tail): // as most lines of no -L
		case body == restrictedMark:
			p.restricted = true
			r.Keep()
		case ok && p.heading(words):
		case p.sectionTitle(body):
			p.section, p.restricted = body, false
			r.Keep()
		case isLegend(body):
			r.Keep()
		case p.assignment(line):
		case ok && p.table(words, tail):
		default:
			r.Unread()
		}
	}
	t.Layout.Sheet = r.Sheet()
	if len(t.Tunables) == 0 {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

type parser struct {
	t          *Tunables
	r          *layout.Reader
	section    string
	restricted bool
	columns    []column
	starts     []int
	row        *Tunable // that a dependency would belong to

	tunables layout.Room[Tunable]
	values   layout.Room[Value]
	lines    layout.Room[layout.Line]
	gaps     layout.Room[layout.Cell]
	words    []layout.Word // scratch: the cells of a row
	found    []column      // scratch: their columns
}

func isHeading(words []layout.Word) bool {
	return len(words) >= 3 && words[0].Text == "NAME" && words[1].Text == "CUR"
}

func (p *parser) heading(words []layout.Word) bool {
	if len(words) == 1 && words[0].Text == "DEPENDENCIES" && p.columns != nil && p.row == nil {
		p.r.Keep()
		return true
	}
	if !isHeading(words) {
		return false
	}
	p.columns, p.starts, p.row, p.restricted = nil, nil, nil, false
	for _, w := range words {
		p.columns = append(p.columns, columnNames[w.Text])
		p.starts = append(p.starts, w.At)
	}
	p.r.Keep()
	return true
}

// sectionTitle knows a title by the heading that follows, rulers between.
func (p *parser) sectionTitle(body string) bool {
	if strings.ContainsAny(body, "={}") {
		return false
	}
	for n := 1; n <= 2; n++ {
		next := p.r.PeekData(n)
		_, b, _ := layout.Trim(next)
		if strings.HasPrefix(b, "NAME") {
			if words, _, ok := layout.Words(next); ok && isHeading(words) {
				return true
			}
		}
		if !isRuler(b) {
			return false
		}
	}
	return false
}

func (p *parser) assignment(line string) bool {
	if strings.IndexByte(line, '=') < 0 {
		return false
	}
	lead, body, tail := layout.Trim(line)
	name, sign, gap, text, ok := cutAssign(body)
	if !ok || strings.Contains(text, "=") {
		return false
	}
	if text == "" {
		gap, tail = tail, ""
	}
	v := &p.values.Take(1)[0]
	*v = Value(text)
	x := &p.tunables.Take(1)[0]
	*x = Tunable{Name: name, Restricted: p.restricted, Current: v, Line: p.r.Number()}
	l, cell := &p.lines.Take(1)[0], p.gaps.Take(1)
	cell[0] = layout.Cell{Gap: lead, Width: int32(len(name)), Right: true}
	l.Cells, l.Tail = cell, tail
	x.Layout = RowLayout{Before: p.r.Held(), sign: sign + gap, Line: l}
	if len(p.t.Tunables) == 0 && lead == "" {
		p.t.Layout.Form = Named
	}
	p.t.Tunables = append(p.t.Tunables, x)
	return true
}
