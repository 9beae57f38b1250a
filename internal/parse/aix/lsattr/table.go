package lsattr

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// cells is a candidate row: the words whose places are certain.
type cells struct {
	lead     int    // blanks before the name
	name     string // first word
	named    bool   // which can be a name
	text     string // the line from the name on, up to the end of the description
	at       int    // where the text after the name starts, in text; len(text) if nothing does
	settable Settable
	end      int // where the settable column starts, in the line from the name on
	tabbed   bool
}

// nameForm holds what a word must be to be an attribute's name.
var nameForm = parse.Lazy(`^[A-Za-z_][\w.#-]*$`)

func cutLine(line string) cells {
	body := strings.TrimLeft(line, " \t")
	c := cells{lead: len(line) - len(body), tabbed: strings.Contains(line, "\t"), text: strings.TrimRight(body, " \t")}
	if last := strings.LastIndexAny(c.text, " \t"); last >= 0 {
		switch word := Settable(c.text[last+1:]); word {
		case True, TruePlus, False:
			c.settable, c.end = word, last+1
			c.text = strings.TrimRight(c.text[:last], " \t")
		}
	}
	n := strings.IndexAny(c.text, " \t")
	if n < 0 {
		n = len(c.text)
	}
	c.name = c.text[:n]
	c.named = nameForm.MatchString(c.name)
	c.at = len(c.text) - len(strings.TrimLeft(c.text[n:], " \t"))
	return c
}

// columns are the starts of the value, description and settable columns
// within a row's text. A zero says that the rows do not show it.
type columns struct{ value, description, settable int }

// readTable reads the four columns of -E and -D.
func (r *reader) readTable() {
	leads, whole := map[int]int{}, 0
	for i := range r.cut {
		if c := &r.cut[i]; c.named && c.settable != "" {
			whole++
			leads[c.lead]++
		}
	}
	lead := 0 // of most rows
	for k, n := range leads {
		if n > leads[lead] || n == leads[lead] && k < lead {
			lead = k
		}
	}
	var sample []*cells
	for i := range r.cut {
		if c := &r.cut[i]; c.named && c.lead == lead && (c.settable != "" || whole == 0) {
			sample = append(sample, c)
		}
	}
	cols, found := r.headingColumns()
	if !found {
		cols, found = findColumns(sample)
	}
	for i, line := range r.lines {
		c := &r.cut[i]
		if !c.named || c.lead != lead || c.settable == "" && !(found && c.fits(cols.value, cols.description)) && !(whole == 0 && c.plain()) {
			r.list.NotUnderstood(line)
			continue
		}
		r.list.Attributes = append(r.list.Attributes, r.row(line, c, cols))
	}
}

// headingColumns are the columns that the heading names.
func (r *reader) headingColumns() (columns, bool) {
	if r.heading == nil {
		return columns{}, false
	}
	h := r.heading.Text
	second := strings.Fields(h)[1]
	start := func(column string) int { return strings.Index(h, " "+column) + 1 }
	c := columns{value: start(second), description: start("description"), settable: start("user_settable")}
	if c.description-c.value <= len(second)+1 && c.settable-c.description <= len("description")+1 && c.value <= len("attribute")+1 {
		return columns{}, false // one blank each: collapsed, or it says nothing
	}
	return c, true
}

// twoRows finds the settable column of one row before the name of the next.
var twoRows = parse.Lazy(` (?:True\+?|False)[a-z]\w*[ \t]+\S`)

// row makes an attribute of a line.
func (r *reader) row(line parse.Line, c *cells, cols columns) Attribute {
	a := Attribute{Name: c.name, Settable: c.settable, Line: line.Number}
	value, description, known := cols.split(c)
	if known && (strings.Contains(value, "\ufffd") || twoRows.MatchString(description)) {
		known = false // a byte of the value is lost, or a line's end
	}
	if known {
		a.Value, a.Description = &value, description
	} else {
		a.Unsplit = c.text[c.at:]
		r.list.Warn(line.Number, fmt.Sprintf("%s: value and description cannot be separated: %q", a.Name, a.Unsplit))
	}
	if c.settable == "" {
		r.list.Warn(line.Number, a.Name+": the user_settable column is missing")
	}
	return a
}

// aligned reports whether the lines form a table that lost its last column.
func (r *reader) aligned() bool {
	var rows []*cells
	plain := true
	for i := range r.cut {
		c := &r.cut[i]
		if c.named && c.at < len(c.text) && c.lead == 0 {
			rows = append(rows, c)
		}
		plain = plain && c.named && c.plain()
	}
	_, ok := findColumns(rows)
	return ok || plain && len(rows) > 0
}

