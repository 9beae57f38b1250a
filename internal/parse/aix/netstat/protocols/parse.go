package protocols

import (
	"strings"

	"seaworthy/internal/parse"
)

var (
	protocolForm = parse.Lazy(`^([A-Za-z][a-z0-9_/-]*)\s*:$`)
	leadingForm  = parse.Lazy(`^(-?\d+)(\s+\S.*)$`)                  // 12 packets sent
	trailingForm = parse.Lazy(`^(\D.*\S\s*:\s*)(-?\d+)$`)            // echo reply: 95
	timesForm    = parse.Lazy(`^([A-Za-z].*\s)(\d+)(\s+times\b.*)$`) // Detected reordering 6 times using SACK
	headingForm  = parse.Lazy(`^[A-Za-z].*\S\s*:$`)                  // Output histogram:
	brackets     = parse.Lazy(`\([^()]*\)`)
	// counterWords mark a counter's line that grep cut out of its protocol.
	counterWords = parse.Lazy(`\b(?:packet|segment|datagram|byte|fragment|ack|connection|large ?send|timeout|checksum)`)
	inside       = parse.Lazy(`(^\(|\s)-?\d+(\s|\)$)`)
)

// Parse reads netstat -s or -p output, or lines of it. Errors:
// parse.ErrNotRecognised if no counter is found.
func Parse(text []byte) (*Statistics, error) {
	t := tree{Statistics: &Statistics{}, base: -1}
	t.Read(text, func(l parse.Line) bool {
		body := strings.TrimSpace(l.Text)
		return t.protocol(parse.Indent(l.Text), body) || t.entry(l, parse.Indent(l.Text), body)
	})
	return parse.Recognised(t.Statistics, t.counted)
}

// tree is the place in the tree where the next line goes.
type tree struct {
	*Statistics
	open    []*Entry // the entries above, outermost first
	indent  []int    // their indentation
	base    int      // indentation of the protocols' names; -1: none was read
	counted bool
}

func (t *tree) protocol(indent int, body string) bool {
	m := protocolForm.FindStringSubmatch(body)
	if m == nil || t.base >= 0 && indent != t.base {
		return false
	}
	t.base = indent // a whole output may be indented in a page
	t.Protocols = append(t.Protocols, &Protocol{Name: strings.ToLower(m[1])})
	t.open, t.indent = nil, nil
	return true
}

func (t *tree) entry(l parse.Line, indent int, body string) bool {
	e := &Entry{}
	if strings.Contains(body, "#") {
		return false
	}
	if !e.read(body) {
		return false
	}
	if len(t.Protocols) == 0 {
		if len(e.Values) == 0 || indent == 0 && !counterWords.MatchString(body) {
			return false
		}
		t.Protocols = append(t.Protocols, &Protocol{})
	}
	for _, n := range e.Values {
		t.counted = true
		if n.Minus {
			t.Warn(l.Number, "a counter below zero passed its width: "+body)
		}
	}
	n := len(t.open)
	for n > 0 && t.indent[n-1] >= indent {
		n--
	}
	if n == 0 {
		p := t.Protocols[len(t.Protocols)-1]
		p.Entries = append(p.Entries, e)
	} else {
		t.open[n-1].Children = append(t.open[n-1].Children, e)
	}
	t.open, t.indent = append(t.open[:n], e), append(t.indent[:n], indent)
	return true
}

// read takes a line's numbers out of its text: the leading, the trailing or that
// of times, and whole words inside brackets. "less than 4 segments" is wording.
func (e *Entry) read(body string) bool {
	ok := true
	if m := leadingForm.FindStringSubmatch(body); m != nil {
		ok = e.number(m[1])
		e.Text = "#" + brackets.Regexp().ReplaceAllStringFunc(m[2], func(b string) string {
			return inside.Regexp().ReplaceAllStringFunc(b, func(w string) string {
				digits := strings.Trim(w, "() \t\f\r\n\v")
				ok = e.number(digits) && ok
				return strings.Replace(w, digits, "#", 1)
			})
		})
		return ok
	}
	if m := trailingForm.FindStringSubmatch(body); m != nil {
		e.Text = m[1] + "#"
		return e.number(m[2])
	}
	if m := timesForm.FindStringSubmatch(body); m != nil {
		e.Text = m[1] + "#" + m[3]
		return e.number(m[2])
	}
	e.Text = body
	return headingForm.MatchString(body)
}

func (e *Entry) number(text string) bool {
	digits, minus := strings.CutPrefix(text, "-")
	n, ok := parse.Count(digits)
	e.Values = append(e.Values, Number{N: n, Minus: minus})
	return ok && !(minus && n == 0)
}
