package split

import (
	"regexp"
	"strings"

	"seaworthy/internal/collect/importer/detect"
)

// People put the same lines of another host, or of another time, below their words: "on the other server it is:". Where words
// stand between the lines of an output, and what follows begins with a line that was there before, it is another output.

// againAt is the first and the last line of the words in an output below which it begins once more; ok is false if there are none.
func againAt(lines []string, f *detect.Found) (from, to int, ok bool) {
	if f == nil || !f.Known || len(f.Report.Unknown) == 0 {
		return 0, 0, false
	}
	strange := strangeIn(f)
	seen := map[string]bool{}
	from = -1
	for i, l := range lines {
		b := plainOf(l)
		switch {
		case b == "":
		case strange[i]:
			if from < 0 && len(seen) > 0 && isSpoken(b) {
				from = i
			}
		case from >= 0 && seen[withoutValues(b)]:
			return from, i, true
		default:
			seen[withoutValues(b)] = true
			from = -1
		}
	}
	return 0, 0, false
}

// isSpoken reports whether a line is a sentence, or words that end in a colon.
func isSpoken(line string) bool {
	return isSentence(line) || strings.HasSuffix(line, ":") && !holdsFigures(line) && strings.Trim(line, ": ") != ""
}

// aValue is a number that stands alone, or a word behind an equals sign.
var aValue = regexp.MustCompile(`(^|[\s:=(,])-?\d[\d.]*|=\s*\S+`)

// withoutValues is a line without what differs from one reading to the next.
func withoutValues(line string) string {
	return aValue.ReplaceAllString(strings.Trim(line, "\x60"), "${1}0")
}

// partedAgain is a piece cut at words below which its output begins once more: the first reading, the words, and the others.
func partedAgain(p Piece, lines []string, f *detect.Found) []Piece {
	from, to, ok := againAt(lines, f)
	if !ok {
		return nil
	}
	first, second := p, p
	first.Text = []byte(strings.Join(lines[:from], ""))
	second.Text, second.Line = []byte(strings.Join(lines[to:], "")), p.Line+to
	second.Again = true
	if second.HostFrom == "" || second.HostFrom == "prompt" { // below words the prompt above them says nothing
		second.Host, second.HostFrom = "", ""
	}
	words := p.note(lines[from:to], p.Line+from)
	words.Host, words.HostFrom = "", ""
	return []Piece{first, words, second}
}
