package lsattr

import (
	"sort"
	"strings"
)

// cells is a candidate row: the words whose places are certain.
type cells struct {
	lead     int    // blanks before the name
	name     string // first word
	text     string // the line from the name on, up to the end of the description
	at       int    // where the text after the name starts, in text; len(text) if nothing does
	gap      string // between description and settable column
	settable Settable
	tail     string
	tabbed   bool
}

// nameLike tells whether a word can be an attribute's name.
func nameLike(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c == '_', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '#' || c == '-'):
		default:
			return false
		}
	}
	return word != ""
}

// rowEnd finds the settable column at the end of a line: where the blanks
// before it start, and what stands there; start is -1 if nothing does.
func rowEnd(line string) (start int, settable Settable, tail string) {
	body := trimEnd(line)
	for _, s := range []Settable{True, False, TruePlus} {
		if before, ok := strings.CutSuffix(body, string(s)); ok {
			start = len(before)
			for start > 0 && (before[start-1] == ' ' || before[start-1] == '\t') {
				start--
			}
			if start == len(before) {
				break
			}
			return start, s, line[len(body):]
		}
	}
	return -1, "", ""
}

// trimEnd drops blanks and carriage returns at the end.
func trimEnd(s string) string {
	n := len(s)
	for n > 0 && (s[n-1] == ' ' || s[n-1] == '\t' || s[n-1] == '\r') {
		n--
	}
	return s[:n]
}

// trimStart drops blanks at the start.
func trimStart(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[n:]
}

// cut makes cells of a line; whole says that a settable column ended it.
func cut(line string) (c cells, whole, ok bool) {
	var body string
	if start, settable, tail := rowEnd(line); start >= 0 {
		body, c.settable, c.tail = line[:start], settable, tail
		c.gap = line[start : len(line)-len(tail)-len(settable)]
		whole = true
	} else {
		body = trimEnd(line)
		c.tail = line[len(body):]
	}
	c.text = trimStart(body)
	c.lead = len(body) - len(c.text)
	n := 0
	for n < len(c.text) && c.text[n] != ' ' && c.text[n] != '\t' {
		n++
	}
	c.name = c.text[:n]
	c.at = len(c.text) - len(trimStart(c.text[n:]))
	c.tabbed = strings.IndexByte(line, '\t') >= 0
	return c, whole, nameLike(c.name)
}

// columns are the starts of the value, description and settable columns
// within a row's text. A zero says that the rows do not show it.
type columns struct{ value, description, settable int }

const sampled = 2000 // rows that decide the columns; a device has fewer than a hundred

// findColumns finds the columns that most rows agree on. ok is false if they
// do not show: one row only, or blanks that were collapsed.
func findColumns(rows []cells) (columns, bool) {
	if len(rows) > sampled {
		rows = rows[:sampled]
	}
	starts := map[int]int{}
	for _, r := range rows {
		if r.at < len(r.text) {
			starts[r.at]++
		}
	}
	var order []int
	for s := range starts {
		order = append(order, s)
	}
	sort.Slice(order, func(i, j int) bool {
		if starts[order[i]] != starts[order[j]] {
			return starts[order[i]] > starts[order[j]]
		}
		return order[i] < order[j]
	})
	order = order[:min(len(order), 4)]
	var best columns
	most := 0
	for _, v := range order {
		for _, d := range descriptionStarts(rows, v) {
			n := 0
			for _, r := range rows {
				if r.fits(v, d) {
					n++
				}
			}
			c := columns{value: v, description: d}
			if n > most || n == most && (v < best.value || v == best.value && d < best.description) {
				best, most = c, n
			}
		}
	}
	if len(rows) < 2 || most*3 < len(rows)*2 || most < 2 {
		return columns{}, false
	}
	if !best.proved(rows) {
		return columns{}, false
	}
	ends := map[int]int{}
	for _, r := range rows {
		if r.settable != "" {
			s := len(r.text) + len(r.gap)
			if ends[s]++; ends[s]*2 > len(rows) {
				best.settable = s
			}
		}
	}
	return best, true
}

// descriptionStarts lists the columns right of v at which words of the first
// rows start.
func descriptionStarts(rows []cells, v int) []int {
	seen := map[int]bool{}
	var list []int
	for _, r := range rows[:min(len(rows), 8)] {
		for i := v + 1; i < len(r.text) && i < v+400; i++ {
			if r.text[i] != ' ' && r.text[i-1] == ' ' && !seen[i] {
				seen[i] = true
				list = append(list, i)
			}
		}
	}
	return list
}

