package dialect

import (
	"bytes"
	"strings"
)

// MaxText is the largest text a codec reads, in bytes. Real outputs stay below
// a few megabytes; what is longer is a mistake or an attack.
const MaxText = 64 << 20

// Text is an input split into lines, with what its line ends were, so that
// Join gives the input back byte for byte.
type Text struct {
	Lines   []string // without line ends
	CRLF    bool     // every line ended in CR LF
	NoFinal bool     // the last line had no line end
}

// Split cuts a text into lines. A CR before the LF is dropped only if every
// line has one; otherwise it stays part of its line.
func Split(text []byte) Text {
	if len(text) == 0 {
		return Text{NoFinal: true}
	}
	var t Text
	t.NoFinal = text[len(text)-1] != '\n'
	body := string(text)
	if !t.NoFinal {
		body = body[:len(body)-1]
	}
	t.Lines = strings.Split(body, "\n")
	ends := len(t.Lines)
	if t.NoFinal {
		ends-- // the last line has no end that could carry a CR
	}
	t.CRLF = ends > 0
	for _, l := range t.Lines[:ends] {
		if !strings.HasSuffix(l, "\r") {
			t.CRLF = false
			break
		}
	}
	if t.CRLF {
		for i := range t.Lines[:ends] {
			t.Lines[i] = strings.TrimSuffix(t.Lines[i], "\r")
		}
	}
	return t
}

// Join is the inverse of Split.
func (t Text) Join() []byte {
	end := "\n"
	if t.CRLF {
		end = "\r\n"
	}
	var b bytes.Buffer
	for i, l := range t.Lines {
		b.WriteString(l)
		if i < len(t.Lines)-1 || !t.NoFinal {
			b.WriteString(end)
		}
	}
	return b.Bytes()
}

var escape = Lazy("\x1b\\[[0-9;?]*[A-Za-z]")

// StripEscapes removes terminal escape sequences: some saved outputs went
// through a colouring pager.
func StripEscapes(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line
	}
	return escape.ReplaceAllString(line, "")
}
