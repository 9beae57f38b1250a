package protocols

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var (
	protocol = dialect.Lazy(`^([a-z][a-z0-9_/-]*)(\s*:)$`)
	leading  = dialect.Lazy(`^-?\d+\s+\S`)
	trailing = dialect.Lazy(`^\D.*\S\s*:\s*-?\d+$`)
	heading  = dialect.Lazy(`^[A-Za-z].*\S\s*:$`)
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
	counted bool
}

func (t *tree) protocol(r *layout.Reader, lead, body, tail string) bool {
	m := protocol.FindStringSubmatch(body)
	if m == nil || (t.base != nil && width(lead) != *t.base) {
		return false
	}
	if t.base == nil { // a whole output may stand indented in a page
		base := width(lead)
		t.base = &base
	}
	t.s.Protocols = append(t.s.Protocols, &Protocol{Name: m[1],
		Layout: Layout{Old: true, Before: r.Held(), Lead: lead, Tail: tail, colon: m[2]}})
	t.open, t.indent = nil, nil
	return true
}

func (t *tree) entry(r *layout.Reader, lead, body, tail string) bool {
	e := &Entry{Layout: Layout{Old: true, Lead: lead, Tail: tail}}
	if strings.Contains(body, "#") || !e.read(body) {
		return false
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

// read takes a line's numbers out of its text: the leading or trailing one,
// and whole words inside brackets. "less than 4 segments" is wording.
func (e *Entry) read(body string) bool {
	switch {
	case leading.MatchString(body):
		end := strings.IndexFunc(body, func(r rune) bool { return r != '-' && (r < '0' || r > '9') })
		rest := body[end:]
		if !e.number(body[:end]) {
			return false
		}
		ok := true
		e.Text = "#" + brackets.Regexp().ReplaceAllStringFunc(rest, func(b string) string {
			return inside.Regexp().ReplaceAllStringFunc(b, func(w string) string {
				digits := strings.Trim(w, "() \t\f\r\n\v")
				ok = e.number(digits) && ok
				return strings.Replace(w, digits, "#", 1)
			})
		})
		return ok
	case trailing.MatchString(body):
		at := strings.LastIndexFunc(body, func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) + 1
		e.Text = body[:at] + "#"
		return e.number(body[at:])
	case heading.MatchString(body):
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
