package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"io"

	"seaworthy/report/chart"
	"seaworthy/report/drawing"
)

// sheet is the page's style, for screen and paper, light and dark.
//
//go:embed page.css
var sheet string

var _ = register(Format{
	Name: "html",
	Fits: hasPage,
	Print: func(p *Printer, r Result) error {
		title, summary := Titled(r.Data)
		return Page(p.W, title, func(p *Printer) {
			p.Lead(summary)
			if d, ok := r.Data.(drawable); ok {
				p.Drawing(d.Drawing())
			}
			r.Text(p)
		})
	},
})

// Lead puts a summary in plain words on top of a page, or of a part. A terminal has none.
func (p *Printer) Lead(sentences []string) {
	if len(sentences) == 0 || !p.HTML {
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

// Style is the sheet of everything that a printer with HTML set writes.
func Style() string { return sheet + drawing.Style + chart.Style }
