package lsattr

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
)

// readTable reads the four columns of -E and -D.
func (r *reader) readTable() {
	list := r.list
	rows := map[int]cells{}
	leads := map[int]int{}
	whole := 0
	for i, l := range r.lines {
		c, w, ok := cut(l)
		if r.skip[i] || i == r.head || strings.TrimSpace(l) == "" || !ok {
			continue
		}
		if w {
			whole++
			leads[c.lead]++
		} else {
			c.settable = ""
		}
		rows[i] = c
	}
	lead := 0
	for k, n := range leads {
		if n > leads[lead] || n == leads[lead] && k < lead {
			lead = k
		}
	}
	var sample []cells
	for i := range r.lines {
		c, ok := rows[i]
		if ok && c.lead == lead && (c.settable != "" || whole == 0) {
			sample = append(sample, c)
		}
	}
	cols, found := r.headingColumns()
	if !found {
		cols, found = findColumns(sample)
	}
	if found && cols.settable > 0 {
		list.widths = [3]int{cols.value - 1, cols.description - cols.value - 1, cols.settable - cols.description - 1}
	}
	for i := range r.lines {
		c, ok := rows[i]
		switch {
		case i == r.head:
			list.headLine = r.raw[i]
			list.layout.Row()
		case !ok || c.lead != lead,
			c.settable == "" && (!found || !c.fits(cols.value, cols.description)):
			r.other(i)
		default:
			list.Attributes = append(list.Attributes, r.row(i, c, cols))
			list.layout.Row()
		}
	}
}

// headingColumns are the columns that the heading names.
func (r *reader) headingColumns() (columns, bool) {
	if r.head < 0 {
		return columns{}, false
	}
	h := r.lines[r.head]
	names := strings.Fields(h)
	c := columns{description: strings.Index(h, " description") + 1, settable: strings.Index(h, " user_settable") + 1}
	c.value = strings.Index(h, " "+names[1]) + 1
	if c.description-c.value <= len(names[1])+1 && c.settable-c.description <= len("description")+1 && c.value <= len("attribute")+1 {
		return columns{}, false // one blank each: collapsed, or it says nothing
	}
	return c, true
}

// row makes an attribute of a line.
func (r *reader) row(i int, c cells, cols columns) Attribute {
	a := Attribute{Name: c.name, Settable: c.settable, Line: i + 1}
	a.Value, a.Description = cols.tell(c)
	p := &placing{g3: c.gap, tail: c.tail, short: c.settable == "", paint: r.paint[i]}
	line := r.lines[i]
	p.lead = line[:c.lead]
	p.g1 = c.text[len(c.name):c.at]
	rest := c.text[c.at:]
	switch {
	case a.Value == nil:
		a.Unsplit = rest
		r.list.Warn(i+1, fmt.Sprintf("%s: value and description cannot be told apart: %q", a.Name, rest))
	case *a.Value != "":
		after := rest[len(*a.Value):]
		p.g2 = after[:len(after)-len(strings.TrimLeft(after, " \t"))]
		if strings.HasPrefix(rest, *a.Value) && a.Description == "" {
			p.g2 = ""
		}
	}
	if p.short {
		r.list.Warn(i+1, a.Name+": the user_settable column is missing")
	}
	if tabbed := strings.Split(c.text, "\t"); a.Value != nil && *a.Value == "" && len(tabbed) == 3 && c.tabbed {
		p.g2 = "" // g1 holds both separators
	}
	a.place = p
	p.own = !r.list.fitsWidths(&a) || r.list.straight(&a, r.list.widths) != line
	return a
}

func (l *Listing) fitsWidths(a *Attribute) bool {
	return a.Value != nil && l.widths[2] > 0 && len(a.Name) <= l.widths[0] &&
		len(*a.Value) <= l.widths[1] && len(a.Description) <= l.widths[2]
}

// readFields reads the columns of -F.
func (r *reader) readFields() {
	list := r.list
	spec := list.Form.Fields
	give := spec.Index("value")
	var gutters []int
	if spec.Aligned() && len(spec.Names) > 1 {
		gutters = r.gutters(len(spec.Names))
	}
	first := r.head
	for i, l := range r.lines {
		switch {
		case i == r.head:
			list.headLine = r.raw[i]
			list.layout.Row()
			continue
		case r.skip[i], strings.TrimSpace(l) == "" && (len(spec.Names) > 1 || first >= 0 && i == first+1):
			r.other(i)
			continue
		}
		a := Attribute{Line: i + 1, place: &placing{paint: r.paint[i]}}
		values, certain, ok := splitFields(spec, strings.TrimRight(l, "\r"), give, gutters)
		if !ok {
			r.other(i)
			continue
		}
		a.set(spec, values)
		if !certain && give >= 0 {
			a.Value, a.Unsplit = nil, l
			r.list.Warn(i+1, fmt.Sprintf("%s: value cannot be told from its neighbours: %q", a.Name, l))
		}
		if words := list.fieldLine(&a, nil); words != l || spec.Aligned() {
			a.place.read, a.place.words = l, words
		}
		list.Attributes = append(list.Attributes, a)
		list.layout.Row()
	}
}

