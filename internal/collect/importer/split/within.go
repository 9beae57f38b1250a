package split

import (
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse/registry"
)

// A piece that is no output as a whole may hold one: in one of its paragraphs, or in its first lines. All that looks for it
// stands here.

// answerIn takes apart what stands below a command and is not its output as a whole: the output may be in one of its paragraphs.
func answerIn(p Piece) []Piece {
	if p.Note || p.Preface {
		return []Piece{p}
	}
	hint := detect.Hint{Command: p.Command, File: p.Title}
	f, known := detect.Text(p.Text, hint)
	switch {
	case known && f.Known && skips[f.ID]:
		c := &Cut{Form: Follow, Pieces: blocksOf(p, hint)}
		if interrupted(c, f.ID, "") {
			return c.Pieces
		}
	case !typed(p.Command) && !known:
		return blocksOf(p, hint)
	case !typed(p.Command):
	case known && f.Known && len(f.Report.Unknown) > 0:
		return severalIn(p, f, hint)
	case !known:
		blocks := blocksOf(p, hint)
		if len(blocks) > 1 {
			return blocks
		}
		return beginningOf(p, hint)
	}
	return []Piece{p}
}

// severalIn is an answer in its paragraphs, where several of them are outputs that have more lines understood than the whole has.
func severalIn(p Piece, f *detect.Found, hint detect.Hint) []Piece {
	blocks := blocksOf(p, hint)
	kinds, sum := map[string]bool{}, 0
	for _, b := range blocks {
		g, ok := detect.Text(b.Text, hint)
		if ok && g.Known {
			kinds[g.ID] = true
			sum += readIn(g, b.Text)
		}
	}
	if len(kinds) > 1 && sum > readIn(f, p.Text) {
		return blocks
	}
	return []Piece{p}
}

// mostBegun bounds the lines of an answer in which its output is looked for line by line.
const mostBegun = 100

// beginningOf is an answer that is no output as a whole, cut behind the output with which it begins, where nearly all lines of that are
// understood; the answer, if it begins with none.
func beginningOf(p Piece, hint detect.Hint) []Piece {
	lines := split(p.Text)
	if len(lines) > mostBegun {
		return []Piece{p}
	}
	for end := len(lines) - 1; end > 1; end-- {
		text := []byte(strings.Join(lines[:end], ""))
		f, ok := detect.Text(text, hint)
		if !ok || !f.Known || readIn(f, text)*10 < filled(text)*9 {
			continue
		}
		rest := p
		rest.Command = ""
		rest.Text, rest.Line = []byte(strings.Join(lines[end:], "")), p.Line+end
		p.Text = text
		return []Piece{p, rest}
	}
	return []Piece{p}
}

// inBlocks takes a piece that is no output as a whole apart at its blank lines, where some of what is between them is one: else an
// output would be lost in lines that nobody knows.
func inBlocks(p Piece) []Piece {
	hint := detect.Hint{Command: p.Command, File: p.Title}
	_, known := detect.Text(p.Text, hint)
	if known {
		return []Piece{p}
	}
	return blocksOf(p, hint)
}

// blocksOf takes a piece apart at its blank lines, whatever it is as a whole; the piece, if nothing between them is an output.
func blocksOf(p Piece, hint detect.Hint) []Piece {
	lines := split(p.Text)
	if len(lines) > mostInBlocks {
		return []Piece{p}
	}
	var out []Piece
	var last *detect.Found // what the last one is; nil: it is no output, and takes what is none either
	some := false
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && strings.TrimSpace(lines[to]) != "" {
			to++
		}
		for to < len(lines) && strings.TrimSpace(lines[to]) == "" {
			to++
		}
		block := p
		block.Text, block.Line = []byte(strings.Join(lines[from:to], "")), p.Line+from
		from = to
		f, known := detect.Text(block.Text, hint)
		if known && last != nil && f.ID == last.ID && f.Element == "" && !registry.Find(f.ID).Again { // stanzas of one output
			before := &out[len(out)-1]
			both := slices.Concat(before.Text, block.Text)
			g, ok := detect.Text(both, hint)
			if ok && g.ID == f.ID && (!g.Known || readIn(g, both) > readIn(last, before.Text)) {
				before.Text, last = both, g
				continue
			}
		}
		if !known && len(out) > 0 {
			before := &out[len(out)-1]
			if last == nil {
				before.Text = append(before.Text, block.Text...)
				continue
			}
			if g := goesOn(last, before.Text, block.Text, hint); g != nil {
				before.Text, last = slices.Concat(before.Text, block.Text), g
				continue
			}
		}
		last = nil
		if known {
			some, last = true, f
		} else {
			block.Command = ""
		}
		out = append(out, block)
	}
	if !some {
		return []Piece{p}
	}
	return out
}

// goesOn is what an output is together with the block below it; nil if that is none of its.
func goesOn(f *detect.Found, text, below []byte, hint detect.Hint) *detect.Found {
	g, ok := detect.Text(slices.Concat(text, below), hint)
	if !ok || g.ID != f.ID || readIn(g, slices.Concat(text, below)) <= readIn(f, text) {
		return nil
	}
	return g
}

// mostInBlocks bounds the lines of a piece that is taken apart in blocks.
const mostInBlocks = 1000
