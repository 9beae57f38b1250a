package labels

import "strings"

// Read takes a line, the i-th, as a field of the list begun last.
func (r *Reader) Read(i int) {
	r.at = i
	l := &r.Lines[i]
	if l.After {
		r.section.blank()
		if r.open != nil && r.open.Kind == List {
			r.open = nil
		}
	}
	if l.Indent <= r.owner && !IsRule(l.Body) {
		r.owner = nobody
	}
	switch {
	case IsRule(l.Body):
		if r.open != nil && r.open.Kind == List {
			r.open = nil
		}
	case strings.ContainsFunc(l.Body, control):
		r.spoil(r.open)
		r.report.NotUnderstood(l.Line)
	case r.readOpen(l):
	default:
		open := r.open
		r.open = nil
		if !r.readPairs(l) && !r.readRow(l) && !r.readHeading(l) && !r.readNote(l) {
			r.spoil(open)
			r.report.NotUnderstood(l.Line)
		}
	}
}
