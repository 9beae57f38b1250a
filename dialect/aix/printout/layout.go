package printout

import "seaworthy/dialect"

// Layout is the order of a listing: rows, and lines kept verbatim between them.
// Its zero value prints rows one after the other, each with a line feed.
type Layout struct {
	crlf, noFinal bool
	slots         []slot
}

type slot struct {
	row  bool
	text string // of a line that is not a row
}

// NewLayout takes the line ends from a split text.
func NewLayout(t dialect.Text) Layout {
	return Layout{crlf: t.CRLF, noFinal: t.NoFinal}
}

// Row marks the place of the next row.
func (l *Layout) Row() { l.slots = append(l.slots, slot{row: true}) }

// Keep puts a line that is not a row at this place.
func (l *Layout) Keep(text string) { l.slots = append(l.slots, slot{text: text}) }

// Print gives the text. Rows beyond the marked places follow the last marked
// one; places without a row are left out.
func (l *Layout) Print(rows int, render func(row int) string) []byte {
	last := -1
	for i, s := range l.slots {
		if s.row {
			last = i
		}
	}
	out := dialect.Text{CRLF: l.crlf, NoFinal: l.noFinal}
	next := 0
	for i, s := range l.slots {
		switch {
		case !s.row:
			out.Lines = append(out.Lines, s.text)
		case next < rows:
			out.Lines = append(out.Lines, render(next))
			next++
		}
		for i == last && next < rows {
			out.Lines = append(out.Lines, render(next))
			next++
		}
	}
	for ; next < rows; next++ {
		out.Lines = append(out.Lines, render(next))
	}
	return out.Join()
}

// Empty tells whether nothing was put into the layout: its listing was not
// read from a text.
func (l *Layout) Empty() bool { return len(l.slots) == 0 }
