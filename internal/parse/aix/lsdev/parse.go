package lsdev

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

var (
	nameForm   = parse.Lazy(`^[A-Za-z_/][A-Za-z0-9_/.:#-]*$`)
	statusForm = parse.Lazy(`^(?:Available|Defined|Stopped|Diagnose|Unavailable|Unknown)$`)
	// Location codes: 00-00, 05-08-00-3,0, of newer levels C3-T0; and physical ones.
	placeForm = parse.Lazy(`^(?:[0-9A-Z]{2}-[0-9A-Z]{2}(?:-[0-9A-Za-z,.]+)*|[A-Z][0-9]+(?:-[A-Z][0-9]+)+)$`)
	physForm  = parse.Lazy(`^U[0-9A-Z]{4,}\.[0-9A-Z]+(?:[.-][0-9A-Za-z]+)*$`)
	rowForm   = parse.Lazy(`^\s*([A-Za-z_/]\S*)\s+(Available|Defined|Stopped|Diagnose|Unavailable|Unknown)\b\s*(.*?)\s*$`)
)

// Parse reads a list of devices. The columns of -F without a heading are known
// by their values only: what is neither name, status, location nor description
// stands under its number. It returns parse.ErrNotRecognised for other texts.
func Parse(text []byte) (*List, error) {
	l := &List{}
	lines := parse.Lines(text, &l.Report)
	read := func(parse.Line) (d Device, ok bool) { return d, false }
	recognised := false
	at := slices.IndexFunc(lines, heads)
	rows := rowsOf(lines)
	switch {
	case at >= 0:
		read, recognised = l.headed(lines[at].Text), true
		lines = slices.Delete(lines, at, at+1)
	case len(rows) > 0 && len(rows)*5 >= len(lines):
		l.Form = C()
		read, recognised = tabled(rows), true
	default:
		if guess := l.guessed(lines); guess != nil {
			read, recognised = guess, true
		}
	}
	for _, line := range lines {
		if d, ok := read(line); !ok || !nameForm.MatchString(d.Name) {
			l.NotUnderstood(line)
		} else {
			d.Line = line.Number
			l.Devices = append(l.Devices, d)
		}
	}
	return parse.Recognised(l, recognised || l.Messages > 0)
}

// columnsIn are the columns of a heading with -F.
func columnsIn(heading string) table.Fields {
	return table.ParseFields(strings.TrimRight(heading, " \t"))
}

func heads(l parse.Line) bool {
	f := columnsIn(l.Text)
	return len(f.Names) > 1 && f.Heads(l.Text, known)
}

// headed reads rows under a heading.
func (l *List) headed(heading string) func(parse.Line) (Device, bool) {
	f := columnsIn(heading)
	l.Form = Form{Kind: Fields, Heading: true, Fields: f}
	if !f.Aligned() {
		return split(f, slices.Index(f.Names, "description"))
	}
	switch strings.Join(f.Names, " ") {
	case "name status location description":
		l.Form = Form{Kind: Table, Heading: true}
	case "name status description":
		l.Form = V()
	}
	c := table.Heading(table.Words(heading))
	for i := range c {
		c[i].Wide = c[i].Text == "description"
		c[i].Optional = i > 0 && c[i].Text != "status"
	}
	return func(line parse.Line) (d Device, ok bool) {
		cells := c.Cells(table.Words(line.Text))
		for i, v := range cells {
			table.Set(&d, &d.Other, f.Names[i], v)
		}
		if slices.Index(f.Names, "location") > 0 && d.Location != "" && !placeForm.MatchString(d.Location) && d.Description == "" {
			d.Location, d.Description = "", d.Location // one word of text alone
		}
		return d, cells != nil
	}
}

func split(f table.Fields, give int) func(parse.Line) (Device, bool) {
	return func(line parse.Line) (d Device, ok bool) {
		values, _ := f.Split(strings.TrimRight(line.Text, " \t"), give)
		for i, v := range values {
			table.Set(&d, &d.Other, f.Names[i], v)
		}
		return d, values != nil
	}
}

