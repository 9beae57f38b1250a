package normalize

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"seaworthy/dialect"
)

// lineEnds brings line ends to line feeds where they are of several kinds, and
// shows each line as a terminal would have shown it in the end: what was typed
// and taken back, or written over, is gone. A text in which every line ends in
// CR LF stays one.
func lineEnds(text []byte) (out []byte, notes []string) {
	crs := bytes.Count(text, []byte("\r"))
	feeds := bytes.Count(text, []byte("\n"))
	even := crs == 0 || crs == feeds && bytes.Count(text, []byte("\r\n")) == feeds
	if even && bytes.IndexByte(text, '\b') < 0 && !editing(text) && !bytes.ContainsAny(text, "\f\x07\x0e\x0f") {
		return text, nil
	}
	if feeds == 0 && crs > 0 || crs > 2 && crs > feeds*20 {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		notes = append(notes, "carriage returns were taken for line ends")
	}
	var b bytes.Buffer
	b.Grow(len(text))
	rendered := false
	for line := range strings.Lines(string(text)) {
		body, end := strings.CutSuffix(line, "\n")
		body = strings.TrimRight(body, "\r")
		body = strings.TrimLeft(body, "\f")
		if strings.ContainsAny(body, "\b\r\x07\x0e\x0f\f") || strings.IndexByte(body, 0x1b) >= 0 && editing([]byte(body)) {
			shown := render(body)
			rendered = rendered || shown != body
			body = shown
		}
		b.WriteString(body)
		if end {
			b.WriteByte('\n')
		}
	}
	if rendered {
		notes = append(notes, "lines that were typed over are as the terminal showed them in the end")
	}
	return b.Bytes(), notes
}

// moves are the escape sequences that move the cursor or erase; colours and
// titles are not among them.
var moves = dialect.Lazy("\x1b\\[[0-9;?]*[A-HJKPX@dfhlr]")

// editing says that a text holds cursor movements.
func editing(text []byte) bool {
	return bytes.IndexByte(text, 0x1b) >= 0 && moves.Match(text)
}

// Bounds of a line that is played back: its bytes, and the characters that are
// written or moved for it, since a few bytes can move a whole row. A line
// beyond them stays as it is.
const (
	maxRendered = 64 << 10
	maxMoved    = 4 << 20
)

// sequence is an escape sequence: CSI, a title, a character set, or one letter.
var sequence = dialect.Lazy("^\x1b(?:\\[([0-9;?]*)([@-~])|\\][^\x07\x1b]{0,512}(?:\x07|\x1b\\\\)|[()][0-9A-Za-z]|[=>78DEMHc])")

// render plays a line to a terminal of one endless row.
func render(line string) string {
	if len(line) > maxRendered {
		return line
	}
	var row []string // a character each, with the colours before it
	pending := ""
	at, work := 0, 0
	put := func(c string) {
		work += max(1, at-len(row))
		for len(row) <= at {
			row = append(row, " ")
		}
		row[at] = pending + c
		pending = ""
		at++
	}
	for i := 0; i < len(line); {
		if work > maxMoved {
			return line
		}
		switch c := line[i]; {
		case c == '\r':
			at = 0
			i++
		case c == '\b':
			at = max(0, at-1)
			i++
		case c == 0x07 || c == 0x0e || c == 0x0f || c == '\f':
			i++
		case c == 0x1b:
			m := sequence.FindStringSubmatch(line[i:min(len(line), i+1024)])
			if m == nil {
				pending += line[i : i+1]
				i++
				continue
			}
			i += len(m[0])
			if m[2] == "m" || m[2] == "" {
				pending += m[0]
				continue
			}
			row, at = moved(row, at, m[1], m[2][0])
			work += len(row)
		default:
			_, n := utf8.DecodeRuneInString(line[i:])
			put(line[i : i+n])
			i += n
		}
	}
	return strings.TrimRight(strings.Join(row, "")+pending, " ")
}

// moved applies one movement or erasure within the row.
func moved(row []string, at int, digits string, what byte) ([]string, int) {
	n := 0
	for i := 0; i < len(digits) && digits[i] >= '0' && digits[i] <= '9' && n < maxRendered; i++ {
		n = 10*n + int(digits[i]-'0')
	}
	one := max(n, 1)
	switch what {
	case 'C':
		at = min(at+one, maxRendered)
	case 'D':
		at = max(0, at-one)
	case 'G':
		at = min(one-1, maxRendered)
	case 'K':
		switch {
		case n == 0 && at < len(row):
			row = row[:at]
		case n == 1:
			for i := range min(at+1, len(row)) {
				row[i] = " "
			}
		case n == 2:
			row = row[:0]
		}
	case 'P':
		if at < len(row) {
			row = append(row[:at], row[min(len(row), at+one):]...)
		}
	case 'X':
		for i := at; i < min(len(row), at+one); i++ {
			row[i] = " "
		}
	case '@':
		if at < len(row) {
			blanks := strings.Split(strings.Repeat(" ", min(one, 1024)), "")
			row = append(row[:at:at], append(blanks, row[at:]...)...)
		}
	}
	return row, at
}
