package doc

import (
	"fmt"
	"reflect"
	"strings"

	"seaworthy/internal/ui/report/quote"
)

// Style holds what a text means; writers decide how that looks.
type Style string

// The styles. Those of findings are named after their severities.
const (
	Critical Style = "critical"
	High     Style = "high"
	Warn     Style = "medium"
	Low      Style = "low"
	Info     Style = "info"
	Good     Style = "good"
	Bad      Style = "bad"
	Dim      Style = "dim"
	Head     Style = "head"
)

// Span is a piece of text of one style; an empty style is plain text.
type Span struct {
	Text  string
	Style Style
}

// Text is a line of text in spans.
type Text []Span

// String is the text without its styles.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Styled is a text of one style.
func Styled(style Style, text string) Text {
	if text == "" {
		return nil
	}
	return Text{{text, style}}
}

// Marks enclose styled arguments while fmt formats a line. No other argument can
// contain them: quote.Plain replaces them.
const (
	markBegin = "\x01"
	markText  = "\x02"
	markEnd   = "\x03"
)

// Textf formats as fmt.Sprintf does. Arguments of type Text keep their styles;
// numbers are formatted as they are; all others are made harmless strings first.
func Textf(format string, args ...any) Text {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = printable(a)
	}
	return parseMarks(fmt.Sprintf(format, safe...))
}

func printable(a any) any {
	if t, ok := a.(Text); ok {
		var b strings.Builder
		for _, s := range t {
			b.WriteString(markBegin + string(s.Style) + markText + quote.Plain(s.Text) + markEnd)
		}
		return b.String()
	}
	if _, named := a.(fmt.Stringer); !named {
		if kind := reflect.ValueOf(a).Kind(); kind >= reflect.Int && kind <= reflect.Float64 {
			return a
		}
	}
	return quote.Plain(fmt.Sprint(a))
}

// parseMarks splits what printable has marked. Bytes outside marks are plain text.
func parseMarks(s string) Text {
	var out Text
	add := func(text string, style Style) {
		if text != "" {
			out = append(out, Span{text, style})
		}
	}
	for {
		before, rest, found := strings.Cut(s, markBegin)
		add(before, "")
		if !found {
			return out
		}
		style, rest, _ := strings.Cut(rest, markText)
		text, rest, _ := strings.Cut(rest, markEnd)
		add(text, Style(style))
		s = rest
	}
}
