package drawing

import (
	"slices"
	"strings"
)

// route draws the lines: straight down where one box stands under the other,
// else down, across just above the lower one, and down.
func (g *pathDrawing) route() {
	labelled := map[Point]bool{}
	for _, l := range g.d.Lines {
		a, b := g.nodes[l.From], g.nodes[l.To]
		from, to := Point{a.centre(), a.bottom()}, Point{b.centre(), b.Y}
		switch {
		case a.Class == Switch && b.Class == Switch:
			from.X = max(a.X, b.X) + gutter/4 // beside the hosts
			to.X = from.X
		case a.Class == Switch:
			from.X = to.X
		case b.Class == Switch:
			to.X = from.X
		}
		if from.X == to.X {
			l.Points = []Point{from, to}
		} else {
			across := to.Y - laneY/2
			if a.host != b.host {
				across = g.d.box(a.In).bottom() + laneY/2
			}
			l.Points = []Point{from, {from.X, across}, {to.X, across}, to}
		}
		// Lines from one box have the same: it stands there once.
		if start := l.Points[0]; l.Label != "" && !labelled[start] {
			labelled[start] = true
			g.d.put("", "proved", l.Label, start.X+6, start.Y+13, 10, nodeW/2-6)
		}
	}
}

// write places the texts of boxes.
func (g *pathDrawing) write() {
	d := g.d
	d.put("", "title", d.Title, margin, 26, 16, d.Width-2*margin)
	for _, b := range d.Boxes {
		room := b.W - 2*pad
		switch b.Class {
		case System:
			d.put(b.ID, "dim", "system "+b.Name, b.X+gutter, b.Y+18, textSize, b.W-2*gutter)
		case Switch:
			d.put(b.ID, "dim", b.Name, b.X+pad, b.Y+17, textSize, room)
			facts := slices.DeleteFunc(b.Facts, func(s string) bool { return s == "" })
			d.put(b.ID, "plain", strings.Join(facts, "; "), b.X+pad, b.Y+31, textSize, room)
		case Host:
			d.put(b.ID, "name", b.Name, b.X+pad, b.Y+17, nameSize, room)
			if b.Kind != "" {
				d.put(b.ID, "dim", b.Kind, b.X+pad, b.Y+31, textSize, room)
			}
			if b.Cores != nil {
				d.put(b.ID, "plain", b.Cores.String(), b.X+pad, b.Y+46, textSize, room)
			}
		case Element:
			d.element(b, room)
		}
	}
}

func (d *Drawing) element(b *Box, room float64) {
	y := b.Y + 16
	marks := float64(len(b.Marks)) * markW
	d.put(b.ID, "name", b.Name, b.X+pad, y, nameSize, room-min(marks, room/2))
	if b.Kind != "" {
		y += lineH
		d.put(b.ID, "dim", b.Kind, b.X+pad, y, textSize, room)
	}
	for _, f := range b.Facts {
		y += lineH
		d.put(b.ID, "plain", f, b.X+pad, y, textSize, room)
	}
	for _, c := range b.Change {
		y += lineH
		d.put(b.ID, "change", c, b.X+pad, y, textSize, room)
	}
}
