package report

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
)

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
