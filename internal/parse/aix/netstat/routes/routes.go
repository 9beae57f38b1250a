// Package routes reads AIX netstat -r, -rn and -C: the route trees of
// the protocol families, in any language of the headings.
package routes

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

// Table is the output of netstat -r.
type Table struct {
	parse.Report
	Families []*Family `json:"families"`
}

// Family is the route tree of one protocol family.
type Family struct {
	Number uint64   `json:"number"` // 2: Internet, 24: Internet v6; 0: the line that names it was cut out
	Name   string   `json:"name"`
	Routes []*Route `json:"routes"`
}

// Route is one route. A nil number and an empty text were printed as "-" or
// not at all.
type Route struct {
	Destination string  `json:"destination"`       // default, 10.1/23, ::1%1
	Gateway     string  `json:"gateway,omitempty"` // empty for some IPv6 routes to the host itself
	Flags       string  `json:"flags"`             // UG, UHSb
	Refs        *uint64 `json:"refs,omitempty"`
	Use         *uint64 `json:"use,omitempty"`
	Interface   string  `json:"interface"`
	PMTU        *uint64 `json:"pmtu,omitempty"` // older levels
	Expires     *uint64 `json:"expires,omitempty"`
	Groups      string  `json:"groups,omitempty"`
	Costs       *Costs  `json:"costs,omitempty"` // netstat -C
	// Same is the mark "=>": the next line is another route to the same key.
	Same bool `json:"same,omitempty"`
}

// Costs are what netstat -C prints of a route: the cost in force and that which the route was given. Dead Gateway Detection
// raises the cost of a route whose gateway does not answer.
type Costs struct {
	Weight     *uint64 `json:"weight,omitempty"`
	Policy     string  `json:"policy,omitempty"` // WRR, RND
	Current    *uint64 `json:"current,omitempty"`
	Configured *uint64 `json:"configured,omitempty"`
}

const heading = "Destination        Gateway           Flags   Refs     Use  If   Exp  Groups"

var (
	// "Route Tree for Protocol Family 2 (Internet):" in any language.
	family = parse.Lazy(`^\s*[^:]*\D(\d+)\s*\(([^()]+)\)\s*:?\s*$`)
	// zFlag holds what netstat prints to users other than root in the middle of the table.
	zFlag    = parse.Lazy(`^Only the root user can specify the Z flag`)
	flagForm = parse.Lazy(`^[A-Za-z][A-Za-z0-9]*$`)
	nameForm = parse.Lazy(`^[A-Za-z]+[0-9]+\*?$`)
)

// Parse reads a routing table. Errors: parse.ErrNotRecognised if neither a
// heading nor a family is found.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	columns := columnsOf(table.Words(heading)) // of a table that was cut out below its heading
	headed := false
	read := readRoute
	lines := parse.Lines(text, &t.Report)
	for i, l := range lines {
		words := table.Words(l.Text)
		f := &Family{}
		switch {
		case zFlag.MatchString(l.Text):
			t.Warn(l.Number, "an error message: "+l.Text)
		case isHeading(words):
			columns, headed = columnsOf(words), true
			read = readRoute
			if words[6].Text == "Cost" {
				read = readCosts
			}
		case family.Scan(l.Text, &f.Number, &f.Name):
			t.Families = append(t.Families, f)
		case !headed && i+1 < len(lines) && isHeading(table.Words(lines[i+1].Text)): // the title
		default:
			r := read(columns, words)
			if r == nil || !headed && t.Families == nil {
				t.NotUnderstood(l)
				continue
			}
			if t.Families == nil {
				t.Families = []*Family{f}
			}
			last := t.Families[len(t.Families)-1]
			last.Routes = append(last.Routes, r)
		}
	}
	return parse.Recognised(t, headed || t.Families != nil)
}

// isHeading knows the heading by If, which stays in other languages, behind
// five other words.
func isHeading(words []table.Word) bool {
	return (len(words) == 8 || len(words) == 9) && words[5].Text == "If" &&
		!slices.ContainsFunc(words, func(w table.Word) bool { return strings.ContainsAny(w.Text, "0123456789=") })
}

func columnsOf(words []table.Word) table.Columns {
	c := table.Heading(words)
	c[1].Optional = true
	c[len(c)-1].Optional = len(c) == 9 // levels with the path MTU often print no groups
	return c
}

func readRoute(columns table.Columns, words []table.Word) *Route {
	r := &Route{}
	if n := len(words); n > 1 && words[n-1].Text == "=>" {
		r.Same, words = true, words[:n-1]
	}
	cells := columns.Cells(words)
	if cells == nil {
		return nil
	}
	r.Destination = cells[0]
	r.Gateway = cells[1]
	r.Flags = cells[2]
	r.Interface = cells[5]
	ok := flagForm.MatchString(r.Flags) && nameForm.MatchString(r.Interface)
	numbers, to := []string{cells[3], cells[4], cells[6]}, []**uint64{&r.Refs, &r.Use, &r.Expires}
	if len(cells) == 9 { // older levels have the path MTU behind the interface
		numbers, to = append(numbers, cells[7]), []**uint64{&r.Refs, &r.Use, &r.PMTU, &r.Expires}
	}
	for i, text := range numbers {
		if text == "-" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 64)
		ok = ok && err == nil
		*to[i] = &n
	}
	if groups := cells[len(cells)-1]; groups != "-" {
		r.Groups = groups
	}
	if !ok {
		return nil
	}
	return r
}

// readCosts reads a line of netstat -C, which has costs in place of counts.
func readCosts(columns table.Columns, words []table.Word) *Route {
	c := &Costs{}
	r := &Route{Costs: c}
	if n := len(words); n > 1 && words[n-1].Text == "=>" {
		r.Same, words = true, words[:n-1]
	}
	cells := columns.Cells(words)
	if cells == nil || !flagForm.MatchString(cells[2]) || !nameForm.MatchString(cells[5]) {
		return nil
	}
	r.Destination = cells[0]
	r.Gateway = cells[1]
	r.Flags = cells[2]
	r.Interface = cells[5]
	if cells[4] != "-" {
		c.Policy = cells[4]
	}
	for i, to := range map[int]**uint64{3: &c.Weight, 6: &c.Current, 7: &c.Configured} {
		if cells[i] == "-" {
			continue
		}
		n, err := strconv.ParseUint(cells[i], 10, 64)
		if err != nil {
			return nil
		}
		*to = &n
	}
	return r
}