// fits tells whether a row has its value, if any, and its description there.
func (r cells) fits(v, d int) bool {
	if len(r.name) >= v || r.tabbed {
		return false
	}
	if r.at == d {
		return true
	}
	return r.at == v && d < len(r.text) && r.text[d-1] == ' ' && r.text[d] != ' '
}

// proved tells two aligned columns from a chance: rows whose second column is
// empty, or padding after some value, or words that are values by their shape.
// Without any, what looks like a value may be the first word of descriptions
// that all stand under an empty value column.
func (c columns) proved(rows []cells) bool {
	values, padded := 0, false
	for _, r := range rows {
		if !r.fits(c.value, c.description) {
			continue
		}
		if r.at == c.description {
			return true
		}
		values++
		padded = padded || len(r.valueAt(c)) < c.description-c.value-1
	}
	if padded {
		return true
	}
	like := 0
	for _, r := range rows {
		if r.fits(c.value, c.description) && valueLike(r.valueAt(c)) {
			like++
		}
	}
	return like*2 >= values
}

func (r cells) valueAt(c columns) string {
	return strings.TrimRight(r.text[c.value:c.description], " ")
}

// tell cuts the text after the name into value and description. It gives nil
// if it cannot tell them apart.
func (c columns) tell(r cells) (value *string, description string) {
	if c.description == 0 || r.tabbed {
		return r.tellByWords()
	}
	if r.at >= len(r.text) {
		empty := ""
		if c.settable == 0 || c.settable != len(r.text)+len(r.gap) {
			return nil, ""
		}
		return &empty, "" // neither value nor description under known columns
	}
	straight := c.settable == 0 || r.settable == "" || c.settable == len(r.text)+len(r.gap)
	switch {
	case r.at == c.description && (straight || len(r.name) < c.value-1):
		empty := ""
		return &empty, r.text[r.at:]
	case r.at != c.value:
		return r.tellByWords()
	case len(r.text) <= c.description:
		if straight && len(r.text) < c.description-1 {
			v := r.text[r.at:] // a value without description
			return &v, ""
		}
		return r.tellByWords()
	case r.fits(c.value, c.description):
		v := strings.TrimRight(r.text[r.at:c.description], " ")
		if !straight && strings.Contains(v, " ") {
			return r.tellByWords()
		}
		return &v, r.text[c.description:]
	}
	end := strings.IndexAny(r.text[r.at:], " ")
	if end < 0 || r.at+end < c.description-1 {
		return r.tellByWords()
	}
	v := r.text[r.at : r.at+end] // longer than its column
	return &v, strings.TrimLeft(r.text[r.at+end:], " ")
}

// tellByWords decides on one row alone.
func (r cells) tellByWords() (*string, string) {
	rest := r.text[r.at:]
	if strings.Contains(r.text, "\t") {
		if parts := strings.Split(r.text, "\t"); len(parts) == 3 {
			v := strings.TrimSpace(parts[1])
			return &v, strings.TrimSpace(parts[2])
		}
	}
	word, after := rest, ""
	if n := strings.IndexAny(rest, " \t"); n >= 0 {
		word, after = rest[:n], rest[n:]
	}
	description := strings.TrimLeft(after, " \t")
	wide := len(after)-len(description) > 1
	switch {
	case word == "" || description == "":
		return nil, ""
	case valueLike(word), wide && r.at-len(r.name) >= 1 && !strings.Contains(description, "  "):
		return &word, description
	case strings.HasPrefix(word, "{"):
		if n := strings.Index(rest, "}"); n > 0 && strings.HasPrefix(rest[n+1:], " ") {
			v := rest[:n+1]
			return &v, strings.TrimLeft(rest[n+1:], " \t")
		}
	case r.at-len(r.name) > 1 && startsText(word):
		empty := ""
		return &empty, rest
	}
	return nil, ""
}

// plain tells whether a row that lost its settable column is one by its words
// alone: a name, a value by its shape, a description, and padding between them.
func (r cells) plain() bool {
	v, description := r.tellByWords()
	if v == nil || *v == "" || !valueLike(*v) || r.lead > 0 || r.name[0] < 'a' || r.name[0] > 'z' {
		return false
	}
	first, _, _ := strings.Cut(description, " ")
	return startsText(first) && strings.Contains(r.text[:len(r.text)-len(description)], "  ")
}
