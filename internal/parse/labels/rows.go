package labels

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// readRow reads a line of a table: a label and one number per column, or the
// names of the columns.
func (r *Reader) readRow(l *Line) bool {
	if r.section.major == "" {
		return false
	}
	label, cells, noted := row(l.Body)
	if number, rest, ok := r.numbered(l.Body); ok {
		label, cells = number, rest
	}
	switch {
	case cells != "" && r.inTable(l.Body, label):
		r.section.closeAt(l.Indent)
		f := r.add(Row, label)
		r.cells(f, cells, l.Last && !noted)
		return true
	case cells == "":
		return r.columnNames(l)
	}
	return false
}

// numbered cuts a line of a table whose rows are numbered: nothing but cells, as
// many as the names of the columns above or the row before.
func (r *Reader) numbered(text string) (number, cells string, ok bool) {
	words := strings.Fields(text)
	if len(words) < 3 || len(*r.fields) == 0 || slices.ContainsFunc(words, func(w string) bool { return !isCell(w) }) {
		return "", "", false
	}
	above := (*r.fields)[len(*r.fields)-1]
	switch {
	case above.Kind == Columns && len(above.Items) == len(words)-1, above.Kind == Row && len(above.Cells) == len(words)-1:
		return words[0], text[len(words[0]):], true
	}
	return "", "", false
}

// row cuts a line into its label and its numbers; the latter are empty if it is
// no row. What a reader noted in a saved text, "<-- too few", is cut off.
func row(text string) (label, cells string, noted bool) {
	if n := strings.Index(text, "<--"); n > 0 {
		text, noted = trimRight(text[:n]), true
	}
	if label, number, ok := strings.Cut(text, "#"); ok && digits(number) && !strings.HasSuffix(trimRight(label), "...") {
		text = label + " " + number // "SEA Default Queue #8"
	}
	end := len(text) // of the label
	for {
		start := strings.LastIndexAny(text[:end], " \t") + 1
		if start == 0 || !isCell(text[start:end]) {
			break
		}
		end = len(trimRight(text[:start]))
	}
	label = text[:end]
	if !isLabel(label) || startsWithDigit(label) {
		return "", "", noted
	}
	return label, text[end:], noted
}

func isCell(word string) bool { return digits(word) || word == "-" || word == "N/A" }

// inTable distinguishes rows from prose that ends in a number.
func (r *Reader) inTable(text, label string) bool {
	rest := text[len(label):]
	return len(r.section.minor) > 0 || len(rest) > 1 && isBlank(rest[1]) || strings.IndexByte(rest, '\t') >= 0
}

// columnNames reads the heading of a table: names apart from each other, above a
// rule or a row.
func (r *Reader) columnNames(l *Line) bool {
	words := apart(l.Body)
	if len(words) < 2 || !isLabel(words[0]) || strings.Contains(l.Body, ":") {
		return false
	}
	if r.Ruled(r.at) {
		r.section.closeAt(l.Indent)
		if l.Indent == 0 {
			r.heading(words[0], minor{indent: -1})
		}
	} else if next := r.next(); next == nil {
		return false
	} else if _, cells, _ := row(next.Body); cells == "" || len(apart(next.Body)) < 2 {
		return false
	}
	f := r.add(Columns, words[0])
	f.Items, f.Cut = words[1:], l.Last
	return true
}

