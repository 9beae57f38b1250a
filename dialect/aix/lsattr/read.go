package lsattr

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
)

// readTable reads the four columns of -E and -D.
func (r *reader) readTable() {
	list := r.list
	is := make([]bool, len(r.lines)) // the line is a row, by its words
	leads := map[int]int{}
	whole := 0
	for i, l := range r.lines {
		if r.skip[i] || i == r.head || strings.TrimSpace(l) == "" || !r.named[i] {
			continue
		}
		is[i] = true
		if r.whole[i] {
			whole++
			leads[r.rows[i].lead]++
		}
	}
	lead := 0
	for k, n := range leads {
		if n > leads[lead] || n == leads[lead] && k < lead {
			lead = k
		}
	}
	sample := make([]*cells, 0, len(r.lines))
	for i := range r.rows {
		if c := &r.rows[i]; is[i] && c.lead == lead && (c.settable != "" || whole == 0) {
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
	if len(sample) > 0 {
		list.Attributes = make([]Attribute, 0, len(sample))
	}
	for i := range r.rows {
		c := &r.rows[i]
		switch {
		case i == r.head:
			list.headLine = r.raw[i]
			list.layout.Row()
		case !is[i] || c.lead != lead,
			c.settable == "" && !(found && c.fits(cols.value, cols.description)) && !(whole == 0 && c.plain()):
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

// twoRows finds the settable column of one row before the name of the next.
var twoRows = dialect.Lazy(` (?:True\+?|False)[a-z]\w*[ \t]+\S`)

// swallowed says that a description holds the next row. Most do not come near.
func swallowed(description string) bool {
	return (strings.Contains(description, " True") || strings.Contains(description, " False")) && twoRows.MatchString(description)
}

// row makes an attribute of a line. One that stands in the columns and has no
// colours needs no place of its own.
func (r *reader) row(i int, c *cells, cols columns) Attribute {
	a := Attribute{Name: c.name, Settable: c.settable, Line: i + 1}
	told := cols.tell(c)
	if told.known && (strings.Contains(told.value, "\ufffd") || swallowed(told.description)) {
		told.value, told.description, told.known = "", "", false // a byte of the value is lost, or a line's end
	}
	a.Description = told.description
	rest := c.text[c.at:]
	if told.known {
		value := r.texts.Take(1)
		value[0] = told.value
		a.Value = &value[0]
	} else {
		a.Unsplit = rest
		r.list.Warn(i+1, fmt.Sprintf("%s: value and description cannot be told apart: %q", a.Name, rest))
	}
	short := c.settable == ""
	if short {
		r.list.Warn(i+1, a.Name+": the user_settable column is missing")
	}
	line := r.lines[i]
	own := !r.list.fitsWidths(&a)
	if !own {
		r.print = appendStraight(r.print[:0], &a, r.list.widths)
		own = string(r.print) != line
	}
	if !own && r.paint[i] == nil {
		return a
	}
	p := &placing{own: own, lead: line[:c.lead], g1: c.text[len(c.name):c.at], g3: c.gap, tail: c.tail, short: short, paint: r.paint[i]}
	if told.value != "" && (a.Description != "" || !strings.HasPrefix(rest, told.value)) {
		after := rest[len(told.value):]
		p.g2 = after[:len(after)-len(strings.TrimLeft(after, " \t"))]
	}
	a.place = p
	return a
}

func (l *Listing) fitsWidths(a *Attribute) bool {
	return a.Value != nil && l.widths[2] > 0 && len(a.Name) <= l.widths[0] &&
		len(*a.Value) <= l.widths[1] && len(a.Description) <= l.widths[2]
}
