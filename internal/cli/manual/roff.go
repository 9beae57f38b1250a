package manual

import (
	"fmt"
	"strings"
)

// page is a manual page as troff's macros of man(7) have it.
type page struct{ text strings.Builder }

// escape keeps troff from taking text for its own: backslashes, hyphens that are typed, and controls at the start of a line.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// title begins a page of section 1; source is the program with its version.
func (p *page) title(name, date, source string) {
	p.line(`.TH "%s" "1" "%s" "%s" "User Commands"`, escape(strings.ToUpper(name)), escape(date), escape(source))
	p.line(".nh") // names of flags are not hyphenated
}

func (p *page) section(name string) { p.line(`.SH "%s"`, escape(name)) }

// term is a flag, a file or a status with its meaning.
func (p *page) term(name, meaning string) {
	p.line(".TP")
	p.line(`\fB%s\fR`, escape(name))
	p.line("%s", escape(meaning))
}

// prose prints paragraphs. Lines that begin with a space stand as they are.
func (p *page) prose(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		asIs := false
		for text := range strings.Lines(paragraph) {
			text = strings.TrimRight(text, "\n")
			indented := strings.HasPrefix(text, " ")
			switch {
			case indented && !asIs:
				p.line(".EX")
			case !indented && asIs:
				p.line(".EE")
			}
			asIs = indented
			p.line("%s", escape(text))
		}
		if asIs {
			p.line(".EE")
		}
	}
}

// examples prints command lines as they are typed.
func (p *page) examples(text string) {
	p.line(".EX")
	for text := range strings.Lines(strings.Trim(text, "\n")) {
		p.line("%s", escape(strings.TrimRight(text, "\n")))
	}
	p.line(".EE")
}
