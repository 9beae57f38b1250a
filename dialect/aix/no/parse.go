package no

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/table"
)

const (
	heading        = "NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE"
	restrictedMark = "##Restricted tunables"
)

var (
	identifier = dialect.Lazy(`^[A-Za-z][A-Za-z0-9_%.-]*$`) // vmo has maxperm%
	assignment = dialect.Lazy(`^\s*([A-Za-z][A-Za-z0-9_%.-]+)\s*=\s*([^=]*?)\s*$`)
	valueForm  = dialect.Lazy(`^(?:n/a|-|UNSET|\{.*\}|-?[0-9]+[KMGTPE]?(?:[+-][0-9]+)?)$`)
	typeForm   = dialect.Lazy(`^[BCDIMRSd]$`)
	legend     = dialect.Lazy(`^\s*(?:[A-Za-z] = [A-Za-z]+:.*|[A-Z][a-z]+(?: [a-z]+)*:|n/a means .*)$`)
	// nmon saves the line end before a ruler as the letter n.
	ruler = dialect.Lazy(`^\s*n?-{5,}\s*$`)
)

// Parse reads the output of no -a, -o or -L. Errors:
// dialect.ErrNotRecognised if no tunable is found.
func Parse(text []byte) (*Tunables, error) {
	t := &Tunables{}
	var columns table.Columns
	var last *Tunable // that a dependency would belong to
	restricted := false
	lines := dialect.Lines(text, &t.Report)
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		words := table.Words(l.Text)
		var assigned []string
		if strings.Contains(l.Text, "=") { // few lines of a table
			assigned = assignment.FindStringSubmatch(l.Text)
		}
		var row, wrapped *Tunable
		if columns != nil && len(words) > 2 {
			row = readRow(columns, words)
		} else if columns != nil && len(words) == 1 && identifier.MatchString(words[0].Text) && i+1 < len(lines) {
			wrapped = readWrapped(columns, words[0].Text, table.Words(lines[i+1].Text))
		}
		switch {
		case strings.Contains(l.Text, "-----") && ruler.MatchString(l.Text):
			last = nil
			continue
		case isHeading(words):
			columns, last, restricted = columnsOf(words), nil, false
			continue
		case row != nil:
			last = row
		case wrapped != nil:
			last = wrapped
			i++
		case strings.TrimSpace(l.Text) == restrictedMark:
			restricted = true
			continue
		case assigned != nil:
			v := Value(assigned[2])
			last = &Tunable{Name: assigned[1], Current: &v}
		case last != nil && columns != nil && len(words) == 1 && identifier.MatchString(words[0].Text): // a dependency
			continue
		case legend.MatchString(l.Text), len(words) == 1 && words[0].Text == "DEPENDENCIES" && columns != nil, isTitle(lines[i+1:], l.Text):
			continue
		default:
			t.NotUnderstood(l)
			continue
		}
		last.Line, last.Restricted = l.Number, restricted
		t.Tunables = append(t.Tunables, last)
		if columns != nil {
			t.Form = List
		}
	}
	if len(t.Tunables) == 0 {
		return nil, fmt.Errorf("no: %w", dialect.ErrNotRecognised)
	}
	return t, nil
}

func isHeading(words []table.Word) bool {
	return len(words) == 8 && words[0].Text == "NAME" && words[1].Text == "CUR" && words[7].Text == "TYPE"
}

// isTitle knows a section's title by the heading that follows, a ruler between.
func isTitle(next []dialect.Line, text string) bool {
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

func readRow(columns table.Columns, words []table.Word) *Tunable {
	cells := columns.Cells(words)
	if cells == nil || !identifier.MatchString(cells[0]) {
		return nil
	}
	return newTunable(cells[0], cells[1:])
}

// readWrapped reads a row whose name was too long for its column and is on
// a line of its own.
func readWrapped(columns table.Columns, name string, words []table.Word) *Tunable {
	return newTunable(name, columns[1:].Cells(words))
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