// splitFields cuts a line of -F; certain is false if a separator inside a
// value leaves more than one way to cut it.
func splitFields(spec fields.Spec, line string, give int, gutters []int) (values []string, certain, ok bool) {
	if spec.Aligned() {
		if len(spec.Names) == 1 {
			return []string{strings.TrimRight(line, " ")}, true, true
		}
		values = strings.Fields(line)
		if gutters != nil && len(values) != len(spec.Names) {
			return cutAt(line, gutters), true, true
		}
		return values, true, len(values) == len(spec.Names)
	}
	values, ok = spec.Split(line, give)
	if !ok {
		return nil, false, false
	}
	extra := 0
	for k, s := range spec.Seps {
		if s != "" {
			extra = strings.Count(line, s) - len(spec.Names) + 1
		}
		if k == 0 {
			break
		}
	}
	if extra <= 0 || give < 0 {
		return values, true, true
	}
	neighbours := len(spec.Names) - 1
	if spec.Index("attribute") >= 0 {
		neighbours--
	}
	if spec.Index("user_settable") >= 0 {
		neighbours--
	}
	return values, neighbours == 0 || valueLike(values[give]), true
}

// gutters finds the starts of n columns that are blank to their left in all
// rows, from the widest gaps; nil if there are not so many.
func (r *reader) gutters(n int) []int {
	width := 0
	var rows []string
	for i, l := range r.lines {
		if !r.skip[i] && strings.TrimSpace(l) != "" {
			rows = append(rows, l)
			width = max(width, min(len(l), 4096))
		}
	}
	if len(rows) < 2 || len(rows) > sampled {
		return nil
	}
	starts := []int{0}
	for c := 1; c < width; c++ {
		blank, word := true, false
		for _, l := range rows {
			blank = blank && (c-1 >= len(l) || l[c-1] == ' ')
			word = word || c < len(l) && l[c] != ' '
		}
		if blank && word {
			starts = append(starts, c)
		}
	}
	if len(starts) != n {
		return nil
	}
	return starts
}

func cutAt(line string, starts []int) []string {
	var values []string
	for k, s := range starts {
		e := len(line)
		if k+1 < len(starts) {
			e = min(e, starts[k+1])
		}
		values = append(values, strings.TrimSpace(line[min(s, e):e]))
	}
	return values
}

// readNames reads -O: a line of names, a line of values.
func (r *reader) readNames() {
	for i := 0; i < len(r.lines); i++ {
		if r.skip[i] || !namesLine.MatchString(r.lines[i]) || i+1 >= len(r.lines) || r.skip[i+1] {
			r.other(i)
			continue
		}
		names := strings.Split(strings.TrimPrefix(strings.TrimRight(r.lines[i], " \r"), "#"), ":")
		values := strings.Split(strings.TrimRight(r.lines[i+1], "\r"), ":")
		start := len(r.list.Attributes)
		for k, n := range names {
			a := Attribute{Name: n, Line: i + 2}
			if len(values) == len(names) {
				v := values[k]
				a.Value = &v
			}
			r.list.Attributes = append(r.list.Attributes, a)
		}
		if len(values) != len(names) {
			r.list.Attributes[start].Unsplit = r.lines[i+1]
			r.list.Warn(i+2, fmt.Sprintf("%d names, %d values: a value holds the separator", len(names), len(values)))
		}
		r.list.pairs = append(r.list.pairs, pair{
			from: start, to: len(r.list.Attributes),
			read:  [2]string{r.lines[i], r.lines[i+1]},
			paint: [2]printout.Paint{r.paint[i], r.paint[i+1]},
		})
		r.list.layout.Row()
		r.list.layout.Row()
		i++
	}
}

var rangeShape = regexp.MustCompile(`^(0[xX][0-9A-Fa-f]+|-?\d+)\.\.\.(0[xX][0-9A-Fa-f]+|-?\d+)(?: \(\+(0[xX][0-9A-Fa-f]+|\d+)\))?$`)

// readValues reads -R, and the single value of lsdev -attr NAME.
func (r *reader) readValues() {
	single := r.list.Form.Kind == Single
	passed := false // the blank line below the heading
	for i, l := range r.lines {
		if i == r.head || r.skip[i] || strings.TrimSpace(l) == "" && (!single || !passed) {
			passed = passed || i > r.head && strings.TrimSpace(l) == ""
			r.other(i)
			continue
		}
		if single {
			v := l
			r.list.Attributes = append(r.list.Attributes, Attribute{Value: &v, Line: i + 1, place: &placing{paint: r.paint[i]}})
		} else {
			c := readChoice(l)
			c.paint = r.paint[i]
			r.list.Allowed = append(r.list.Allowed, c)
		}
		r.list.layout.Row()
	}
}

// readChoice reads one line of -R. A range whose figures would not print as
// they stand is kept as a value.
func readChoice(line string) Choice {
	m := rangeShape.FindStringSubmatch(line)
	if m == nil {
		return Choice{Value: line}
	}
	low, err1 := strconv.ParseInt(m[1], 0, 64)
	high, err2 := strconv.ParseInt(m[2], 0, 64)
	step, err3 := int64(0), error(nil)
	if m[3] != "" {
		step, err3 = strconv.ParseInt(m[3], 0, 64)
	}
	c := Choice{Range: &Range{Low: low, High: high, Step: step}, hex: strings.HasPrefix(m[2], "0x")}
	if err1 != nil || err2 != nil || err3 != nil || c.String() != line {
		return Choice{Value: line}
	}
	return c
}
