// Package labels reads what statistics commands print: labels with values. It
// knows no driver and no command, only the shapes of lines:
//
//	Packets: 19                 Packets: 20      two columns, below a heading of two
//	State: open                 Reboots: 3       several pairs on a line
//	rx_octets_high = 0                           other drivers' form of a pair
//	Driver Flags: Up Running                     a list, which goes on in the next line
//	Min Buffers      512    128                  a row of a table
//	General Statistics:                          a heading: a rule or deeper lines follow
//
// Each becomes a Field, in printed order, with the headings above it. A
// line that fits none is reported as not understood. A codec reads the lines
// that start a device, hands all others to the Reader, and answers its own
// questions from the fields.
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
		if !r.readContent(l) {
			r.spoil(open)
			r.report.NotUnderstood(l.Line)
		}
	}
}

// readContent reads a line of values, a row of a table, a heading or a note; false if
// it is none of them.
func (r *Reader) readContent(l *Line) bool {
	switch {
	case r.readPairs(l):
		return true
	case r.readRow(l):
		return true
	case r.readHeading(l):
		return true
	}
	return r.readNote(l)
}
