package no

import (
	"slices"

	"seaworthy/dialect/layout"
)

func (p *parser) table(words []layout.Word, tail string) bool {
	if p.columns == nil {
		return false
	}
	if len(words) == 1 {
		next, nextTail, ok := layout.Words(p.r.Peek(1))
		if ok && isIdent(words[0].Text) {
			if cells, cols := p.cells(next, p.columns[1:], p.starts[1:]); cols != nil {
				l := RowLayout{Before: p.r.Held(), Wrapped: p.r.Line(words, tail, nil)}
				at := p.r.Number()
				p.r.Next()
				p.add(words[0].Text, at, cells, cols, nextTail, l)
				return true
			}
		}
		if p.row == nil || !isIdent(words[0].Text) {
			return false
		}
		p.row.DependsOn = append(p.row.DependsOn, &Dependency{Name: words[0].Text,
			Layout: RowLayout{Before: p.r.Held(), Line: p.r.Line(words, tail, nil)}})
		return true
	}
	cells, cols := p.cells(words, p.columns, p.starts)
	if cols == nil {
		return false
	}
	p.add(cells[0].Text, p.r.Number(), cells, cols, tail, RowLayout{Before: p.r.Held()})
	return true
}

// cells finds the column of every word: by place, or else by number if no cell
// is blank. A unit may be several words ("4KB pages"). Columns are nil if the
// words are no row.
func (p *parser) cells(words []layout.Word, columns []column, starts []int) ([]layout.Word, []column) {
	for _, find := range [2]func([]layout.Word, []column, []int) ([]layout.Word, []column){p.byPlace, p.byNumber} {
		if cells, cols := find(words, columns, starts); cols != nil && looksLikeRow(cells, cols) && cols[0] == columns[0] {
			return cells, cols
		}
	}
	return nil, nil
}

func (p *parser) byPlace(words []layout.Word, columns []column, starts []int) ([]layout.Word, []column) {
	k := 0
	cells, cols := p.words[:0], p.found[:0]
	for i, w := range words {
		for k < len(starts) && starts[k] < w.At {
			k++
		}
		switch {
		case k < len(starts) && starts[k] == w.At:
			cells, cols = append(cells, w), append(cols, columns[k])
			k++
		case i == len(words)-1 && len(columns) > 0 && columns[len(columns)-1] == kind:
			cells, cols = append(cells, w), append(cols, kind)
		case len(cols) > 0 && cols[len(cols)-1] == unit:
			cells[len(cells)-1].Text += w.Gap + w.Text
		default:
			return nil, nil
		}
	}
	p.words, p.found = cells, cols
	return cells, cols
}

func (p *parser) byNumber(words []layout.Word, columns []column, _ []int) ([]layout.Word, []column) {
	more := len(words) - len(columns)
	if more < 0 {
		return nil, nil
	}
	cells := p.words[:0]
	for _, c := range columns {
		if len(words) == 0 {
			return nil, nil
		}
		w := words[0]
		words = words[1:]
		for ; c == unit && more > 0; more-- {
			w.Text += words[0].Gap + words[0].Text
			words = words[1:]
		}
		cells = append(cells, w)
	}
	if len(words) > 0 {
		return nil, nil
	}
	p.words = cells
	return cells, columns
}

// looksLikeRow checks each word against what its column can hold.
func looksLikeRow(words []layout.Word, columns []column) bool {
	for i, c := range columns {
		text, ok := words[i].Text, true
		switch c {
		case name:
			ok = isIdent(text)
		case current, def, boot, minimum, maximum:
			ok = isValue(text)
		case kind:
			ok = TypeMeaning(text) != ""
		}
		if !ok {
			return false
		}
	}
	return len(columns) > 2 && columns[len(columns)-1] == kind
}

func (p *parser) add(id string, line int, words []layout.Word, columns []column, tail string, l RowLayout) {
	x := &p.tunables.Take(1)[0]
	*x = Tunable{Name: id, Section: p.section, Restricted: p.restricted, Line: line}
	for i, c := range columns {
		switch to := x.value(c); {
		case to != nil:
			v := &p.values.Take(1)[0]
			*v, *to = Value(words[i].Text), v
		case c == unit:
			x.Unit = words[i].Text
		case c == kind:
			x.Type = words[i].Text
		case c == other:
			x.Others = append(x.Others, words[i].Text)
		}
	}
	l.columns = p.own(columns)
	l.Line = p.r.Line(words, tail, func(i int) bool { return columns[i] == kind })
	x.Layout = l
	p.t.Layout.Form = List
	p.t.Tunables = append(p.t.Tunables, x)
	p.row = x
}

// own gives the columns of a row for keeps: nearly always all of the table's.
func (p *parser) own(columns []column) []column {
	for _, all := range [2][]column{p.columns, p.columns[1:]} {
		if slices.Equal(columns, all) {
			return all
		}
	}
	return slices.Clone(columns)
}
