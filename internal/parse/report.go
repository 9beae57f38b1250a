package parse

import (
	"errors"
	"strings"
)

// ErrNotRecognised says that a text is not the output of the codec's command.
var ErrNotRecognised = errors.New("not recognised as this command's output")

// Line is one line of a text.
type Line struct {
	Number int    `json:"line"` // 1-based
	Text   string `json:"text"` // without line end and colours
	After  bool   `json:"-"`    // a blank line is above
}

// Warning says that a line was understood but is doubtful:
// a value cut off, a decimal comma, an error message inside the data.
type Warning struct {
	Number int    `json:"line"` // 1-based, 0 for the whole text
	Text   string `json:"text"`
}

// messageWarning begins the warning of an error message of a command or a shell.
const messageWarning = "an error message: "

// Message is the error message that a warning is about; false if it is about
// something else.
func (w Warning) Message() (text string, ok bool) { return strings.CutPrefix(w.Text, messageWarning) }

// Report holds what a codec says about its own reading. Every parsed value
// embeds one, so that silence can never be taken for health.
type Report struct {
	Lines    int       `json:"lines"` // all lines of the input, blank ones too
	Unknown  []Line    `json:"unknown,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
	Messages int       `json:"-"` // error messages among the lines, each a warning too
	Open     bool      `json:"-"` // the last line has no line end
}

// CutOff reports whether a line may be cut off: it is the last one and has no end.
func (r *Report) CutOff(l Line) bool { return r.Open && l.Number == r.Lines }

// NotUnderstood keeps a line that the codec did not understand.
func (r *Report) NotUnderstood(l Line) { r.Unknown = append(r.Unknown, l) }

// Warn records that a line is doubtful.
func (r *Report) Warn(number int, text string) {
	r.Warnings = append(r.Warnings, Warning{Number: number, Text: text})
}

// Read hands the lines of a text that can hold data to take, and counts those that it
// takes. The others are not understood.
func (r *Report) Read(text []byte, take func(Line) bool) (taken int) {
	for _, l := range Lines(text, r) {
		if take(l) {
			taken++
		} else {
			r.NotUnderstood(l)
		}
	}
	return taken
}

// ReadComplete is Read, but does not take a last line that may be cut off.
func (r *Report) ReadComplete(text []byte, take func(Line) bool) (taken int) {
	return r.Read(text, func(l Line) bool { return !r.CutOff(l) && take(l) })
}

// Recognised returns what Parse returns: the value, if the text is the command's.
func Recognised[T any](v *T, is bool) (*T, error) {
	if !is {
		return nil, ErrNotRecognised
	}
	return v, nil
}
