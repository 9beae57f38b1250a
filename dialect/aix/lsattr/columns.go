package lsattr

import (
	"fmt"
	"strings"

	"seaworthy/dialect/aix/fields"
)

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

// set takes the columns of a row of -F.
func (a *Attribute) set(spec fields.Spec, values []string) {
	for k, n := range spec.Names {
		if k >= len(values) {
			return
		}
		v := values[k]
		switch n {
		case "attribute":
			a.Name = v
		case "value":
			a.Value = &v
		case "deflt":
			a.Default = &v
		case "description":
			a.Description = v
		case "user_settable":
			a.Settable = Settable(v)
		default:
			if a.Other == nil {
				a.Other = map[string]string{}
			}
			a.Other[n] = v
		}
	}
}

// columnsOf gives the columns of a row of -F.
func (a *Attribute) columnsOf(spec fields.Spec) []string {
	values := make([]string, len(spec.Names))
	for k, n := range spec.Names {
		switch n {
		case "attribute":
			values[k] = a.Name
		case "value":
			if a.Value != nil {
				values[k] = *a.Value
			}
		case "deflt":
			if a.Default != nil {
				values[k] = *a.Default
			}
		case "description":
			values[k] = a.Description
		case "user_settable":
			values[k] = string(a.Settable)
		default:
			values[k] = a.Other[n]
		}
	}
	return values
}

func (l *Listing) fieldLine(a *Attribute, widths []int) string {
	if a.Value == nil && a.Unsplit != "" {
		return a.Unsplit
	}
	return l.Form.Fields.Print(a.columnsOf(l.Form.Fields), widths)
}

func (l *Listing) formatFields() []byte {
	var rows [][]string
	for i := range l.Attributes {
		rows = append(rows, l.Attributes[i].columnsOf(l.Form.Fields))
	}
	widths := l.Form.Fields.Widths(rows, l.Form.Heading)
	heading := l.headLine
	if heading == "" {
		heading = l.Form.Fields.Heading(widths)
	}
	return l.lines(heading, len(l.Attributes), func(i int) string {
		a := &l.Attributes[i]
		if a.place == nil {
			return l.fieldLine(a, widths)
		}
		// A line that was padded otherwise keeps its padding while its words stay.
		if a.place.words == l.fieldLine(a, nil) {
			return a.place.paint.On(a.place.read)
		}
		return a.place.paint.On(l.fieldLine(a, widths))
	})
}
