package lsattr

import "unicode/utf8"

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
			return l.Allowed[i].paint.On(l.Allowed[i].lead + l.Allowed[i].String() + l.Allowed[i].tail)
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
func (l *Listing) straight(a *Attribute, w [3]int) string { return string(appendStraight(nil, a, w)) }

func appendStraight(b []byte, a *Attribute, w [3]int) []byte {
	value := ""
	if a.Value != nil {
		value = *a.Value
	}
	for i, word := range [3]string{a.Name, value, a.Description} {
		b = append(b, word...)
		for n := utf8.RuneCountInString(word); n < w[i]; n++ {
			b = append(b, ' ')
		}
		b = append(b, ' ')
	}
	return append(b, a.Settable...)
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
