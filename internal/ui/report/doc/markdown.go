package doc

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"seaworthy/internal/ui/report/quote"
)

// WriteMarkdown writes a document as Markdown (CommonMark with the tables of GitHub).
// Figures are left out.
func WriteMarkdown(w io.Writer, d *Document) error {
	m := &markdownWriter{}
	m.blocks(d.Blocks)
	_, err := w.Write(m.out.Bytes())
	return err
}

type markdownWriter struct {
	out  bytes.Buffer
	list bool // the last block was an item of a list
}

func (m *markdownWriter) blocks(all []Block) {
	for _, b := range all {
		m.write(b)
	}
}

func (m *markdownWriter) write(b Block) {
	switch b := b.(type) {
	case Heading:
		m.paragraph(strings.Repeat("#", b.Level) + " " + quote.Markdown(b.Text))
	case Line:
		m.paragraph(quote.MarkdownStart(markdownText(b.Text)))
	case Prose:
		m.item(b.Label, quote.Markdown(b.Text))
	case Code:
		m.item(b.Label, quote.MarkdownCode(b.Text))
	case Entry:
		m.paragraph(quote.MarkdownStart(markdownText(b.Head) + " " + quote.Markdown(b.Text)))
	case Item:
		m.paragraph(quote.MarkdownStart(quote.Markdown(b.Mark + b.Text)))
	case Lead:
		for _, s := range b.Sentences {
			m.item("", quote.Markdown(s))
		}
	case Fold:
		m.paragraph(quote.MarkdownStart(quote.Markdown(b.Summary) + ":"))
		m.blocks(b.Blocks)
	case Only:
		if b.Media.has(Page) {
			m.blocks(b.Blocks)
		}
	case *Table:
		if b.Media.has(Page) {
			m.table(b.on(Page))
		}
	case Gap, Figure: // blocks are apart already; a text has no pictures
	}
}

// paragraph writes lines that a blank line divides from what is before.
func (m *markdownWriter) paragraph(text string) {
	m.apart()
	m.list = false
	m.out.WriteString(text + "\n")
}

// item writes an item of a list.
func (m *markdownWriter) item(label, text string) {
	if !m.list {
		m.apart()
	}
	m.list = true
	label = strings.TrimSpace(label)
	if label != "" {
		text = "**" + quote.Markdown(label) + "** " + text
	} else {
		text = quote.MarkdownStart(text)
	}
	m.out.WriteString("- " + text + "\n")
}

func (m *markdownWriter) apart() {
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
}

// markdownText has heads in bold. Other styles only colour a text.
func markdownText(t Text) string {
	var b strings.Builder
	for _, s := range t {
		text := quote.Markdown(s.Text)
		if s.Style == Head && strings.TrimSpace(s.Text) == s.Text {
			text = "**" + text + "**"
		}
		b.WriteString(text)
	}
	return strings.TrimSpace(blanks.ReplaceAllString(b.String(), " "))
}

// blanks only align text on a terminal.
var blanks = regexp.MustCompile(` {2,}`)

func (m *markdownWriter) table(t *Table) {
	var head, rule []string
	for _, c := range t.Columns {
		head = append(head, quote.Markdown(c.title()))
		if c.Right {
			rule = append(rule, "---:")
		} else {
			rule = append(rule, "---")
		}
	}
	lines := []string{tableLine(head), tableLine(rule)}
	for _, r := range t.Rows {
		cells := make([]string, len(t.Columns))
		for i, c := range r.Cells {
			cells[i] = markdownCell(c, r.Kind)
		}
		lines = append(lines, tableLine(cells))
	}
	m.paragraph(strings.Join(lines, "\n"))
}

func tableLine(cells []string) string { return fmt.Sprintf("| %s |", strings.Join(cells, " | ")) }

func markdownCell(c Cell, kind RowKind) string {
	if c.Repeated {
		return ""
	}
	text := quote.Markdown(c.Text)
	if kind == Group && c.Text != "" {
		return "**" + text + "**"
	}
	// A tree's branches stay; other leads only indent.
	if lead := strings.TrimSpace(c.Lead); lead != "" {
		return quote.Markdown(lead) + " " + text
	}
	return text
}
