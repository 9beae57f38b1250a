package layout

import "seaworthy/dialect"

// Sheet is the frame of a whole text.
type Sheet struct {
	CRLF    bool
	NoFinal bool     // the last line had no line end
	After   []string // lines behind the last value: unknown ones, blank ones, legends
}

// Reader walks over the lines of a text. Lines that carry no value of their
// own (headings, rulers, blank and unknown ones) are held until the next value
// takes them.
type Reader struct {
	text   dialect.Text
	report *dialect.Report
	at     int
	held   []string
	data   []bool // by line: it is no message
	words  []Word // of the current line
	rows   Room[Line]
	cells  Room[Cell]
	kept   Room[string]
}

// NewReader splits a text and counts its lines in the report. A text that does
// not end in a line end may have been cut, so that is a warning.
func NewReader(text []byte, report *dialect.Report) *Reader {
	r := &Reader{text: dialect.Split(text), report: report}
	report.Lines = len(r.text.Lines)
	r.data = make([]bool, len(r.text.Lines))
	for i, line := range r.text.Lines {
		r.data[i] = !isMessage(line)
	}
	if r.text.NoFinal && report.Lines > 0 {
		report.Warn(report.Lines, "no line end: the last line may be cut off")
	}
	return r
}

// message matches AIX messages by their catalogue number: "lsattr: 0514-519 ..."
// or "0821-514 ioctl ...".
var message = dialect.Lazy(`^\s*(\S+:\s+)?\d{4}-\d{3}[A-Z]?\s`)

func isMessage(line string) bool {
	line = dialect.StripEscapes(line)
	return dialect.Numbered(line) && message.MatchString(line)
}

// Next moves to the next line; ok is false behind the last one. A message that
// a command wrote between its data is no data: it is kept as not understood,
// with a warning, and passed over.
func (r *Reader) Next() (line string, ok bool) {
	for r.at < len(r.text.Lines) {
		r.at++
		line = r.text.Lines[r.at-1]
		if r.data[r.at-1] {
			return line, true
		}
		r.Warn("a message among the data: " + line)
		r.Unread()
	}
	return "", false
}

// Words cuts the current line as the function of that name does. The words are
// good until the next line's are asked for.
func (r *Reader) Words() (words []Word, tail string, ok bool) {
	words, tail, ok = AppendWords(r.words, r.text.Lines[r.at-1])
	if ok {
		r.words = words
	}
	return words, tail, ok
}

// Line is the layout of words, as Of makes it.
func (r *Reader) Line(words []Word, tail string, right func(i int) bool) *Line {
	l := &r.rows.Take(1)[0]
	l.Tail, l.Cells = tail, r.cells.Take(len(words))
	l.fill(words, right)
	return l
}

// Peek is the line n lines behind the current one, or "".
func (r *Reader) Peek(n int) string {
	if i := r.at - 1 + n; i >= 0 && i < len(r.text.Lines) {
		return r.text.Lines[i]
	}
	return ""
}

// PeekData is the nth line behind the current one that is no message, or "".
func (r *Reader) PeekData(n int) string {
	for i := r.at; i < len(r.text.Lines); i++ {
		if r.data[i] {
			if n--; n == 0 {
				return r.text.Lines[i]
			}
		}
	}
	return ""
}

// Number is the 1-based number of the current line.
func (r *Reader) Number() int { return r.at }

// Cut tells whether the current line is the last one and has no line end.
func (r *Reader) Cut() bool { return r.text.NoFinal && r.at == len(r.text.Lines) }

// Keep holds the current line, understood, for the next value.
func (r *Reader) Keep() {
	if r.held == nil { // nearly always the only one
		r.held = r.kept.Take(1)[:0]
	}
	r.held = append(r.held, r.text.Lines[r.at-1])
}

// Unread holds the current line as not understood.
func (r *Reader) Unread() {
	r.report.Unread(r.at, r.text.Lines[r.at-1])
	r.Keep()
}

// Warn records a warning about the current line.
func (r *Reader) Warn(text string) { r.report.Warn(r.at, text) }

// Held gives the held lines to the value that follows them.
func (r *Reader) Held() []string {
	h := r.held
	r.held = nil
	return h
}

// Holding tells whether lines are held since the last value.
func (r *Reader) Holding() bool { return len(r.held) > 0 }

// Sheet ends the walk: what is still held stands behind the last value.
func (r *Reader) Sheet() Sheet {
	return Sheet{CRLF: r.text.CRLF, NoFinal: r.text.NoFinal, After: r.Held()}
}

// Join makes the text of the lines printed and those behind them.
func (s Sheet) Join(lines []string) []byte {
	all := append(lines, s.After...)
	if len(all) == 0 {
		return nil
	}
	return dialect.Text{Lines: all, CRLF: s.CRLF, NoFinal: s.NoFinal}.Join()
}
