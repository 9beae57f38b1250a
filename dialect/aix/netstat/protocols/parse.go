package protocols

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var (
	brackets = dialect.Lazy(`\([^()]*\)`)
	inside   = dialect.Lazy(`(^\(|\s)-?\d+(\s|\)$)`)
)

// Parse reads netstat -s or -p output, or lines of it. Errors:
// dialect.ErrNotRecognised if no counter is found.
func Parse(text []byte) (*Statistics, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	s := &Statistics{}
	r := layout.NewReader(text, &s.Report)
	t := tree{s: s}
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(line)
		switch {
		case body == "":
			r.Keep()
		case t.protocol(r, lead, body, tail):
		case t.entry(r, lead, body, tail):
		default:
			r.Unread()
		}
	}
	s.Layout = r.Sheet()
	if !t.counted {
		return nil, dialect.ErrNotRecognised
	}
	return s, nil
}

// tree is the place in the tree where the next line goes.
type tree struct {
	s       *Statistics
	open    []*Entry // the entries above, outermost first
	indent  []int    // their indentation
	base    *int     // indentation of the protocols' names
	entries layout.Room[Entry]
	numbers layout.Room[Number]
	counted bool
}

func (t *tree) protocol(r *layout.Reader, lead, body, tail string) bool {
	name, colon, ok := cutProtocol(body)
	if !ok || (t.base != nil && width(lead) != *t.base) {
		return false
	}
	if t.base == nil { // a whole output may stand indented in a page
		base := width(lead)
		t.base = &base
	}
	t.s.Protocols = append(t.s.Protocols, &Protocol{Name: name,
		Layout: Layout{Old: true, Before: r.Held(), Lead: lead, Tail: tail, colon: colon}})
	t.open, t.indent = nil, nil
	return true
}

func (t *tree) entry(r *layout.Reader, lead, body, tail string) bool {
	if strings.IndexByte(body, '#') >= 0 {
		return false
	}
	e := &t.entries.Take(1)[0]
	e.Layout = Layout{Old: true, Lead: lead, Tail: tail}
	e.Values = t.numbers.Take(1)[:0] // as nearly all have
	if !e.read(body) {
		return false
	}
	if len(e.Values) == 0 {
		e.Values = nil
	}
	if len(t.s.Protocols) == 0 {
		if len(e.Values) == 0 || (width(lead) == 0 && !known(e.Key())) {
			return false
		}
		t.s.Protocols = append(t.s.Protocols, &Protocol{Layout: Layout{Old: true}})
	}
	for _, n := range e.Values {
		t.counted = true
		if n.Minus {
			r.Warn("a counter below zero passed its width: " + body)
		}
	}
	e.Layout.Before = r.Held()
	for len(t.indent) > 0 && t.indent[len(t.indent)-1] >= width(lead) {
		t.open, t.indent = t.open[:len(t.open)-1], t.indent[:len(t.indent)-1]
	}
	if len(t.open) == 0 {
		p := t.s.Protocols[len(t.s.Protocols)-1]
		p.Entries = append(p.Entries, e)
	} else {
		parent := t.open[len(t.open)-1]
		parent.Children = append(parent.Children, e)
	}
	t.open, t.indent = append(t.open, e), append(t.indent, width(lead))
	return true
}

const space = " \t\n\f\r"

// cutProtocol cuts "tcp:", with the colon and the blanks before it.
func cutProtocol(body string) (name, colon string, ok bool) {
	before, ok := strings.CutSuffix(body, ":")
	name = strings.TrimRight(before, space)
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z') && (i == 0 || !(c >= '0' && c <= '9' || c == '_' || c == '/' || c == '-')) {
			return "", "", false
		}
	}
	return name, body[len(name):], ok && name != ""
}

// leads tells a line that begins with its number.
func leads(body string) bool {
	text := strings.TrimPrefix(body, "-")
	rest := strings.TrimLeft(text, "0123456789")
	after := strings.TrimLeft(rest, space)
	return len(rest) < len(text) && len(after) < len(rest) && after != ""
}

// trails tells a line that ends with a colon and its number.
func trails(body string) bool {
	text := strings.TrimRight(body, "0123456789")
	if len(text) == len(body) || text == "" || body[0] >= '0' && body[0] <= '9' {
		return false
	}
	words, ok := strings.CutSuffix(strings.TrimRight(strings.TrimSuffix(text, "-"), space), ":")
	return ok && utf8.RuneCountInString(strings.TrimRight(words, space)) > 1
}

// heads tells a line that names what the lines below count.
func heads(body string) bool {
	words, ok := strings.CutSuffix(body, ":")
	return ok && words != "" && (body[0] >= 'a' && body[0] <= 'z' || body[0] >= 'A' && body[0] <= 'Z') &&
		utf8.RuneCountInString(strings.TrimRight(words, space)) > 1
}

// read takes a line's numbers out of its text: the leading or trailing one,
// and whole words inside brackets. "less than 4 segments" is wording.
func (e *Entry) read(body string) bool {
	switch {
	case leads(body):
		end := strings.IndexFunc(body, func(r rune) bool { return r != '-' && (r < '0' || r > '9') })
		rest := body[end:]
		if !e.number(body[:end]) {
			return false
		}
		ok := true
		if strings.IndexByte(rest, '(') < 0 {
			e.Text = "#" + rest
			return true
		}
		e.Text = "#" + brackets.Regexp().ReplaceAllStringFunc(rest, func(b string) string {
			return inside.Regexp().ReplaceAllStringFunc(b, func(w string) string {
				digits := strings.Trim(w, "() \t\f\r\n\v")
				ok = e.number(digits) && ok
				return strings.Replace(w, digits, "#", 1)
			})
		})
		return ok
	case trails(body):
		at := strings.LastIndexFunc(body, func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) + 1
		e.Text = body[:at] + "#"
		return e.number(body[at:])
	case heads(body):
		e.Text = body
		return true
	}
	return false
}

func (e *Entry) number(text string) bool {
	digits, minus := strings.CutPrefix(text, "-")
	n, ok := layout.Count(digits)
	e.Values = append(e.Values, Number{N: n, Minus: minus})
	return ok && !(minus && n == 0)
}

func (n Number) String() string {
	s := strconv.FormatUint(n.N, 10)
	if n.Minus {
		return "-" + s
	}
	return s
}

// width of an indentation; a TAB reaches to the next multiple of 8.
func width(lead string) int {
	n := 0
	for _, r := range dialect.StripEscapes(lead) {
		if r == '\t' {
			n += 8 - n%8
		} else {
			n++
		}
	}
	return n
}

// known tells whether AIX 7.2 prints a counter of that key.
func known(key string) bool {
	_, ok := canonical()[stem(key)]
	return ok
}
