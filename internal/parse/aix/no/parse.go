package no

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

const (
	heading        = "NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE"
	restrictedMark = "##Restricted tunables"
)

var (
	identifier = parse.Lazy(`^[A-Za-z][A-Za-z0-9_%.-]*$`) // vmo has maxperm%
	assignment = parse.Lazy(`^\s*([A-Za-z][A-Za-z0-9_%.-]+)\s*=\s*([^=]*?)\s*$`)
	valueForm  = parse.Lazy(`^(?:n/a|-|UNSET|\{.*\}|-?[0-9]+[KMGTPE]?(?:[+-][0-9]+)?)$`)
	typeForm   = parse.Lazy(`^[BCDIMRSd]$`)
	legend     = parse.Lazy(`^\s*(?:[A-Za-z] = [A-Za-z]+:.*|[A-Z][a-z]+(?: [a-z]+)*:|n/a means .*)$`)
	// nmon saves the line end before a ruler as the letter n.
	ruler = parse.Lazy(`^\s*n?-{5,}\s*$`)
)

// Parse reads the output of no -a, -o or -L. Errors:
// parse.ErrNotRecognised if no tunable is found.
func Parse(text []byte) (*Tunables, error) {
	t := &Tunables{}
	var columns table.Columns
	var last *Tunable // that a dependency would belong to
	restricted := false
	lines := parse.Lines(text, &t.Report)
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		words := table.Words(l.Text)
		alone := columns != nil && len(words) == 1 && identifier.MatchString(words[0].Text)
		x := readTunable(columns, l, words)
		if x == nil && alone && i+1 < len(lines) { // a name too long for its column
			x = newTunable(words[0].Text, columns[1:].Cells(table.Words(lines[i+1].Text)))
			if x != nil {
				i++
			}
		}
		switch {
		case strings.Contains(l.Text, "-----") && ruler.MatchString(l.Text):
			last = nil
		case isHeading(words):
			columns, last, restricted = columnsOf(words), nil, false
		case x != nil:
			last, x.Line, x.Restricted = x, l.Number, restricted
			t.Tunables = append(t.Tunables, x)
			if columns != nil {
				t.Form = List
			}
		case strings.TrimSpace(l.Text) == restrictedMark:
			restricted = true
		case alone && last != nil: // a dependency
		case legend.MatchString(l.Text), alone && words[0].Text == "DEPENDENCIES", isTitle(lines[i+1:], l.Text):
		default:
			t.NotUnderstood(l)
		}
	}
	return parse.Recognised(t, len(t.Tunables) > 0)
}

// readTunable reads a line that is one's, a row or an assignment.
func readTunable(columns table.Columns, l parse.Line, words []table.Word) *Tunable {
	if columns != nil && len(words) > 2 {
		if cells := columns.Cells(words); cells != nil && identifier.MatchString(cells[0]) {
			if x := newTunable(cells[0], cells[1:]); x != nil {
				return x
			}
		}
	}
	if strings.Contains(l.Text, "=") { // few lines of a table
		if m := assignment.FindStringSubmatch(l.Text); m != nil {
			return &Tunable{Name: m[1], Current: new(Value(m[2]))}
		}
	}
	return nil
}

func isHeading(words []table.Word) bool {
	return len(words) == 8 && words[0].Text == "NAME" && words[1].Text == "CUR" && words[7].Text == "TYPE"
}

// isTitle knows a section's title by the heading that follows, a ruler between.
func isTitle(next []parse.Line, text string) bool {
	for _, l := range next[:min(len(next), 2)] {
		if isHeading(table.Words(l.Text)) {
			return !strings.ContainsAny(text, "={}")
		}
		if !ruler.MatchString(l.Text) {
			return false
		}
	}
	return false
}

// columnsOf are the columns of the table. Any but name and type may be blank,
// and a unit may be several words ("4KB pages").
func columnsOf(words []table.Word) table.Columns {
	c := table.Heading(words)
	for i := 1; i < 7; i++ {
		c[i].Optional = true
	}
	c[6].Wide = true
	return c
}

// newTunable checks each cell against what its column can hold; nil if one does
// not fit.
func newTunable(name string, cells []string) *Tunable {
	x := &Tunable{Name: name}
	if len(cells) != 7 || !typeForm.MatchString(cells[6]) {
		return nil
	}
	for i, to := range []**Value{&x.Current, &x.Default, &x.Boot, &x.Min, &x.Max} {
		if cells[i] == "" {
			continue
		}
		if !valueForm.MatchString(cells[i]) {
			return nil
		}
		v := Value(cells[i])
		*to = &v
	}
	x.Unit, x.Type = cells[5], cells[6]
	return x
}
