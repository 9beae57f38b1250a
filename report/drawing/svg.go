package drawing

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/report/quote"
)

// Style is the sheet of all drawings: a page has it once, a file in itself.
//
//go:embed style.css
var Style string

// SVG is the drawing as a file of its own.
func (d *Drawing) SVG() []byte {
	return d.svg(` xmlns="http://www.w3.org/2000/svg"`, "<style>"+Style+"</style>\n")
}

// Inline is the drawing for a page that has Style.
func (d *Drawing) Inline() []byte { return d.svg("", "") }

func (d *Drawing) svg(space, style string) []byte {
	var b bytes.Buffer
	title := quote.XML(d.Title)
	b.WriteString("<svg" + space + ` class="sea" role="img"`)
	fmt.Fprintf(&b, ` aria-label="%s" width="%s" height="%s" viewBox="0 0 %[2]s %[3]s">`+"\n<title>%[1]s</title>\n%[4]s",
		title, px(d.Width), px(d.Height), style)
	fmt.Fprintf(&b, `<rect class="page" width="%s" height="%s"/>`+"\n", px(d.Width), px(d.Height))
	for _, x := range d.Boxes {
		if x.Class != Element {
			x.svg(&b)
		}
	}
	for _, l := range d.Lines {
		var points []string
		for _, p := range l.Points {
			points = append(points, px(p.X)+","+px(p.Y))
		}
		fmt.Fprintf(&b, `<polyline class="line%s" points="%s"/>`+"\n", standby(l.Standby), strings.Join(points, " "))
	}
	for _, x := range d.Boxes {
		if x.Class == Element {
			x.svg(&b)
		}
	}
	for i := range d.Texts {
		d.Texts[i].svg(&b, d)
	}
	for _, x := range d.Boxes {
		d.marks(&b, x)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (x *Box) svg(b *bytes.Buffer) {
	class := string(x.Class) + standby(x.Standby)
	if x.Down {
		class += " down"
	}
	fmt.Fprintf(b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="6"/>`+"\n", class, px(x.X), px(x.Y), px(x.W), px(x.H))
	if x.Cores != nil {
		bar := Rect{x.X + pad, x.Y + headH + 10, x.W - 2*pad, 5} // below the number of cores
		for _, r := range []struct {
			class string
			width float64
		}{{"bar", bar.W}, {"used", bar.W * x.Cores.share()}} {
			fmt.Fprintf(b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`+"\n", r.class, px(bar.X), px(bar.Y), px(r.width), px(bar.H))
		}
	}
}

func (t *Text) svg(b *bytes.Buffer, d *Drawing) {
	class := t.Class
	if in := d.box(t.In); in != nil && in.Class == Host {
		class += " halo"
	}
	fmt.Fprintf(b, `<text class="%s" x="%s" y="%s" font-size="%s">%s`, class, px(t.X), px(t.Y), px(t.Size), quote.XML(t.Text))
	if t.Full != "" {
		fmt.Fprintf(b, "<title>%s</title>", quote.XML(t.Full))
	}
	b.WriteString("</text>\n")
}

// marks draws the numbers of a box's notes, from its upper right corner; those
// for which there is no room end in an ellipsis.
func (d *Drawing) marks(b *bytes.Buffer, x *Box) {
	most := int((x.W - 2*pad) / 2 / markW)
	for i, n := range x.Marks {
		note, text := d.Notes[n-1], strconv.Itoa(n)
		if i == most-1 && len(x.Marks) > most {
			text = "…"
		} else if i >= most {
			return
		}
		cx := x.right() - pad - markW/2 - float64(i)*markW + 4
		fmt.Fprintf(b, `<circle class="mark %s" cx="%s" cy="%s" r="8.5"/>`, note.Kind, px(cx), px(x.Y+13))
		fmt.Fprintf(b, `<text class="number" x="%s" y="%s" font-size="10" text-anchor="middle">%s<title>%s</title></text>`+"\n",
			px(cx), px(x.Y+16.5), text, quote.XML(note.Kind+" "+note.At+": "+note.Text))
	}
}

func standby(is bool) string {
	if is {
		return " standby"
	}
	return ""
}

// px is a length, to a tenth.
func px(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
