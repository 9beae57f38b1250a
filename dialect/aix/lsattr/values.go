package lsattr

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

var rangeShape = dialect.Lazy(`^(0[xX][0-9A-Fa-f]+|-?\d+)\.\.\.(0[xX][0-9A-Fa-f]+|-?\d+)(?: \(\+(0[xX][0-9A-Fa-f]+|\d+)\))?$`)

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
			body := strings.Trim(l, " \t")
			c := readChoice(body)
			at := strings.Index(l, body)
			c.lead, c.tail = l[:at], l[at+len(body):]
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
