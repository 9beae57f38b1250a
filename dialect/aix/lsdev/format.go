package lsdev

import (
	"strings"
	"unicode/utf8"
)

// Widths of the VIOS table; a longer entry pushes what follows.
const viosName, viosStatus = 16, 11

// Format prints a list in its form.
func Format(l *List) []byte {
	switch l.Form.Kind {
	case Fields:
		return l.formatFields()
	case VIOS, Table:
		return l.formatTable()
	}
	return l.layout.Print(0, nil)
}

func (l *List) formatTable() []byte {
	w := l.widths
	if l.Form.Kind == VIOS && w[0] == 0 {
		w = [3]int{viosName, viosStatus}
	}
	head := Device{Name: "name", Status: "status", Location: "location", Description: "description"}
	if l.Form.Kind == Table {
		grow := func(d *Device) {
			w[0], w[1], w[2] = max(w[0], len(d.Name)), max(w[1], len(d.Status)), max(w[2], len(d.Location))
		}
		if l.Form.Heading && l.headLine == "" {
			grow(&head)
		}
		for i := range l.Devices {
			if d := &l.Devices[i]; d.place == nil || !d.place.own {
				grow(d)
			}
		}
	}
	heading := l.headLine
	if heading == "" || w != l.widths && l.widths[0] > 0 {
		heading = l.straight(&head, w)
	}
	return l.lines(heading, l.Form.Kind == Table, len(l.Devices), func(i int) string {
		d := &l.Devices[i]
		switch {
		case d.place == nil:
			return l.straight(d, w)
		case d.place.own:
			return d.place.paint.On(d.crooked())
		}
		return d.place.paint.On(l.straight(d, w))
	})
}

// lines prints a heading, if there is one, and rows.
func (l *List) lines(heading string, blank bool, n int, row func(i int) string) []byte {
	var head []string
	if l.Form.Heading {
		head = append(head, heading)
		if l.headLine == "" && blank {
			head = append(head, "")
		}
	}
	return l.layout.Print(n+len(head), func(i int) string {
		if i < len(head) {
			return head[i]
		}
		return row(i - len(head))
	})
}

// straight prints a row into the columns.
func (l *List) straight(d *Device, w [3]int) string {
	b := make([]byte, 0, 128)
	cell := func(word string, width int) {
		b = append(b, word...)
		for n := utf8.RuneCountInString(word); n < width; n++ {
			b = append(b, ' ')
		}
		b = append(b, ' ')
	}
	cell(d.Name, w[0])
	cell(d.Status, w[1])
	if l.Form.Kind != VIOS {
		cell(d.Location, w[2])
	}
	return string(append(b, d.Description...))
}

// crooked prints a row with the blanks it had.
func (d *Device) crooked() string {
	p := d.place
	gap := func(g, left, right string) string {
		if g == "" && left != "" && right != "" {
			return " "
		}
		return g
	}
	var b strings.Builder
	b.WriteString(p.lead + d.Name + p.g1 + d.Status)
	b.WriteString(gap(p.g2, d.Status, d.Location+d.Description))
	b.WriteString(d.Location + gap(p.g3, d.Location, d.Description) + d.Description + p.tail)
	return b.String()
}

func (l *List) appendValues(values []string, d *Device) []string {
	for _, n := range l.Form.Fields.Names {
		values = append(values, d.column(n))
	}
	return values
}

func (l *List) fieldLine(d *Device, widths []int) string {
	return l.Form.Fields.Print(l.appendValues(nil, d), widths)
}

func (l *List) formatFields() []byte {
	var rows [][]string
	for i := range l.Devices {
		rows = append(rows, l.appendValues(nil, &l.Devices[i]))
	}
	widths := l.Form.Fields.Widths(rows, l.Form.Heading)
	heading := l.headLine
	if heading == "" {
		heading = l.Form.Fields.Heading(widths)
	}
	return l.lines(heading, true, len(l.Devices), func(i int) string {
		d := &l.Devices[i]
		switch {
		case d.place == nil:
			return l.fieldLine(d, widths)
		case d.place.words == l.fieldLine(d, nil): // its own padding, while its words stay
			return d.place.paint.On(d.place.read)
		}
		return d.place.paint.On(l.fieldLine(d, widths))
	})
}
