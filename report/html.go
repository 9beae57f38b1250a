package report

import (
	"crypto/sha256"
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
	b.WriteString("<table>\n<thead><tr>")
	for i, h := range t.Head {
		fmt.Fprintf(&b, "<th%s>%s</th>", side(i), element(strings.TrimSpace(h)))
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
	b.WriteString("</tbody>\n</table>\n")
	p.write(b.String())
}

// sheet is the page's style, for screen and paper, light and dark.
const sheet = `:root{color-scheme:light dark;--good:#18794e;--bad:#c0392b;--warn:#9a6700;--dim:#6b7280;--line:#8884}
body{font:15px/1.45 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;margin:.6em 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.15em .8em .15em 0;white-space:pre-wrap;vertical-align:top}
th{border-bottom:1px solid var(--line)}.n{text-align:right}
p{margin:.2em 0;white-space:pre-wrap}.gap{height:.7em}
.prose b{color:var(--dim);font-weight:normal;display:inline-block;min-width:7em}
.good{color:var(--good)}.bad,.high,.critical{color:var(--bad)}.medium{color:var(--warn)}.dim,.info,.low{color:var(--dim)}
.head,.critical{font-weight:bold}svg{max-width:100%}
@media(prefers-color-scheme:dark){:root{--good:#4ade80;--bad:#f87171;--warn:#fbbf24;--dim:#9ca3af}}
`

// titled is a result that has a page of its own.
type titled interface{ PageTitle() string }

var _ = register(Format{
	Name: "html",
	Fits: func(data any) bool { _, ok := data.(titled); return ok },
	Print: func(p *Printer, r Result) error {
		return Page(p.W, r.Data.(titled).PageTitle(), func(p *Printer) {
			if d, ok := r.Data.(drawable); ok {
				p.Drawing(d.Drawing())
			}
			r.Text(p)
		})
	},
})

// Page writes an HTML page that is self-contained; print fills it.
func Page(w io.Writer, title string, print func(p *Printer)) error {
	p := &Printer{W: w, HTML: true, Width: 1 << 16}
	p.write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n")
	// No script and nothing from elsewhere: only this very style sheet.
	style := sheet + drawing.Style + chart.Style
	sum := sha256.Sum256([]byte(style))
	p.write("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'\">\n")
	p.write("<title>" + html.EscapeString(Safe(title)) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n")
	p.write("<h1>" + element(Safe(title)) + "</h1>\n")
	print(p)
	p.write("</body>\n</html>\n")
	return p.Err
}

// Drawing puts a drawing on a page. A terminal has none.
func (p *Printer) Drawing(d *drawing.Drawing) {
	if p.HTML {
		p.scrolled("The path "+d.Title, d.Inline(), nil)
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
