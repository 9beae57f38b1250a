package lsdev

import (
	"strings"
)

// sampled is how many lines are taken for rows before they are read.
const sampled = 256

// columns are the starts of the columns of a table; zero if not seen.
type columns struct{ status, location, description int }

func (r *reader) readTable() {
	list := r.list
	rows := make([]words, len(r.lines))
	for i, m := range r.cut {
		if !r.skip[i] && i != r.head && m != nil && (isStatus(m[4]) || r.underHeading(m)) {
			rows[i] = m
		}
	}
	c := r.findColumns(rows)
	for i, m := range r.cut { // a status that is no known word, in the column of the others
		if m != nil && !r.skip[i] && i != r.head && c.description > 0 &&
			len(m[1])+len(m[2])+len(m[3]) == c.status && isName(m[2]) && m[6] != "" {
			rows[i] = m
		}
	}
	if c.status > 0 {
		list.widths[0], list.widths[1] = c.status-1, c.description-c.status-1
		if list.Form.Kind == Table {
			list.widths[1], list.widths[2] = c.location-c.status-1, c.description-c.location-1
		}
	}
	list.Devices = make([]Device, 0, min(len(r.lines), sampled))
	for i := range r.lines {
		m := rows[i]
		switch {
		case i == r.head:
			list.headLine = r.raw[i]
			list.layout.Row()
		case m == nil:
			r.other(i)
		default:
			list.Devices = append(list.Devices, r.row(i, m, c))
			list.layout.Row()
		}
	}
}

// underHeading takes a status that is no known word where the heading shows
// that it stands in the status column.
func (r *reader) underHeading(m words) bool {
	if r.head < 0 {
		return false
	}
	h := r.lines[r.head]
	return len(m[1])+len(m[2])+len(m[3]) == strings.Index(h, " status")+1 && m[6] != "" &&
		isName(m[2])
}

// findColumns takes the columns from the heading, or from rows with a location.
func (r *reader) findColumns(rows []words) (c columns) {
	if r.head >= 0 {
		h := r.lines[r.head]
		c.status = strings.Index(h, " status") + 1
		c.location = strings.Index(h, " location") + 1
		c.description = strings.Index(h, " description") + 1
		return c
	}
	starts, locations, texts := map[int]int{}, map[int]int{}, map[int]int{}
	for _, m := range rows {
		if m == nil {
			continue
		}
		status := len(m[1]) + len(m[2]) + len(m[3])
		at := status + len(m[4]) + len(m[5])
		starts[status]++
		word, after, _ := strings.Cut(m[6], " ")
		if !isLocation(word) {
			texts[at]++
			continue
		}
		locations[at]++
		text := strings.TrimLeft(after, " ")
		texts[at+len(m[6])-len(text)]++
	}
	c.status, c.location, c.description = most(starts), most(locations), most(texts)
	if c.location == 0 && c.status > 0 && c.description > 0 {
		c.location = c.description - 1 // an empty column between two blanks
	}
	if c.status == 0 || c.location <= c.status || c.description <= c.location {
		return columns{}
	}
	return c
}

func most(counts map[int]int) int {
	best := 0
	for k, n := range counts {
		if n > counts[best] || n == counts[best] && k < best {
			best = k
		}
	}
	return best
}

// row makes a device of a line.
func (r *reader) row(i int, m words, c columns) Device {
	d := Device{Name: m[2], Status: m[4], Line: i + 1}
	p := &r.places.Take(1)[0]
	*p = placing{lead: m[1], g1: m[3], g2: m[5], tail: m[7], paint: r.paint[i]}
	text := m[6]
	at := len(m[1]) + len(m[2]) + len(m[3]) + len(m[4]) + len(m[5])
	word := text
	if n := strings.IndexAny(text, " \t"); n >= 0 {
		word = text[:n]
	}
	inColumn := c.description > 0 && at == c.location && at+len(text) > c.description &&
		r.lines[i][c.description-1] == ' ' && r.lines[i][c.description] != ' ' && !strings.Contains(strings.TrimSpace(r.lines[i][at:c.description]), " ")
	if r.list.Form.Kind == Table && word != "" && word != text && (isLocation(word) || inColumn && c.location < c.description-1) {
		d.Location = word
		after := text[len(word):]
		text = strings.TrimLeft(after, " \t")
		p.g3 = after[:len(after)-len(text)]
	}
	d.Description = text
	d.place = p
	w := r.list.widths
	fits := c.status > 0 && len(d.Name) <= w[0] && len(d.Status) <= w[1] && len(d.Location) <= w[2]
	p.own = !fits || r.list.straight(&d, w) != r.lines[i]
	return d
}

// readFields reads the columns of -F.
func (r *reader) readFields() {
	list := r.list
	spec := list.Form.Fields
	give := spec.Index("description")
	if give < 0 {
		give = len(spec.Names) - 1
	}
	list.Devices = make([]Device, 0, min(len(r.lines), sampled))
	aligned := spec.Aligned()
	var values []string
	var printed []byte
	for i, l := range r.lines {
		if i == r.head {
			list.headLine = r.raw[i]
			list.layout.Row()
			continue
		}
		line := strings.TrimRight(l, "\r")
		ok := true
		switch {
		case r.skip[i] || strings.TrimSpace(l) == "":
			ok = false
		case aligned:
			values, ok = splitAligned(line, len(spec.Names), give == len(spec.Names)-1)
		default:
			values, ok = spec.AppendSplit(values, line, give)
		}
		if n := spec.Index("name"); ok && n >= 0 && !isName(values[n]) {
			ok = false
		}
		if !ok {
			r.other(i)
			continue
		}
		d := Device{Line: i + 1, place: &r.places.Take(1)[0]}
		for k, v := range values {
			d.setColumn(spec.Names[k], v)
		}
		d.place.read, d.place.paint = l, r.paint[i]
		printed = spec.Append(printed[:0], list.appendValues(values[:0], &d), nil)
		if d.place.words = l; string(printed) != l { // its padding aside
			d.place.words = string(printed)
		}
		list.Devices = append(list.Devices, d)
		list.layout.Row()
	}
}

// splitAligned cuts a line at runs of blanks; only the last column may hold
// single blanks of its own, and no column may be empty.
func splitAligned(line string, n int, textLast bool) ([]string, bool) {
	values := make([]string, 0, n)
	rest := strings.TrimSpace(line)
	for len(values) < n-1 {
		k := strings.IndexAny(rest, " \t")
		if k < 0 {
			return nil, false
		}
		values = append(values, rest[:k])
		rest = strings.TrimLeft(rest[k:], " \t")
	}
	return append(values, rest), textLast || !strings.Contains(rest, " ")
}
