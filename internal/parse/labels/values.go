package labels

import (
	"strings"
)

// readPairs reads lines of "label: value"; several may share a line.
func (r *Reader) readPairs(l *Line) bool {
	pairs, ok := split(l.Body, r.columns)
	switch {
	case !ok:
		return false
	case r.readColumnHeads(l, pairs):
		return true
	case len(pairs) == 1:
		if r.readColonHeading(l, pairs[0]) {
			return true
		}
	}
	if !r.columns {
		r.section.closeAt(l.Indent)
	}
	twice := len(pairs) == 2 && pairs[0].Label == pairs[1].Label // one label on a line twice: two columns
	for k, q := range pairs {
		f := r.add(Value, q.Label)
		if r.columns || twice {
			f.Side = side(k, len(pairs), l.Indent)
		}
		r.fill(f, q.Value, l, l.Last && k == len(pairs)-1)
	}
	f := (*r.fields)[len(*r.fields)-1]
	switch {
	case len(pairs) == 1 && f.Kind == List:
		r.open = f
	case r.deeper(l):
		r.owner = l.Indent
	}
	r.join()
	return true
}

// join makes one number of the two 32-bit halves that some drivers print.
func (r *Reader) join() {
	all := *r.fields
	if len(all) < 2 {
		return
	}
	high, low := all[len(all)-2], all[len(all)-1]
	name, ok := strings.CutSuffix(high.Label, "_high")
	if !ok || low.Label != name+"_low" || high.Number == nil || low.Number == nil || *high.Number>>32 != 0 || *low.Number>>32 != 0 {
		return
	}
	high.Label = name
	*high.Number = *high.Number<<32 | *low.Number
	*r.fields = all[:len(all)-1]
}

// rightColumn is where the right column starts at the earliest.
const rightColumn = 20

// side is the column of the k-th counter of a line.
func side(k, of, indent int) Side {
	switch {
	case of == 2 && k == 0:
		return Transmit
	case of == 2 || of == 1 && indent >= rightColumn:
		return Receive
	}
	return OneColumn
}

// fill gives a field its value, or its list of words or of numbers.
func (r *Reader) fill(f *Field, value string, l *Line, last bool) {
	f.Cut = last
	flags, ids := HasSuffix(f.Label, "Flags"), r.isIDs(f)
	cells, allNumbers := numbers(value)
	switch {
	case flags && value != "" && !startsWithDigit(value):
		f.Kind, f.Items = List, strings.Fields(value)
		return
	case ids && allNumbers:
		f.Kind = List
		r.cells(f, value, last)
		return
	case flags || ids:
		f.Kind = List
	}
	if allNumbers && len(cells) == 1 {
		if !last { // digits may be missing
			f.Number = cells[0]
		}
		return
	}
	f.Text = value
	switch {
	case len(value) > 19 && digits(value):
		r.report.Warn(l.Number, "number too large to read: "+f.Label+": "+value)
	case value == "" && r.next() == nil:
		r.report.Warn(l.Number, "the text ends after "+f.Label)
	case r.columns && f.Kind == Value && !last && !Same(f.Label, "Elapsed Time"):
		r.report.Warn(l.Number, "not a count: "+f.Label+": "+value)
	}
}

// isIDs recognises lists of VLANs: by their label, or in a section of them.
func (r *Reader) isIDs(f *Field) bool {
	return HasSuffix(f.Label, "VLAN Tag IDs") || HasSuffix(f.Label, "VLAN IDs") ||
		HasSuffix(f.Section, "VLAN Ids") && !strings.Contains(f.Label, " ")
}

// readOpen reads a line that continues a list: flags, VLAN IDs.
func (r *Reader) readOpen(l *Line) bool {
	f := r.open
	if f == nil || f.Kind != List {
		return false
	}
	switch {
	case r.isIDs(f):
		ids := plainIDs(l.Body)
		if _, ok := numbers(ids); !ok || len(f.Cells) == 0 && (f.Text != "" || f.Number != nil) {
			return false
		}
		r.cells(f, ids, l.Last)
	case l.Body[0] == '<' && l.Body[len(l.Body)-1] == '>':
		f.Items = append(f.Items, strings.Trim(l.Body, "<> \t"))
	case l.Indent > 0 && AreWords(l.Body):
		f.Items = append(f.Items, strings.Fields(l.Body)...)
	default:
		return false
	}
	f.Cut = f.Cut || l.Last
	return true
}

// plainIDs are IDs without the zeros that some drivers print before them: 0148.
func plainIDs(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.TrimLeft(w[:len(w)-1], "0") + w[len(w)-1:]
	}
	return strings.Join(words, " ")
}

// AreWords recognises flags: words of letters, digits and underscores.
func AreWords(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ' ' || c == '\t')
	})
}
