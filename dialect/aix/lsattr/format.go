package lsattr

import (
	"fmt"
	"strings"

	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
)

// Format prints a listing in its form. Columns are as wide as the text they
// were read from, or as the widest entry where that is more.
func Format(l *Listing) []byte {
	switch l.Form.Kind {
	case Fields:
		return l.formatFields()
	case Names:
		return l.formatNames()
	case Allowed:
		return l.layout.Print(len(l.Allowed), func(i int) string {
			return l.Allowed[i].paint.On(l.Allowed[i].String())
		})
	case Single:
		return l.formatSingle()
	case Effective, Defaults:
		return l.formatTable()
	}
	return l.layout.Print(0, nil)
}

// lines prints a heading, if there is one, and rows.
func (l *Listing) lines(heading string, n int, row func(i int) string) []byte {
	if !l.Form.Heading {
		return l.layout.Print(n, row)
	}
	if l.headLine == "" { // not read from a text
		return l.layout.Print(n+2, func(i int) string {
			switch i {
			case 0:
				return heading
			case 1:
				return ""
			}
			return row(i - 2)
		})
	}
	return l.layout.Print(n+1, func(i int) string {
		if i == 0 {
			return heading
		}
		return row(i - 1)
	})
}

func (l *Listing) formatTable() []byte {
	value := "value"
	if l.Form.Kind == Defaults {
		value = "deflt"
	}
	w := l.widths
	grow := func(a *Attribute) {
		w[0], w[2] = max(w[0], len(a.Name)), max(w[2], len(a.Description))
		if a.Value != nil {
			w[1] = max(w[1], len(*a.Value))
		}
	}
	if l.Form.Heading && l.headLine == "" {
		grow(&Attribute{Name: "attribute", Value: &value, Description: "description"})
	}
	for i := range l.Attributes {
		if a := &l.Attributes[i]; a.place == nil || !a.place.own {
			grow(a)
		}
	}
	heading := l.headLine
	if heading == "" || w != l.widths && l.widths[2] > 0 {
		heading = l.straight(&Attribute{Name: "attribute", Value: &value, Description: "description", Settable: "user_settable"}, w)
	}
	return l.lines(heading, len(l.Attributes), func(i int) string {
		a := &l.Attributes[i]
		if a.place == nil {
			return l.straight(a, w)
		}
		if !a.place.own {
			return a.place.paint.On(l.straight(a, w))
		}
		return a.place.paint.On(a.crooked())
	})
}

// straight prints a row into the columns.
func (l *Listing) straight(a *Attribute, w [3]int) string {
	value := ""
	if a.Value != nil {
		value = *a.Value
	}
	return fmt.Sprintf("%-*s %-*s %-*s %s", w[0], a.Name, w[1], value, w[2], a.Description, a.Settable)
}

// crooked prints a row with the blanks it had.
func (a *Attribute) crooked() string {
	p := a.place
	middle := a.Unsplit
	if a.Value != nil {
		gap := p.g2
		if gap == "" && *a.Value != "" && a.Description != "" {
			gap = " "
		}
		middle = *a.Value + gap + a.Description
	}
	if p.short {
		return p.lead + a.Name + p.g1 + middle + p.tail
	}
	return p.lead + a.Name + p.g1 + middle + p.g3 + string(a.Settable) + p.tail
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

type pair struct {
	from, to int
	read     [2]string // names and values as they stood
	paint    [2]printout.Paint
}

func (l *Listing) formatNames() []byte {
	pairs := l.pairs
	if len(pairs) == 0 && len(l.Attributes) > 0 {
		pairs = []pair{{from: 0, to: len(l.Attributes)}}
	}
	return l.layout.Print(2*len(pairs), func(i int) string {
		p := pairs[i/2]
		from, to := min(p.from, len(l.Attributes)), min(p.to, len(l.Attributes))
		var names, values []string
		for k := from; k < to; k++ {
			a := &l.Attributes[k]
			names = append(names, a.Name)
			if a.Value != nil {
				values = append(values, *a.Value)
			}
		}
		head := "#" + strings.Join(names, ":")
		line := strings.Join(values, ":")
		if from < to && l.Attributes[from].Unsplit != "" && len(values) == 0 {
			line = l.Attributes[from].Unsplit
		}
		if i%2 == 0 {
			return p.paint[0].On(keepEnd(head, p.read[0]))
		}
		return p.paint[1].On(keepEnd(line, p.read[1]))
	})
}

// keepEnd gives a line the blanks that ended the one it was read from.
func keepEnd(line, read string) string {
	if strings.HasPrefix(read, line) && strings.TrimSpace(read[len(line):]) == "" {
		return read
	}
	return line
}

func (l *Listing) formatSingle() []byte {
	row := func(i int) string {
		a := &l.Attributes[i]
		value := ""
		if a.Value != nil {
			value = *a.Value
		}
		if a.place == nil {
			return value
		}
		return a.place.paint.On(value)
	}
	if l.layout.Empty() {
		return l.lines("value", len(l.Attributes), row)
	}
	return l.layout.Print(len(l.Attributes), row) // the heading is among the lines kept
}

// String is the choice as -R prints it.
func (c Choice) String() string {
	if c.Range == nil {
		return c.Value
	}
	verb := "%d...%d"
	step := " (+%d)"
	if c.hex {
		verb, step = "%#x...%#x", " (+%#x)"
	}
	s := fmt.Sprintf(verb, c.Range.Low, c.Range.High)
	if c.Range.Step > 0 {
		s += fmt.Sprintf(step, c.Range.Step)
	}
	return s
}
