package lsattr

import (
	"cmp"
	"maps"
	"slices"
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
func findColumns(rows []*cells) (columns, bool) {
	if len(rows) > sampled {
		rows = rows[:sampled]
	}
	var best columns
	most := 0
	for _, v := range commonStarts(rows) {
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

// commonStarts are the columns, four at most, at which the second words of the
// most rows start.
func commonStarts(rows []*cells) []int {
	starts := map[int]int{}
	for _, r := range rows {
		if r.at < len(r.text) {
			starts[r.at]++
		}
	}
	order := slices.Collect(maps.Keys(starts))
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(starts[b], starts[a]), cmp.Compare(a, b)) })
	return order[:min(len(order), 4)]
}

const widest = 400 // how far right of the value a description is looked for

// descriptionStarts lists the columns right of v at which words of the first
// rows start.
func descriptionStarts(rows []*cells, v int) []int {
	var seen [widest]bool
	list := make([]int, 0, 32)
	for _, r := range rows[:min(len(rows), 8)] {
		for i := v + 1; i < len(r.text) && i < v+widest; i++ {
			if r.text[i] != ' ' && r.text[i-1] == ' ' && !seen[i-v] {
				seen[i-v] = true
				list = append(list, i)
			}
		}
	}
	return list
}

// fits tells whether a row has its value, if any, and its description there.
func (r *cells) fits(v, d int) bool {
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
func (c columns) proved(rows []*cells) bool {
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

func (r *cells) valueAt(c columns) string {
	return strings.TrimRight(r.text[c.value:c.description], " ")
}

// told is what a row says: known is false if its value and description cannot
// be told apart.
type told struct {
	value, description string
	known              bool
}

// tell cuts the text after the name into value and description.
func (c columns) tell(r *cells) told {
	if c.description == 0 || r.tabbed {
		return r.tellByWords()
	}
	if r.at >= len(r.text) { // neither value nor description, perhaps under known columns
		return told{known: c.settable != 0 && c.settable == len(r.text)+len(r.gap)}
	}
	straight := c.settable == 0 || r.settable == "" || c.settable == len(r.text)+len(r.gap)
	switch {
	case r.at == c.description && (straight || len(r.name) < c.value-1):
		return told{"", r.text[r.at:], true}
	case r.at != c.value:
		return r.tellByWords()
	case len(r.text) <= c.description:
		if straight && len(r.text) < c.description-1 {
			return told{r.text[r.at:], "", true} // a value without description
		}
		return r.tellByWords()
	case r.fits(c.value, c.description):
		v := strings.TrimRight(r.text[r.at:c.description], " ")
		if !straight && strings.Contains(v, " ") {
			return r.tellByWords()
		}
		return told{v, r.text[c.description:], true}
	}
	end := strings.IndexByte(r.text[r.at:], ' ')
	if end < 0 || r.at+end < c.description-1 {
		return r.tellByWords()
	}
	// A value longer than its column.
	return told{r.text[r.at : r.at+end], strings.TrimLeft(r.text[r.at+end:], " "), true}
}

// tellByWords decides on one row alone.
func (r *cells) tellByWords() told {
	rest := r.text[r.at:]
	if strings.IndexByte(r.text, '\t') >= 0 {
		if parts := strings.Split(r.text, "\t"); len(parts) == 3 {
			return told{strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2]), true}
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
		return told{}
	case valueLike(word), wide && r.at-len(r.name) >= 1 && !strings.Contains(description, "  "):
		return told{word, description, true}
	case strings.HasPrefix(word, "{"):
		if n := strings.Index(rest, "}"); n > 0 && strings.HasPrefix(rest[n+1:], " ") {
			return told{rest[:n+1], strings.TrimLeft(rest[n+1:], " \t"), true}
		}
	case r.at-len(r.name) > 1 && startsText(word):
		return told{"", rest, true}
	}
	return told{}
}

// plain tells whether a row that lost its settable column is one by its words
// alone: a name, a value by its shape, a description, and padding between them.
func (r *cells) plain() bool {
	t := r.tellByWords()
	if t.value == "" || !valueLike(t.value) || r.lead > 0 || r.name[0] < 'a' || r.name[0] > 'z' {
		return false
	}
	first, _, _ := strings.Cut(t.description, " ")
	return startsText(first) && strings.Contains(r.text[:len(r.text)-len(t.description)], "  ")
}
