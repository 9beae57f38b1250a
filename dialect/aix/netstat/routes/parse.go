package routes

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var (
	// "Route Tree for Protocol Family 2 (Internet):" in any language.
	family = dialect.Lazy(`^(.*?\D)(\d+)(\s*\()([^()]+)(\)\s*:?)$`)
)

const zFlag = "Only the root user can specify the Z flag"

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord tells flags: letters and digits.
func isWord(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isLetter(text[i]) && !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

// isUpFlags tells the flags of a route that is up.
func isUpFlags(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isLetter(text[i]) {
			return false
		}
	}
	return text != "" && text[0] == 'U'
}

// isInterface tells letters, then a number; a star marks one that is down.
func isInterface(text string) bool {
	text = strings.TrimSuffix(text, "*")
	n := 0
	for n < len(text) && isLetter(text[n]) {
		n++
	}
	return n > 0 && n < len(text) && strings.Trim(text[n:], "0123456789") == ""
}

// Parse reads a routing table. Errors: dialect.ErrNotRecognised if neither a
// heading nor a family is found.
func Parse(text []byte) (*Table, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := &Table{}
	r := layout.NewReader(text, &t.Report)
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		words, tail, ok := r.Words()
		switch {
		case ok && len(words) == 0:
			r.Keep()
		case strings.Contains(line, zFlag):
			r.Warn("a message inside the table: " + strings.TrimSpace(line))
			r.Keep()
		case ok && t.Columns == nil && t.Families == nil && readHeading(t, r, words, tail):
		case t.Columns == nil && t.Families == nil && isTitle(r):
			r.Keep()
		case readFamily(t, r, line):
		case ok && (len(t.Families) > 0 || t.Columns != nil) && readRoute(t, r, words, tail):
		default:
			r.Unread()
		}
	}
	t.Layout.Sheet = r.Sheet()
	if t.Columns == nil && t.Families == nil {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

// isTitle knows the title by its place: right above the heading.
func isTitle(r *layout.Reader) bool {
	words, _, ok := layout.Words(r.PeekData(1))
	return ok && isHeading(words)
}

func isHeading(words []layout.Word) bool {
	columns := columnsOf(words)
	if fieldsOf(columns) == nil {
		return false
	}
	for _, c := range columns {
		if strings.ContainsAny(c, "0123456789=") {
			return false
		}
	}
	return true
}

func columnsOf(words []layout.Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

func readHeading(t *Table, r *layout.Reader, words []layout.Word, tail string) bool {
	if !isHeading(words) {
		return false
	}
	t.Columns = columnsOf(words)
	t.Layout.fields = fieldsOf(t.Columns)
	t.Layout.Before = r.Held()
	t.Layout.Heading = r.Line(words, tail, nil)
	return true
}

func readFamily(t *Table, r *layout.Reader, line string) bool {
	lead, body, tail := layout.Trim(line)
	if !strings.HasSuffix(strings.TrimSuffix(body, ":"), ")") && !strings.HasSuffix(body, ":") {
		return false // as nearly all lines
	}
	m := family.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	n, ok := layout.Count(m[2])
	if !ok || strings.Contains(m[1], ":") {
		return false
	}
	if t.Layout.fields == nil { // cut out below the heading
		t.Layout.fields = fieldsOf(standard)
	}
	t.Families = append(t.Families, &Family{Number: n, Name: m[4],
		Layout: FamilyLayout{Before: r.Held(), Lead: lead + m[1], Gap: m[3], Trail: m[5] + tail}})
	return true
}

func readRoute(t *Table, r *layout.Reader, words []layout.Word, tail string) bool {
	route := &Route{}
	words, empty := withGateway(t.Layout.fields, words)
	n := len(t.Layout.fields)
	if len(words) == n+1 && words[n].Text == "=>" {
		route.Same = true
	} else if len(words) != n {
		return false
	}
	right := make([]bool, len(words))
	for i, f := range t.Layout.fields {
		text := words[i].Text
		ok := true
		switch f {
		case destination:
			route.Destination = text
		case gateway:
			route.Gateway = text
		case flags:
			route.Flags, ok = text, isWord(text)
		case refs:
			route.Refs, ok = count(text)
			right[i] = true
		case use:
			route.Use, ok = count(text)
			right[i] = true
		case ifname:
			route.Interface, ok = text, isInterface(text)
		case pmtu:
			route.PMTU, ok = count(text)
		case expires:
			route.Expires, ok = count(text)
		case groups:
			if text != "-" {
				route.Groups = text
			}
		default:
			route.Others = append(route.Others, text)
		}
		if !ok {
			return false
		}
	}
	line := r.Line(words, tail, func(i int) bool { return right[i] })
	if empty {
		line.Cells[1] = layout.Cell{}
	}
	if len(t.Families) == 0 { // cut out below its tree's name: which family is not known
		t.Families = []*Family{{Layout: FamilyLayout{Nameless: true}}}
	}
	route.Layout = RouteLayout{Before: r.Held(), Line: line}
	f := t.Families[len(t.Families)-1]
	f.Routes = append(f.Routes, route)
	return true
}

// withGateway puts an empty word where a route has no gateway: some IPv6
// routes to the host itself leave it blank. The flags stand in its place then.
func withGateway(fields []field, words []layout.Word) (out []layout.Word, empty bool) {
	if len(fields) < 4 || fields[1] != gateway || fields[2] != flags || fields[3] != refs || len(words) < len(fields)-1 {
		return words, false
	}
	_, isRefs := layout.Count(words[2].Text)
	if !isRefs || !isUpFlags(words[1].Text) || words[1].At < words[0].End()+2 {
		return words, false
	}
	out = append(out, words[0], layout.Word{At: words[1].At})
	return append(out, words[1:]...), true
}

func count(text string) (*uint64, bool) {
	if text == "-" {
		return nil, true
	}
	n, ok := layout.Count(text)
	return &n, ok
}
