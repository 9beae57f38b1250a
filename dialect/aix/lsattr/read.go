package lsattr

import (
	"fmt"
	"strings"
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
