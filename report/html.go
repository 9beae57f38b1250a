package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"seaworthy/report/chart"
	"seaworthy/report/drawing"
)

// A printer with HTML set writes the same output as elements: tables become
// tables, prose becomes paragraphs, and what is coloured on a terminal has a
// class. Texts are escaped where they are written, so nothing that a host or a
// file says becomes an element.

// Marks enclose styled text until it is escaped. Safe lets none of them through.
const (
	markStyle = "\x01"
	markText  = "\x02"
	markEnd   = "\x03"
)

var marked = regexp.MustCompile(markStyle + `([a-z]+)` + markText + `([^` + markStyle + markText + markEnd + `]*)` + markEnd)

// element escapes a text and gives its styled parts their class.
func element(text string) string {
	text = marked.ReplaceAllStringFunc(html.EscapeString(text), func(s string) string {
		m := marked.FindStringSubmatch(s)
		if _, known := styles[m[1]]; !known {
			return m[2]
		}
		return fmt.Sprintf(`<span class="%s">%s</span>`, m[1], m[2])
	})
	return Safe(text) // marks that enclose nothing
}

// write writes markup as it is.
func (p *Printer) write(markup string) {
	if _, err := io.WriteString(p.W, markup); err != nil && p.Err == nil {
		p.Err = err
	}
}

// html writes the table as one.
func (t *Table) html(p *Printer) {
	var b strings.Builder
	side := func(c int) string {
		if strings.HasPrefix(t.Head[c], " ") {
			return ` class="n"`
		}
		return ""
	}
	b.WriteString("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\">\n<table>\n<thead><tr>")
	for i, h := range t.Head {
		tag := "th"
		if strings.TrimSpace(h) == "" {
			tag = "td" // an empty header names nothing
		}
		fmt.Fprintf(&b, "<%s%s>%s</%[1]s>", tag, side(i), element(strings.TrimSpace(h)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, cells := range t.Rows {
		if t.spans(cells) {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\">%s</td></tr>\n", len(t.Head), element(cells[0]))
			continue
		}
		b.WriteString("<tr>")
		for c, text := range cells {
			fmt.Fprintf(&b, "<td%s>%s</td>", side(c), element(text))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n</div>\n")
	p.write(b.String())
}

// sheet is the page's style, for screen and paper, light and dark.
//
//go:embed page.css
var sheet string

// Style is the sheet of everything that a printer with HTML set writes.
func Style() string { return sheet + drawing.Style + chart.Style }

var _ = register(Format{
	Name: "html",
	Fits: hasPage,
	Print: func(p *Printer, r Result) error {
		title, summary := paged(r.Data)
		return Page(p.W, title, func(p *Printer) {
			p.lead(summary)
			if d, ok := r.Data.(drawable); ok {
				p.Drawing(d.Drawing())
			}
			r.Text(p)
		})
	},
})

// lead puts a summary in plain words on top of a page.
func (p *Printer) lead(sentences []string) {
	if len(sentences) == 0 {
		return
	}
	p.write("<ul class=\"lead\">\n")
	for _, s := range sentences {
		p.write("<li>" + element(Safe(s)) + "</li>\n")
	}
	p.write("</ul>\n")
}

// Page writes an HTML page that is self-contained; print fills it.
func Page(w io.Writer, title string, print func(p *Printer)) error {
	p := &Printer{W: w, HTML: true, Width: 1 << 16}
	p.write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n")
	// No script and nothing from elsewhere: only this very style sheet.
	style := Style()
	sum := sha256.Sum256([]byte(style))
	p.write("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'\">\n")
	p.write("<title>" + html.EscapeString(Safe(title)) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n")
	p.write("<main>\n<h1>" + element(Safe(title)) + "</h1>\n")
	print(p)
	p.write("</main>\n</body>\n</html>\n")
	return p.Err
}

// Drawing puts a drawing on a page. A terminal has none.
func (p *Printer) Drawing(d *drawing.Drawing) {
	if p.HTML && d != nil {
		p.scrolled("Path", d.Inline(), nil)
	}
}

// Heading begins a part of a report.
func (p *Printer) Heading(text string) {
	if p.HTML {
		p.write("<h2>" + element(Safe(text)) + "</h2>\n")
		return
	}
	p.Line("%s", p.Style("head", Safe(text)))
}
