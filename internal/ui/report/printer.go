package report

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
)

// Printer writes to one stream. What could not be written is in Err. With HTML
// set it writes the same output as elements: tables become tables, prose becomes
// paragraphs, and what is coloured on a terminal has a class. Texts are escaped
// where they are written, so nothing that a host or a file says becomes an element.
type Printer struct {
	W     io.Writer
	Err   error
	Color bool
	Width int  // columns to wrap prose at; 0: 120
	HTML  bool // write elements of a page instead of lines; see Page
}

// Line prints one line.
func (p *Printer) Line(format string, args ...any) {
	if p.HTML {
		text := fmt.Sprintf(format, args...)
		if text == "" {
			p.write("<div class=\"gap\"></div>\n")
			return
		}
		p.write("<p>" + element(text) + "</p>\n")
		return
	}
	p.write(p.safe(fmt.Sprintf(format, args...)) + "\n")
}

// Columns is how wide the text may be.
func (p *Printer) Columns() int {
	if p.Width > 0 {
		return p.Width
	}
	return 120
}

// Prose prints each text wrapped and indented, with a label before its first line.
func (p *Printer) Prose(label string, texts ...string) {
	const indent = 13
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if p.HTML {
			p.labelled(label, element(Safe(text)))
			continue
		}
		first := fmt.Sprintf("  %-*s", indent-2, label)
		for _, line := range wrap(Safe(text), max(p.Columns()-indent, 30)) {
			p.Line("%s%s", p.Style("dim", first), line)
			first = strings.Repeat(" ", indent)
		}
	}
}

// Code is Prose of one text that a host printed or takes: on a page in a typewriter's letters.
func (p *Printer) Code(label, text string) {
	if !p.HTML {
		p.Prose(label, text)
		return
	}
	p.labelled(label, "<code>"+element(Safe(text))+"</code>")
}

// further has what a terminal shows with -v only; a page has it folded.
func (p *Printer) further(what string, print func()) {
	if !p.HTML {
		p.Prose("", what+" (-v)")
		return
	}
	p.write("<details><summary>" + element(Safe(what)) + "</summary>\n")
	print()
	p.write("</details>\n")
}

// labelled writes markup beside a label.
func (p *Printer) labelled(label, markup string) {
	p.write("<p class=\"prose\"><b>" + element(label) + " </b>" + markup + "</p>\n")
}

// Entry prints a heading and, beside it, a text that wraps under itself. The
// head may be styled; the text is made safe.
func (p *Printer) Entry(head, text string) {
	if p.HTML {
		p.write("<p>" + element(head) + "  " + element(Safe(text)) + "</p>\n")
		return
	}
	indent := lipgloss.Width(head) + 2
	if p.Columns()-indent < 30 {
		p.Line("%s", head)
		head, indent = "", 4
	}
	for i, line := range wrap(Safe(text), max(p.Columns()-indent, 30)) {
		if i == 0 && head != "" {
			p.Line("%s", strings.TrimRight(head+"  "+line, " "))
			continue
		}
		p.Line("%s%s", strings.Repeat(" ", indent), line)
	}
}

// write writes a text as it is.
func (p *Printer) write(markup string) {
	if _, err := io.WriteString(p.W, markup); err != nil && p.Err == nil {
		p.Err = err
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
