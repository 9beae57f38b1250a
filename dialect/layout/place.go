package layout

import "strings"

// Cell is where one value of a line stood.
type Cell struct {
	Gap   string
	Width int32 // bytes of the text that stood here; 0: nothing stood here
	Right bool  // right-aligned: a longer text grows to the left
}

// Line is where all values of one line stood. Nil means the line is new and is
// to be printed in the command's own current layout.
type Line struct {
	Cells []Cell
	Tail  string
}

// Of is the layout of words; right says which of them are right-aligned.
func Of(words []Word, tail string, right func(i int) bool) *Line {
	l := &Line{Tail: tail, Cells: make([]Cell, len(words))}
	l.fill(words, right)
	return l
}

func (l *Line) fill(words []Word, right func(i int) bool) {
	for i := range words {
		w := &words[i]
		l.Cells[i] = Cell{Gap: w.Gap, Width: int32(len(w.Text)), Right: right != nil && right(i)}
	}
}

// Place prints texts where the line's values stood. Texts beyond the known
// cells follow after one blank each; an empty text leaves its cell blank.
func (l *Line) Place(texts ...string) string {
	var b strings.Builder
	carry := 0 // how far we are to the right of where we should be
	for i, text := range texts {
		cell := Cell{Gap: " "}
		if i < len(l.Cells) {
			cell = l.Cells[i]
		} else if b.Len() == 0 {
			cell.Gap = ""
		}
		if text == "" {
			carry -= len(cell.Gap) + int(cell.Width)
			continue
		}
		grow := len(text) - int(cell.Width)
		shift := -carry
		if cell.Right {
			shift -= grow
		}
		least := 1
		if b.Len() == 0 || (cell.Gap == "" && cell.Width > 0) {
			least = 0
		}
		gap := resize(cell.Gap, shift, least)
		carry += len(gap) - len(cell.Gap) + grow
		b.WriteString(gap)
		b.WriteString(text)
	}
	return b.String() + l.Tail
}

// resize makes a gap longer or shorter by n blanks, but not shorter than least
// and never by cutting a tab or an escape sequence.
func resize(gap string, n, least int) string {
	if n > 0 {
		return gap + strings.Repeat(" ", n)
	}
	for n < 0 && len(gap) > least && strings.HasSuffix(gap, " ") {
		gap = gap[:len(gap)-1]
		n++
	}
	if len(gap) < least {
		gap += strings.Repeat(" ", least-len(gap))
	}
	return gap
}
