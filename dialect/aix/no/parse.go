package no

import (
	"slices"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// isIdent tells a tunable's name; vmo, which prints the same table, has
// maxperm%.
func isIdent(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '_' || c == '%' || c == '.' || c == '-')) {
			return false
		}
	}
	return s != ""
}

// isRuler knows a line of dashes. nmon saves the line end before a ruler as
// the letter n.
func isRuler(body string) bool {
	body = strings.TrimPrefix(body, "n")
	return len(body) >= 5 && strings.Trim(body, "-") == ""
}

var legend = dialect.Lazy(`^([A-Za-z] = [A-Za-z]+:.*|[A-Z][a-z]+( [a-z]+)*:|n/a means .*)$`)

const blanks = " \t\n\f\r"

// cutAssign cuts "name = value", with the sign and the gap before the value.
func cutAssign(body string) (name, sign, gap, value string, ok bool) {
	before, after, ok := strings.Cut(body, "=")
	name = strings.TrimRight(before, blanks)
	if !ok || len(name) < 2 || !isIdent(name) {
		return "", "", "", "", false
	}
	value = strings.TrimLeft(after, blanks)
	return name, body[len(name) : len(before)+1], after[:len(after)-len(value)], value, true
}

// isLegend sorts out most lines before the costly check: all of the legend's
// have a colon, or explain n/a.
func isLegend(body string) bool {
	return (strings.IndexByte(body, ':') >= 0 || strings.HasPrefix(body, "n/a")) && legend.MatchString(body)
}

// isValue tells a number with its unit, a list in braces, n/a, or UNSET.
func isValue(s string) bool {
	switch {
	case s == "n/a" || s == "-" || s == "UNSET":
		return true
	case len(s) > 1 && s[0] == '{':
		return s[len(s)-1] == '}' && strings.IndexByte(s, '\n') < 0
	}
	rest, some := digits(strings.TrimPrefix(s, "-"))
	if !some {
		return false
	}
	if rest != "" && strings.IndexByte(units, rest[0]) >= 0 {
		rest = rest[1:]
	}
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		if rest, some = digits(rest[1:]); !some {
			return false
		}
	}
	return rest == ""
}

// digits takes the digits a text begins with.
func digits(s string) (rest string, some bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[n:], n > 0
}

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
