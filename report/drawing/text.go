package drawing

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"

	"seaworthy/report/quote"
)

// Text is one line of text. X and Y are its baseline's start.
type Text struct {
	Point
	Size  float64
	Class string // see style.css
	Text  string
	Full  string // the whole text, where Text was cut
	In    string // the box that it belongs to
}

// Rect is where the text is drawn.
func (t *Text) Rect() Rect {
	return Rect{t.X, t.Y - 0.8*t.Size, width(t.Text, t.Size, t.bold()), t.Size}
}

func (t *Text) bold() bool { return t.Class == "name" || t.Class == "title" || t.Class == "number" }

// width is how wide a text is at most, in px, in the fonts of the style sheet.
func width(s string, size float64, bold bool) float64 {
	em := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune(" .,:;'!|iljt()[]/", r):
			em += 0.36
		case strings.ContainsRune("mwMW@%→…—", r):
			em += 1.02
		case r > unicode.MaxLatin1:
			em += max(0.8, 1.05*float64(lipgloss.Width(string(r))))
		case unicode.IsUpper(r):
			em += 0.74
		default:
			em += 0.61
		}
	}
	if bold {
		em *= 1.07
	}
	return em * size
}

// cut shortens a text to a width in px.
func cut(s string, room, size float64, bold bool) string {
	if width(s, size, bold) <= room {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && width(string(r)+"…", size, bold) > room {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// fold breaks a text into lines of a width in px.
func fold(s string, room, size float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(quote.Plain(s)) {
		if line != "" && width(line+" "+word, size, false) > room {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// put adds a text, cut to a width in px.
func (d *Drawing) put(in, class, s string, x, y, size, room float64) {
	t := Text{Point: Point{x, y}, Size: size, Class: class, In: in}
	s = quote.Plain(s)
	t.Text = cut(s, room, size, t.bold())
	if t.Text != s {
		t.Full = s
	}
	d.Texts = append(d.Texts, t)
}
