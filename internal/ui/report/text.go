package report

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"

	"seaworthy/internal/ui/report/quote"
)

// Safe makes a text that a host printed harmless for a terminal: what is not
// to be seen, controls the terminal, or turns the order of letters round
// becomes a visible dot.
func Safe(s string) string { return quote.Plain(s) }

// Dash is a text, or a dash where it is unknown.
func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return Safe(s)
}

// Count prints a number of things.
func Count(n int) string { return strconv.Itoa(n) }

// Plural is a number of things: 1 host, 2 hosts.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
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
