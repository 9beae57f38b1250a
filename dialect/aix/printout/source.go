package printout

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"seaworthy/dialect"
)

var errTooLong = errors.New("longer than any real output")

// Source is a text made ready for a codec: lines without escape sequences, and
// the lines that belong to error messages marked.
type Source struct {
	Lines    []string
	Raw      []string // as they stood, line ends excepted
	Paint    []Paint
	Message  []bool // the line is part of an error message
	Messages int    // how many messages there are

	split  dialect.Text
	report *dialect.Report
}

// Open reads a text and reports its messages as warnings, and a last line
// without line end, which may have been cut off.
func Open(command string, text []byte, report *dialect.Report) (*Source, error) {
	if len(text) > dialect.MaxText {
		return nil, fmt.Errorf("%s: %d bytes: %w", command, len(text), errTooLong)
	}
	s := &Source{split: dialect.Split(text), report: report}
	s.Raw = s.split.Lines
	report.Lines = len(s.Raw)
	s.Lines, s.Paint = s.Raw, make([]Paint, len(s.Raw))
	if bytes.IndexByte(text, 0x1b) >= 0 {
		s.Lines = make([]string, len(s.Raw))
		for i, l := range s.Raw {
			s.Lines[i], s.Paint[i] = Plain(l)
		}
	}
	s.Message = make([]bool, len(s.Lines))
	for i := 0; i < len(s.Lines); {
		n := Message(s.Lines, i)
		for k := i; k < i+n; k++ {
			s.Message[k] = true
		}
		if n > 0 {
			s.Messages++
			report.Warn(i+1, Joined(s.Lines[i:i+n]))
		}
		i += max(n, 1)
	}
	if n := len(s.Lines); s.split.NoFinal && n > 0 && !s.Blank(n-1) {
		report.Warn(n, "no line end after the last line: it may be cut off")
	}
	return s, nil
}

// Ends are the text's line ends: whether every line had a carriage return, and
// whether the last had none.
func (s *Source) Ends() (crlf, noFinal bool) { return s.split.CRLF, s.split.NoFinal }

// Layout is an empty layout with the text's line ends.
func (s *Source) Layout() Layout {
	l := NewLayout(s.split)
	l.slots = make([]slot, 0, len(s.Lines))
	return l
}

// Blank tells whether a line holds no words.
func (s *Source) Blank(i int) bool { return strings.TrimSpace(s.Lines[i]) == "" }

// Keep puts a line into a layout as it stood. Unless it is blank or part of a
// message, it counts as not understood.
func (s *Source) Keep(l *Layout, i int) {
	l.Keep(s.Raw[i])
	if !s.Message[i] && !s.Blank(i) {
		s.report.Unread(i+1, s.Raw[i])
	}
}

// KeepKnown puts a line into a layout that was understood but holds no value.
func (s *Source) KeepKnown(l *Layout, i int) { l.Keep(s.Raw[i]) }
