package lsattr

import (
	"sort"
	"strings"

	"seaworthy/dialect"
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

var (
	nameShape = dialect.Lazy(`^[A-Za-z_][\w.#-]*$`)
	rowEnd    = dialect.Lazy(`([ \t]+)(True\+?|False)([ \t\r]*)$`)
)

// cut makes cells of a line; whole says that a settable column ended it.
func cut(line string) (c cells, whole, ok bool) {
	body := line
	if m := rowEnd.Regexp().FindStringSubmatchIndex(line); m != nil {
		body, c.gap, c.settable, c.tail = line[:m[0]], line[m[2]:m[3]], Settable(line[m[4]:m[5]]), line[m[6]:]
		whole = true
	} else {
		body = strings.TrimRight(line, " \t\r")
		c.tail = line[len(body):]
	}
	c.text = strings.TrimLeft(body, " \t")
	c.lead = len(body) - len(c.text)
	n := strings.IndexAny(c.text, " \t")
	if n < 0 {
		n = len(c.text)
	}
	c.name = c.text[:n]
	c.at = len(c.text) - len(strings.TrimLeft(c.text[n:], " \t"))
	c.tabbed = strings.Contains(line, "\t")
	return c, whole, nameShape.MatchString(c.name)
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
	values, padded, like := 0, 0, 0
	for _, r := range rows {
		if !r.fits(c.value, c.description) {
			continue
		}
		if r.at == c.description {
			return true
		}
		values++
		v := strings.TrimRight(r.text[c.value:c.description], " ")
		if len(v) < c.description-c.value-1 {
			padded++
		}
		if valueLike(v) {
			like++
		}
	}
	return padded > 0 || like*2 >= values
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
