package errpt

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

const heading = "IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION"

var (
	headShape  = dialect.Lazy(`^\s*IDENTIFIER\s+TIMESTAMP\s+T\s+C\s+RESOURCE_NAME\s+DESCRIPTION\s*$`)
	rowShape   = dialect.Lazy(`^(\s*)([0-9A-F]{8})(\s+)(\d{10})(\s+)([A-Z])(\s+)([A-Z])(\s+)(\S+)(?:(\s+)(\S.*?))?(\s*)$`)
	fieldShape = dialect.Lazy(`^(\s*)(LABEL|IDENTIFIER|Date/Time|Class|Type|Resource Name)(:\s*)(.*?)(\s*)$`)
	ruler      = dialect.Lazy(`^\s*-{20,}\s*$`)
	idShape    = dialect.Lazy(`^[0-9A-F]{8}$`)
)

// Parse reads what errpt prints. An empty text is a report without errors;
// dialect.ErrNotRecognised is for a text without entry, heading and message.
func Parse(text []byte) (*Report, error) {
	r := &Report{}
	s, err := printout.Open("errpt", text, &r.Report)
	if err != nil {
		return nil, err
	}
	r.layout = s.Layout()
	known, blank := s.Messages, 0
	var now *Entry
	for i, l := range s.Lines {
		switch {
		case s.Message[i] && now == nil:
			s.Keep(&r.layout, i)
		case s.Blank(i) && now == nil:
			blank++
			s.Keep(&r.layout, i)
		case headShape.MatchString(l):
			known++
			now = nil
			s.KeepKnown(&r.layout, i)
		case rowShape.MatchString(l):
			known++
			now = nil
			r.Entries = append(r.Entries, readRow(i, rowShape.FindStringSubmatch(l), s.Paint[i]))
			r.lines = append(r.lines, line{of: r.Entries[len(r.Entries)-1], field: "row"})
			r.layout.Row()
		case strings.HasPrefix(strings.TrimSpace(l), "LABEL:"):
			known++
			r.Long = true
			now = &Entry{Line: i + 1}
			r.Entries = append(r.Entries, now)
			r.put(now, l, s.Paint[i])
		case ruler.MatchString(l):
			now = nil
			s.KeepKnown(&r.layout, i)
		case now != nil:
			r.put(now, l, s.Paint[i])
		default:
			s.Keep(&r.layout, i)
		}
	}
	if known == 0 && blank < len(s.Lines) {
		return nil, fmt.Errorf("errpt: %w", dialect.ErrNotRecognised)
	}
	for _, e := range r.Entries {
		if r.Long && !idShape.MatchString(e.ID) {
			r.Warn(e.Line, e.Label+": the block does not say its identifier")
		}
	}
	return r, nil
}

func readRow(i int, m []string, paint printout.Paint) *Entry {
	return &Entry{
		ID: m[2], Stamp: m[4], Type: m[6], Class: m[8], Resource: m[10], Description: m[12], Line: i + 1,
		gaps: &[7]string{m[1], m[3], m[5], m[7], m[9], m[11], m[13]}, paint: paint,
	}
}

// put reads a line of a block of -a.
func (r *Report) put(e *Entry, text string, paint printout.Paint) {
	p := line{of: e, paint: paint}
	if m := fieldShape.FindStringSubmatch(text); m != nil && *e.field(m[2]) == "" && m[4] != "" {
		*e.field(m[2]) = m[4]
		p.field, p.gaps = m[2], [3]string{m[1], m[3], m[5]}
	} else {
		e.Details = append(e.Details, text)
		p.detail = len(e.Details) - 1
	}
	r.lines = append(r.lines, p)
	r.layout.Row()
}

func (e *Entry) field(label string) *string {
	switch label {
	case "LABEL":
		return &e.Label
	case "IDENTIFIER":
		return &e.ID
	case "Date/Time":
		return &e.Stamp
	case "Class":
		return &e.Class
	case "Type":
		return &e.Type
	}
	return &e.Resource
}

// Format prints a report. Entries that were not read from a text follow those
// that were, in the short form.
func Format(r *Report) []byte {
	there, read := map[*Entry]bool{}, map[*Entry]bool{}
	for _, e := range r.Entries {
		there[e] = true
	}
	var rows []string
	if r.layout.Empty() && len(r.Entries) > 0 {
		rows = append(rows, heading)
	}
	for _, p := range r.lines {
		read[p.of] = true
		if !there[p.of] {
			rows = append(rows, "")
			continue
		}
		rows = append(rows, p.render())
	}
	for _, e := range r.Entries {
		if !read[e] {
			rows = append(rows, fmt.Sprintf("%-8s   %-10s %s %s %-*s %s", e.ID, e.Stamp, e.Type, e.Class, defaultColumn, e.Resource, e.Description))
		}
	}
	return r.layout.Print(len(rows), func(i int) string { return rows[i] })
}

func (p line) render() string {
	e := p.of
	switch {
	case p.field == "row":
		g := e.gaps
		return e.paint.On(g[0] + e.ID + g[1] + e.Stamp + g[2] + e.Type + g[3] + e.Class + g[4] + e.Resource + g[5] + e.Description + g[6])
	case p.field != "":
		return p.paint.On(p.gaps[0] + p.field + p.gaps[1] + *e.field(p.field) + p.gaps[2])
	case p.detail < len(e.Details):
		return p.paint.On(e.Details[p.detail])
	}
	return ""
}