// rowsOf finds name, status and the rest in the lines that have them, by number.
func rowsOf(lines []parse.Line) map[int][]int {
	rows := map[int][]int{}
	for _, line := range lines {
		if m := rowForm.Regexp().FindStringSubmatchIndex(line.Text); m != nil {
			rows[line.Number] = m
		}
	}
	return rows
}

// tabled reads the four columns without a heading. A location of no known shape
// is one where the descriptions of the other rows begin further right.
func tabled(rows map[int][]int) func(parse.Line) (Device, bool) {
	starts := map[int]int{} // of what follows the status
	for _, m := range rows {
		starts[m[6]]++
	}
	return func(line parse.Line) (d Device, ok bool) {
		m := rows[line.Number]
		if m == nil {
			return d, false
		}
		part := func(i int) string { return line.Text[m[2*i]:m[2*i+1]] }
		d.Name, d.Status, d.Description = part(1), part(2), part(3)
		first, rest, more := strings.Cut(d.Description, " ")
		rest = strings.TrimLeft(rest, " \t")
		column := m[6] + len(d.Description) - len(rest) // where the next word begins
		switch {
		case !more:
		case physForm.MatchString(first):
			d.PhysLoc, d.Description = first, rest
		case placeForm.MatchString(first), starts[column] > 0 && column > m[6] && strings.ContainsAny(first, "0123456789"):
			d.Location, d.Description = first, rest
		}
		return d, true
	}
}

// guessed finds the columns of -F from the separator that every line has and
// what the columns hold; nil if there is none.
func (l *List) guessed(lines []parse.Line) func(parse.Line) (Device, bool) {
	if len(lines) == 0 {
		return nil
	}
	for _, sep := range []string{":", ";", "|", "!"} {
		n := len(lines[0].Text)
		for _, line := range lines {
			n = min(n, strings.Count(line.Text, sep))
		}
		if n == 0 || n > len(known) {
			continue
		}
		values := make([][]string, n+1)
		for _, line := range lines {
			for k, v := range strings.SplitN(line.Text, sep, n+1) {
				values[k] = append(values[k], strings.TrimSpace(v))
			}
		}
		if share(values[0], nameForm.MatchString) < 1 {
			continue
		}
		f := table.Fields{Names: []string{"name"}, Seps: []string{sep}}
		for k := 1; k <= n; k++ {
			f.Names, f.Seps = append(f.Names, l.guess(f, values, k)), append(f.Seps, sep)
		}
		f.Seps[n] = ""
		l.Form = Form{Kind: Fields, Fields: f}
		return split(f, n)
	}
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = line.Text
	}
	numbered := func(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }
	if share(names, nameForm.MatchString) < 1 || share(names, numbered) < 0.5 {
		return nil
	}
	l.Form = F("name")
	return func(line parse.Line) (Device, bool) { return Device{Name: line.Text}, true }
}

// guess names a column by what most of its values are.
func (l *List) guess(f table.Fields, values [][]string, k int) string {
	name, c := "", values[k]
	empty := share(c, func(s string) bool { return s == "" })
	orEmpty := func(form *parse.Pattern) float64 {
		return share(c, func(s string) bool { return s == "" || form.MatchString(s) })
	}
	text := func(s string) bool {
		return strings.Contains(s, " ") || s != "" && s[0] >= 'A' && s[0] <= 'Z' && !strings.Contains(s, ",")
	}
	switch {
	case share(c, statusForm.MatchString) > 0.5:
		name = "status"
	case empty < 1 && orEmpty(placeForm) > 0.5:
		name = "location"
	case empty < 1 && orEmpty(physForm) > 0.5:
		name = "physloc"
	case k == len(values)-1 && share(c, text) > 0:
		name = "description"
	}
	if name == "" || slices.Contains(f.Names, name) {
		name = fmt.Sprintf("column%d", k+1)
		l.Warn(0, "what "+name+" holds is not known without a heading")
	}
	return name
}

// share is how many of the values are of a form, 0 to 1.
func share(values []string, form func(string) bool) float64 {
	n := 0
	for _, v := range values {
		if form(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