const (
	sampled = 200 // rows that decide the columns; a device has fewer than a hundred
	widest  = 400 // how far right of the value a description is looked for
)

// findColumns finds the columns that most rows agree on. ok is false if they
// do not show: one row only, or blanks that were collapsed.
func findColumns(rows []*cells) (columns, bool) {
	rows = rows[:min(len(rows), sampled)]
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
			if n > most || n == most && (v < best.value || v == best.value && d < best.description) {
				best, most = columns{value: v, description: d}, n
			}
		}
	}
	if most < 2 || most*3 < len(rows)*2 || !best.proved(rows) {
		return columns{}, false
	}
	ends := map[int]int{}
	for _, r := range rows {
		if r.settable != "" {
			ends[r.end]++
			if ends[r.end]*2 > len(rows) {
				best.settable = r.end
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

// descriptionStarts lists the columns right of v at which words of the first
// rows start.
func descriptionStarts(rows []*cells, v int) []int {
	seen := map[int]bool{}
	for _, r := range rows[:min(len(rows), 8)] {
		for i := v + 1; i < min(len(r.text), v+widest); i++ {
			if r.text[i] != ' ' && r.text[i-1] == ' ' {
				seen[i] = true
			}
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// fits reports whether a row has its value, if any, and its description there.
func (r *cells) fits(v, d int) bool {
	if len(r.name) >= v || r.tabbed {
		return false
	}
	return r.at == d || r.at == v && d < len(r.text) && r.text[d-1] == ' ' && r.text[d] != ' '
}

// proved distinguishes two aligned columns from a coincidence: rows whose second column is
// empty, or padding after some value, or words that are values by their shape.
// Without any, what looks like a value may be the first word of descriptions
// that all stand under an empty value column.
func (c columns) proved(rows []*cells) bool {
	values, like := 0, 0
	for _, r := range rows {
		if !r.fits(c.value, c.description) {
			continue
		}
		if r.at == c.description {
			return true
		}
		value := strings.TrimRight(r.text[c.value:c.description], " ")
		if len(value) < c.description-c.value-1 {
			return true
		}
		values++
		if valueLike(value) {
			like++
		}
	}
	return like*2 >= values
}

// split cuts the text after the name into value and description; known is false
// if they cannot be separated.
func (c columns) split(r *cells) (value, description string, known bool) {
	straight := c.settable == 0 || r.settable == "" || c.settable == r.end
	switch {
	case c.description == 0 || r.tabbed || r.at >= len(r.text):
	case r.at == c.description && (straight || len(r.name) < c.value-1):
		return "", r.text[r.at:], true
	case r.at == c.value && r.fits(c.value, c.description):
		if v := strings.TrimRight(r.text[r.at:c.description], " "); straight || !strings.Contains(v, " ") {
			return v, r.text[c.description:], true
		}
	case r.at == c.value:
		word, rest, more := strings.Cut(r.text[r.at:], " ")
		if more && r.at+len(word) >= c.description-1 {
			return word, strings.TrimLeft(rest, " "), true // a value longer than its column
		}
	}
	return r.splitByWords()
}

// splitByWords decides on one row alone.
func (r *cells) splitByWords() (value, description string, known bool) {
	if parts := strings.Split(r.text, "\t"); len(parts) == 3 {
		return strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2]), true
	}
	rest := r.text[r.at:]
	word, after := rest, ""
	if n := strings.IndexAny(rest, " \t"); n >= 0 {
		word, after = rest[:n], rest[n:]
	}
	description = strings.TrimLeft(after, " \t")
	wide := len(after)-len(description) > 1
	switch {
	case word == "" || description == "":
	case valueLike(word), wide && r.at > len(r.name) && !strings.Contains(description, "  "):
		return word, description, true
	case r.at-len(r.name) > 1 && startsText(word):
		return "", rest, true
	}
	return "", "", false
}

// plain reports whether a row that lost its settable column is one by its words
// alone: a name, a value by its shape, a description, and padding between them.
func (r *cells) plain() bool {
	value, description, _ := r.splitByWords()
	if value == "" || !valueLike(value) || r.lead > 0 || r.name[0] < 'a' || r.name[0] > 'z' {
		return false
	}
	first, _, _ := strings.Cut(description, " ")
	return startsText(first) && strings.Contains(r.text[:len(r.text)-len(description)], "  ")
}
