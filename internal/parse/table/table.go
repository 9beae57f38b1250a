// Package table cuts the rows of a printed table into the cells of its columns.
//
// AIX prints tables with fixed widths that nobody keeps: a cell that is too
// long pushes what follows to the right, a cell without value is blank, copies
// lose the padding. Where a row has a word for every column, each word is a
// cell. Otherwise the places of the heading's words decide which columns are
// blank and which hold several words; a row too far from them is
// not guessed.
package table

import (
	"slices"
	"strings"
	"unicode"
)

// Word is a run of characters without blanks, and where it is.
type Word struct {
	Text  string
	Start int // byte offset in the line
}

func (w Word) endOffset() int { return w.Start + len(w.Text) }

// Words cuts a line at its blanks.
func Words(line string) []Word {
	var words []Word
	from := -1
	for i, r := range line {
		blank := unicode.IsSpace(r)
		switch {
		case !blank && from < 0:
			from = i
		case blank && from >= 0:
			words, from = append(words, Word{line[from:i], from}), -1
		}
	}
	if from >= 0 {
		words = append(words, Word{line[from:], from})
	}
	return words
}

// Column is one column under its heading.
type Column struct {
	Word
	Optional bool // may be blank
	Wide     bool // may hold several words
}

// Columns are the columns of a heading, in order.
type Columns []Column

// Heading makes columns of the words of a heading.
func Heading(words []Word) Columns {
	columns := make(Columns, len(words))
	for i, w := range words {
		columns[i].Word = w
	}
	return columns
}

// tolerance is how far, in characters, a word may be from its column where
// its place decides: less than the usual distance of two columns.
const tolerance = 10

// widest is more columns than any command prints.
const widest = 32

// Cells gives a row's text in each column, "" where a column is blank. It
// returns nil for a row that fits the columns in no way.
func (c Columns) Cells(words []Word) []string {
	exact := len(words) == len(c)
	if exact && (c.straight(words) || !slices.ContainsFunc(c, func(x Column) bool { return x.Wide })) {
		return texts(words)
	}
	if len(c) > widest || len(words) > 4*widest {
		return nil
	}
	if c.padded() {
		if cells := c.assignWords(words); cells != nil {
			return cells
		}
	}
	if exact {
		return texts(words)
	}
	return c.count(words)
}

// straight reports whether every word is in its column, as most rows' do.
func (c Columns) straight(words []Word) bool {
	for i, w := range words {
		if c[i].distance(w) > 0 {
			return false
		}
	}
	return true
}

// padded reports whether the heading still has its padding: places say nothing
// where every gap is one blank.
func (c Columns) padded() bool {
	for i := 1; i < len(c); i++ {
		if c[i].Start-c[i-1].endOffset() > 1 {
			return true
		}
	}
	return false
}

func texts(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// distance is how far a word is from the column, by its start where the
// column is aligned to the left, or by its end.
func (c *Column) distance(w Word) int {
	return min(abs(w.Start-c.Start), abs(w.endOffset()-c.endOffset()))
}

func abs(n int) int { return max(n, -n) }

const far = 1 << 20

// assignWords finds the columns of the words that are nearest: best[i][k] is the
// least sum of distances with which the words from i on fill the columns from k.
func (c Columns) assignWords(words []Word) []string {
	n, m := len(words), len(c)
	best := make([][]int, n+1)
	for i := n; i >= 0; i-- {
		best[i] = slices.Repeat([]int{far}, m+1)
		for k := m; k >= 0; k-- {
			switch {
			case i == n && k == m:
				best[i][k] = 0
			case k < m:
				best[i][k], _ = c.step(words, best, i, k)
			}
		}
	}
	if best[0][0] >= far {
		return nil
	}
	cells := make([]string, m)
	for i, k := 0, 0; k < m; k++ {
		_, taken := c.step(words, best, i, k)
		cells[k] = strings.Join(texts(words[i:i+taken]), " ")
		i += taken
	}
	return cells
}

// step is the best that column k can do with the words from i on, and how many
// of them it takes.
func (c Columns) step(words []Word, best [][]int, i, k int) (cost, taken int) {
	cost = far
	if i < len(words) {
		if d := c[k].distance(words[i]); d <= tolerance {
			cost, taken = d+best[i+1][k+1], 1
			for more := i + 1; c[k].Wide && more < len(words); more++ {
				if x := d + best[more+1][k+1]; x < cost {
					cost, taken = x, more+1-i
				}
			}
		}
	}
	if c[k].Optional && best[i][k+1] <= cost {
		if best[i][k+1] < cost || cost == far {
			cost, taken = best[i][k+1], 0
		}
	}
	return min(cost, far), taken
}

// count gives the surplus words of a row that lost its padding to the one wide
// column.
func (c Columns) count(words []Word) []string {
	more, wide := len(words)-len(c), slices.IndexFunc(c, func(x Column) bool { return x.Wide })
	if more < 0 || wide < 0 {
		return nil
	}
	t := texts(words)
	return slices.Concat(t[:wide], []string{strings.Join(t[wide:wide+more+1], " ")}, t[wide+more+1:])
}