// apart are the parts of a text between runs of blanks.
func apart(text string) (parts []string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "  "), "  ") {
		part = strings.TrimSpace(part)
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// readNote reads what is indented below a label and has none of its own:
// interrupt sources, lines of a table of states.
func (r *Reader) readNote(l *Line) bool {
	if l.Indent <= r.owner {
		return false
	}
	f := r.add(Note, "")
	f.Text, f.Cut = l.Body, l.Last
	return true
}

// readHeading reads headings without a colon.
func (r *Reader) readHeading(l *Line) bool {
	if label, number, ok := strings.Cut(l.Body, "#"); ok && strings.HasSuffix(trimRight(label), "...") { // Thread ...... #3
		n, ok := parse.Count(number)
		label = strings.TrimRight(label, " \t.")
		if !ok || label == "" {
			return false
		}
		r.heading(label, minor{name: label + " #" + number, indent: l.Indent, flat: r.flat(l)}).Number = &n
		return true
	}
	bracketed := l.Body[0] == '[' && l.Body[len(l.Body)-1] == ']'
	switch {
	case !isLabel(l.Body):
		return false
	case r.Ruled(r.at), HasPrefix(l.Body, "Statistics for "):
		r.heading(l.Body, minor{indent: -1})
	case r.section.major == "":
		return false
	case bracketed, isBanner(l.Body): // not below the line before, however it is indented
		r.heading(strings.Trim(l.Body, "[]"), minor{flat: r.flat(l)})
	case r.deeper(l) && !strings.ContainsAny(l.Body, ".,;!?[]"):
		r.heading(l.Body, minor{indent: l.Indent})
	default:
		return false
	}
	return true
}

// isBanner recognises centred capitals such as PRIMARY ADAPTERS.
func isBanner(text string) bool {
	return strings.ContainsAny(text, " \t") && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ \t") == ""
}

// heading adds a heading and opens its section; one with indent -1 is major.
func (r *Reader) heading(label string, m minor) *Field {
	label = strings.TrimRight(label, ": \t")
	if m.name == "" {
		m.name = label
	}
	r.columns = false
	if m.indent < 0 {
		r.section.setMajor(m.name)
	} else {
		r.section.openMinor(m)
	}
	f := r.add(Heading, label)
	f.Cut = r.Lines[r.at].Last
	if r.next() == nil {
		r.report.Warn(f.Line, "the text ends after "+label)
	}
	return f
}

// readColumnHeads reads the heads of two columns: "Transmit Statistics:
// Receive Statistics:", or two labels with a rule below.
func (r *Reader) readColumnHeads(l *Line, pairs []Pair) bool {
	head := Same(pairs[0].Label, "Transmit Statistics") && r.section.major == ""
	if len(pairs) > 2 || pairs[0].Value != "" || pairs[len(pairs)-1].Value != "" || !head && (len(pairs) < 2 || !r.Ruled(r.at)) {
		return false
	}
	if !head {
		f := r.heading(pairs[0].Label, minor{name: pairs[0].Label + " | " + pairs[1].Label, indent: l.Indent, flat: true})
		f.Text = pairs[1].Label
	}
	r.columns = true
	return true
}

// readColonHeading reads labels that open a section: those with a rule or more
// indented lines below, and those whose number names a queue.
func (r *Reader) readColonHeading(l *Line, q Pair) bool {
	if q.Value != "" {
		n, ok := parse.Count(q.Value)
		if !ok || l.Last || !namesQueue(q.Label) {
			return false
		}
		r.heading(q.Label, minor{name: q.Label + " " + q.Value, indent: l.Indent, flat: r.flat(l)}).Number = &n
		return true
	}
	switch {
	case HasSuffix(q.Label, "Flags"), HasSuffix(q.Label, "VLAN IDs") && r.deeper(l) && digits(strings.Join(strings.Fields(r.next().Body), "")):
		return false
	case r.Ruled(r.at) || HasPrefix(q.Label, "Statistics for ") || HasSuffix(q.Label, "Specific Statistics"):
		r.heading(q.Label, minor{indent: -1})
	case sectionLabel(q.Label):
		if r.section.major == "" {
			r.heading(q.Label, minor{indent: -1})
		} else {
			r.heading(q.Label, minor{indent: l.Indent, flat: r.flat(l)})
		}
	case r.section.major != "" && r.deeper(l):
		r.heading(q.Label, minor{indent: l.Indent})
		r.owner = l.Indent
	default:
		return false
	}
	return true
}

// sectionLabel distinguishes headings inside a part from labels without a value.
func sectionLabel(label string) bool {
	ends := []string{"Statistics", "Information", "State", "Received", "Counters", "VLAN Ids"}
	return slices.ContainsFunc(ends, func(end string) bool { return HasSuffix(label, end) })
}

// namesQueue recognises labels whose number names a block of lines: a queue.
func namesQueue(label string) bool {
	label = strings.ToLower(label)
	if strings.Contains(label, "statistics") && (strings.HasSuffix(label, "number") || strings.Contains(label, "queue")) {
		return true
	}
	switch strings.TrimSuffix(strings.ReplaceAll(label, " ", ""), "number") {
	case "queue", "receivequeue", "transmitqueue", "rxqueue", "txqueue", "rxq", "txq":
		return true
	}
	return false
}
