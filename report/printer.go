package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"

	"seaworthy/report/quote"
)

// Printer writes to one stream. What could not be written is in Err.
type Printer struct {
	W     io.Writer
	Err   error
	Color bool
	Width int  // columns to wrap prose at; 0: 120
	HTML  bool // write elements of a page instead of lines; see Page
}

// styles are looked up by what a text means, not by how it looks.
var styles = map[string]lipgloss.Style{
	"critical": lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true),
	"high":     lipgloss.NewStyle().Foreground(lipgloss.Color("1")),
	"medium":   lipgloss.NewStyle().Foreground(lipgloss.Color("3")),
	"low":      lipgloss.NewStyle().Foreground(lipgloss.Color("6")),
	"info":     lipgloss.NewStyle().Foreground(lipgloss.Color("8")),
	"good":     lipgloss.NewStyle().Foreground(lipgloss.Color("2")),
	"bad":      lipgloss.NewStyle().Foreground(lipgloss.Color("1")),
	"dim":      lipgloss.NewStyle().Foreground(lipgloss.Color("8")),
	"head":     lipgloss.NewStyle().Bold(true),
}

// Style paints a text if the printer has colour.
func (p *Printer) Style(meaning, text string) string {
	if _, ok := styles[meaning]; ok && p.HTML && text != "" {
		return markStyle + meaning + markText + text + markEnd
	}
	if s, ok := styles[meaning]; ok && p.Color && text != "" {
		return s.Render(text)
	}
	return text
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
	if _, err := io.WriteString(p.W, p.safe(fmt.Sprintf(format, args...))+"\n"); err != nil && p.Err == nil {
		p.Err = err
	}
}

// painted are the escape sequences of styles.
var painted = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for _, s := range styles {
		before, after, _ := strings.Cut(s.Render("x"), "x")
		all = append(all, regexp.QuoteMeta(before), regexp.QuoteMeta(after))
	}
	return regexp.MustCompile(strings.Join(all, "|"))
})

// safe is the last that happens to a line: whoever forgot to make a host's text
// harmless is covered, and of escape sequences only those of styles stay.
func (p *Printer) safe(line string) string {
	if !p.Color {
		return Safe(line)
	}
	var b strings.Builder
	end := 0
	for _, at := range painted().FindAllStringIndex(line, -1) {
		b.WriteString(Safe(line[end:at[0]]) + line[at[0]:at[1]])
		end = at[1]
	}
	return b.String() + Safe(line[end:])
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
			p.write("<p class=\"prose\"><b>" + element(label) + "</b> " + element(Safe(text)) + "</p>\n")
			continue
		}
		first := fmt.Sprintf("  %-*s", indent-2, label)
		for _, line := range wrap(Safe(text), max(p.Columns()-indent, 30)) {
			p.Line("%s%s", p.Style("dim", first), line)
			first = strings.Repeat(" ", indent)
		}
	}
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

func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range breakable(text, width) {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// breakable splits a text where it may be broken: not before a percent sign, and
// within a list longer than a line also after its commas.
func breakable(text string, width int) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if strings.Trim(w, "%:;,.)") == "" && len(out) > 0 {
			out[len(out)-1] += " " + w
			continue
		}
		for left := lipgloss.Width(w); left > width && width > 0; {
			cut := strings.LastIndexByte(w[:min(width, len(w))], ',') + 1
			if cut == 0 {
				break
			}
			out = append(out, w[:cut])
			left, w = left-lipgloss.Width(w[:cut]), w[cut:]
		}
		out = append(out, w)
	}
	return out
}

// wrapItems wraps a text of items that two blanks keep apart, and breaks an item
// only if it is longer than a line.
func wrapItems(text string, width int) []string {
	if !strings.Contains(text, "  ") {
		return wrap(text, width)
	}
	lines := []string{""}
	for item := range strings.SplitSeq(text, "  ") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = item
		case lipgloss.Width(*last)+2+lipgloss.Width(item) <= width:
			*last += "  " + item
		default:
			lines = append(lines, item)
		}
	}
	var out []string
	for _, l := range lines {
		if lipgloss.Width(l) > width {
			out = append(out, wrap(l, width)...)
			continue
		}
		out = append(out, l)
	}
	return out
}

// Safe makes a text that a host printed harmless for a terminal: what is not
// to be seen, controls the terminal, or turns the order of letters round
// becomes a visible dot.
func Safe(s string) string { return quote.Plain(s) }
