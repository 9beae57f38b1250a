package drawing

import (
	"seaworthy/report/quote"
	"seaworthy/report/typeset"
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
	return Rect{t.X, t.Y - 0.8*t.Size, typeset.Width(t.Text, t.Size, t.bold()), t.Size}
}

func (t *Text) bold() bool { return t.Class == "name" || t.Class == "title" || t.Class == "number" }

// put adds a text, cut to a width in px.
func (d *Drawing) put(in, class, s string, x, y, size, room float64) {
	if s == "" {
		return
	}
	t := Text{Point: Point{x, y}, Size: size, Class: class, In: in}
	s = quote.Plain(s)
	t.Text = typeset.Cut(s, room, size, t.bold())
	if t.Text != s {
		t.Full = s
	}
	d.Texts = append(d.Texts, t)
}
