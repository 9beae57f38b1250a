package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a run of non-blank characters and the blanks before it.
type Word struct {
	Gap  string // blanks, tabs, a CR, terminal escape sequences
	Text string
	At   int // byte offset of Text in the line
}

// End is the byte offset just behind the word.
func (w Word) End() int { return w.At + len(w.Text) }

// Words cuts a line at its blanks. Terminal escape sequences count as blanks
// where they stand next to one or at either end of the line; inside a word
// they would glue or split it, so that such a line gives ok=false.
// What follows the last word is tail.
func Words(line string) (words []Word, tail string, ok bool) { return AppendWords(nil, line) }

// AppendWords is Words with room for the words, which a codec that is done
// with one line's words can use for the next line's.
func AppendWords(room []Word, line string) (words []Word, tail string, ok bool) {
	words = room[:0]
	at := 0
	for {
		start, blank := at, at == 0
		for at < len(line) {
			if c := line[at]; c == ' ' {
				at, blank = at+1, true
				continue
			} else if plain(c) {
				break
			}
			n, isBlank := blankAt(line, at)
			if n == 0 {
				break
			}
			blank = blank || isBlank
			at += n
		}
		gap := line[start:at]
		if at == len(line) {
			return words, gap, true
		}
		if !blank {
			return nil, "", false
		}
		from := at
		for at < len(line) {
			if plain(line[at]) {
				at++
				continue
			}
			if n, _ := blankAt(line, at); n > 0 {
				break
			}
			_, n := utf8.DecodeRuneInString(line[at:])
			at += n
		}
		if words == nil {
			words = make([]Word, 0, 8)
		}
		words = append(words, Word{Gap: gap, Text: line[from:at], At: from})
	}
}

// plain tells the bytes that can only be a part of a word.
func plain(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

// blankAt is the length of the blank or escape sequence at line[i:], or 0.
func blankAt(line string, i int) (n int, isBlank bool) {
	switch c := line[i]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return 1, true
	case c < utf8.RuneSelf && c != 0x1b:
		return 0, false
	}
	if line[i] == 0x1b {
		return escapeLen(line[i:]), false
	}
	r, n := utf8.DecodeRuneInString(line[i:])
	if r != utf8.RuneError && unicode.IsSpace(r) {
		return n, true
	}
	return 0, false
}

// escapeLen is the length of a CSI sequence at the start of s, or 0.
func escapeLen(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9', c == ';', c == '?':
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// Trim cuts the blanks and escape sequences off both ends of a line.
func Trim(line string) (lead, body, tail string) {
	if strings.IndexByte(line, 0x1b) < 0 {
		body = strings.TrimSpace(line)
		if body == "" {
			return "", "", line
		}
		at := strings.Index(line, body)
		return line[:at], body, line[at+len(body):]
	}
	words, tail, ok := Words(line)
	if ok && len(words) == 0 {
		return "", "", line
	}
	if !ok { // an escape sequence inside a word: trim what can be trimmed
		return trimRaw(line)
	}
	first, last := words[0], words[len(words)-1]
	return first.Gap, line[first.At:last.End()], tail
}

func trimRaw(line string) (lead, body, tail string) {
	i := 0
	for i < len(line) {
		n, _ := blankAt(line, i)
		if n == 0 {
			break
		}
		i += n
	}
	j := len(line)
	for j > i {
		r, n := utf8.DecodeLastRuneInString(line[i:j])
		if r == utf8.RuneError || !unicode.IsSpace(r) {
			break
		}
		j -= n
	}
	return line[:i], line[i:j], line[j:]
}
