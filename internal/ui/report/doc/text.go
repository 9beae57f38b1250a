package doc

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"seaworthy/internal/ui/report/quote"
)

// styles are the looks of styles on a terminal.
var styles = map[Style]lipgloss.Style{
	Critical: lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true),
	High:     lipgloss.NewStyle().Foreground(lipgloss.Color("1")),
	Warn:     lipgloss.NewStyle().Foreground(lipgloss.Color("3")),
	Low:      lipgloss.NewStyle().Foreground(lipgloss.Color("6")),
	Info:     lipgloss.NewStyle().Foreground(lipgloss.Color("8")),
	Good:     lipgloss.NewStyle().Foreground(lipgloss.Color("2")),
	Bad:      lipgloss.NewStyle().Foreground(lipgloss.Color("1")),
	Dim:      lipgloss.NewStyle().Foreground(lipgloss.Color("8")),
	Head:     lipgloss.NewStyle().Bold(true),
}

// Screen holds what text is written for.
type Screen struct {
	Color bool
	Width int // columns; 0: 120
}

// Paint gives a text the look of a style, if the screen has colour.
func (s Screen) Paint(style Style, text string) string {
	look, known := styles[style]
	if !s.Color || !known || text == "" {
		return text
	}
	return look.Render(text)
}

// columns is how wide a line may be.
func (s Screen) columns() int {
	if s.Width > 0 {
		return s.Width
	}
	return 120
}

// WriteText writes a document for a terminal.
func WriteText(w io.Writer, d *Document, s Screen) error {
	t := &textWriter{Screen: s}
	t.blocks(d.Blocks)
	_, err := w.Write(t.out.Bytes())
	return err
}

type textWriter struct {
	Screen
	out bytes.Buffer
}

// least is how narrow a wrapped text may get.
const least = 30

func (t *textWriter) blocks(all []Block) {
	for _, b := range all {
		t.write(b)
	}
}

func (t *textWriter) write(b Block) {
	switch b := b.(type) {
	case Heading:
		t.line(t.Paint(Head, quote.Plain(b.Text)))
	case Line:
		t.line(t.text(b.Text))
	case Gap:
		if t.out.Len() > 0 { // it parts two blocks
			t.line("")
		}
	case Prose:
		t.labelled(b.Label, b.Text)
	case Code:
		if b.Unbroken {
			t.line(t.Paint(Dim, fmt.Sprintf("  %-11s", quote.Plain(b.Label))) + quote.Plain(b.Text))
			return
		}
		t.labelled(b.Label, b.Text)
	case Entry:
		t.entry(b)
	case Item:
		t.item(b)
	case Fold:
		t.labelled("", b.Summary+" (-v)")
	case Only:
		if b.Media.has(Terminal) {
			t.blocks(b.Blocks)
		}
	case *Table:
		t.table(b)
	case Lead, Figure: // pages only
	}
}

func (t *textWriter) line(s string) { t.out.WriteString(s + "\n") }

// text paints spans.
func (t *textWriter) text(spans Text) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(t.Paint(s.Style, quote.Plain(s.Text)))
	}
	return b.String()
}

// labelled writes a wrapped text with a label beside its first line.
func (t *textWriter) labelled(label, text string) {
	const indent = 13
	beside := fmt.Sprintf("  %-*s", indent-2, quote.Plain(label))
	for _, line := range Wrap(quote.Plain(text), max(t.columns()-indent, least)) {
		t.line(t.Paint(Dim, beside) + line)
		beside = strings.Repeat(" ", indent)
	}
}

// entry writes a head and a text that wraps under itself; where that gets too
// narrow, the text begins below the head.
func (t *textWriter) entry(e Entry) {
	head := t.text(e.Head)
	indent := lipgloss.Width(head) + 2
	if t.columns()-indent < least {
		t.line(head)
		head, indent = "", 4
	}
	for i, line := range Wrap(quote.Plain(e.Text), max(t.columns()-indent, least)) {
		if i == 0 && head != "" {
			t.line(strings.TrimRight(head+"  "+line, " "))
			continue
		}
		t.line(strings.Repeat(" ", indent) + line)
	}
}

func (t *textWriter) item(i Item) {
	const least = 20
	lead := strings.Repeat(" ", i.Indent) + quote.Plain(i.Mark)
	lines := []string{quote.Plain(i.Text)}
	if !i.Unbroken {
		lines = Wrap(lines[0], max(t.columns()-len(lead), least))
	}
	for _, line := range lines {
		t.line(lead + line)
		lead = strings.Repeat(" ", len(lead))
	}
}
