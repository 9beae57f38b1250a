package drawing

import (
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/ui/report/quote"
	"seaworthy/internal/ui/report/typeset"
)

// Class of a box.
type Class string

const (
	System  Class = "system"  // a managed system
	Host    Class = "host"    // LPAR, VIOS or Linux system
	Element Class = "element" // of a host
	Switch  Class = "switch"  // no host owns it
)

// Drawing is boxes, lines and texts, laid out in px from the upper left corner.
type Drawing struct {
	Title         string
	Caption       string // above it on a page; "": Path
	Width, Height float64
	Boxes         []*Box // outer ones before inner ones
	Lines         []*Line
	Texts         []Text
	Notes         []Note // what the numbers in the boxes refer to, from 1
}

// Box is a system, a host, an element or a switch.
type Box struct {
	Rect
	ID     string // unique: "lpar1:en0"
	In     string // the box that it stands in; "": none
	Class  Class
	Name   string
	Kind   string   // "SEA"; of a host its platform
	Facts  []string // "MTU 1500"
	Change []string // "mtu_bypass: off → on": what a plan changes here
	Marks  []int    // numbers of notes
	Cores  *Cores   // of a host
	// Standby: it does not carry the frames now, or does not say that it does.
	Standby bool
	Down    bool // its link
}

// Cores are a host's: what was used, and the entitlement or limit if known.
type Cores struct {
	Used  float64
	Limit *float64
}

// share is the part of the limit that is used, at most 1; 0 without a limit.
func (c *Cores) share() float64 {
	if c.Limit == nil || *c.Limit <= 0 {
		return 0
	}
	return min(c.Used / *c.Limit, 1)
}

// Note is a finding, lost packets, or a join that could not be proved.
type Note struct {
	Kind string // a severity; "drops"; "gap"
	At   string // lpar1:en0
	Text string
}

// Line joins two boxes, the upper one first.
type Line struct {
	From, To string
	Standby  bool
	Label    string // on the lines of the path, where a frame size is proved
	Points   []Point
}

// Point is a place in px.
type Point struct{ X, Y float64 }

// Rect is an upright rectangle in px.
type Rect struct{ X, Y, W, H float64 }

func (r Rect) right() float64  { return r.X + r.W }
func (r Rect) bottom() float64 { return r.Y + r.H }
func (r Rect) centre() float64 { return r.X + r.W/2 }

// Overlaps reports whether two rectangles share an area.
func (r Rect) Overlaps(o Rect) bool {
	return r.X < o.right() && o.X < r.right() && r.Y < o.bottom() && o.Y < r.bottom()
}

// Holds reports whether another rectangle lies inside.
func (r Rect) Holds(o Rect) bool {
	return r.X <= o.X && r.Y <= o.Y && r.right() >= o.right() && r.bottom() >= o.bottom()
}

// Options hold what is drawn beside the elements.
type Options struct {
	Findings []finding.Finding   // marks on their elements
	Changes  map[string][]string // by element, "lpar1:en0": "mtu_bypass: off → on"
	Cores    map[string]float64  // used, by host: measured; else as the host reported
	Proved   int                 // bytes of the largest packet that was seen to pass; 0: none
}

// box finds a box; nil if there is none.
func (d *Drawing) box(id string) *Box {
	for _, b := range d.Boxes {
		if b.ID == id {
			return b
		}
	}
	return nil
}

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
