package doc

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"seaworthy/internal/ui/report/quote"
)

// WriteHTML writes a document as elements of a page. What is coloured on a terminal
// has a class.
func WriteHTML(w io.Writer, d *Document) error {
	h := &htmlWriter{}
	h.blocks(d.Blocks)
	_, err := w.Write(h.out.Bytes())
	return err
}

type htmlWriter struct{ out bytes.Buffer }

func (h *htmlWriter) blocks(all []Block) {
	for _, b := range all {
		h.write(b)
	}
}

func (h *htmlWriter) write(b Block) {
	switch b := b.(type) {
	case Heading:
		if b.Level == 2 {
			h.print("<h2>%s</h2>\n", quote.XML(b.Text))
			return
		}
		h.print("<p>%s</p>\n", spans(Styled(Head, b.Text)))
	case Line:
		h.print("<p>%s</p>\n", spans(b.Text))
	case Gap:
		h.print("<div class=\"gap\"></div>\n")
	case Prose:
		h.print("<p class=\"prose\"><b>%s </b>%s</p>\n", quote.XML(b.Label), quote.XML(b.Text))
	case Code:
		label := b.Label
		if b.Unbroken {
			label = strings.TrimSpace(label) // a terminal indents some
		}
		h.print("<p class=\"prose\"><b>%s </b><code>%s</code></p>\n", quote.XML(label), quote.XML(b.Text))
	case Entry:
		h.print("<p>%s  %s</p>\n", spans(b.Head), quote.XML(b.Text))
	case Item:
		h.print("<p>%s%s</p>\n", quote.XML(b.Mark), quote.XML(b.Text))
	case Lead:
		h.print("<ul class=\"lead\">\n")
		for _, s := range b.Sentences {
			h.print("<li>%s</li>\n", quote.XML(s))
		}
		h.print("</ul>\n")
	case Figure:
		h.figure(b)
	case Fold:
		h.print("<details><summary>%s</summary>\n", quote.XML(b.Summary))
		h.blocks(b.Blocks)
		h.print("</details>\n")
	case Only:
		if b.Media.has(Page) {
			h.blocks(b.Blocks)
		}
	case *Table:
		if b.Media.has(Page) {
			h.table(b.on(Page))
		}
	}
}

// print writes markup. Arguments are escaped by the caller.
func (h *htmlWriter) print(format string, args ...any) { fmt.Fprintf(&h.out, format, args...) }

// spans escapes a text and gives its styled parts their class.
func spans(t Text) string {
	var b bytes.Buffer
	for _, s := range t {
		if _, known := styles[s.Style]; !known || s.Text == "" {
			b.WriteString(quote.XML(s.Text))
			continue
		}
		fmt.Fprintf(&b, `<span class="%s">%s</span>`, s.Style, quote.XML(s.Text))
	}
	return b.String()
}

// figure writes a picture; a narrow screen scrolls it.
func (h *htmlWriter) figure(f Figure) {
	h.print("<figure>\n<figcaption>%s</figcaption>\n", quote.XML(f.Title))
	h.print(`<div class="scroll" tabindex="0" role="region" aria-label="%s">`+"\n%s</div>\n", quote.XML(f.Title), f.Draw())
	if f.Numbers != nil {
		h.print("<details><summary>Numbers</summary>\n")
		h.table(f.Numbers.on(Page))
		h.print("</details>\n")
	}
	h.print("</figure>\n")
}

func (h *htmlWriter) table(t *Table) {
	h.print("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\">\n<table>\n<thead><tr>")
	for _, c := range t.Columns {
		tag := "th"
		if c.Name == "" {
			tag = "td" // an empty header names nothing
		}
		h.print("<%s%s>%s</%[1]s>", tag, side(c), quote.XML(c.Name))
	}
	h.print("</tr></thead>\n<tbody>\n")
	for _, r := range t.Rows {
		if r.Kind != Values {
			h.print("<tr><td colspan=\"%d\">%s</td></tr>\n", len(t.Columns), cellMarkup(r.Cells[0]))
			continue
		}
		h.print("<tr>")
		for i, c := range r.Cells {
			h.print("<td%s>%s</td>", side(t.Columns[i]), cellMarkup(c))
		}
		h.print("</tr>\n")
	}
	h.print("</tbody>\n</table>\n</div>\n")
}

func side(c Column) string {
	if c.Right {
		return ` class="n"`
	}
	return ""
}

func cellMarkup(c Cell) string {
	if c.Repeated {
		return ""
	}
	return quote.XML(c.Lead) + spans(Text{{c.Text, c.Style}})
}
