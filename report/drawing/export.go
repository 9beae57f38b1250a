package drawing

import (
	"bytes"
	"fmt"
	"strings"

	"seaworthy/report/quote"
)

// label is a box's text in other programs.
func (b *Box) label() string {
	name := b.Name
	if b.Class == Element {
		name = b.ID
	}
	lines := []string{name}
	for _, s := range append(append([]string{b.Kind}, b.Facts...), b.Change...) {
		if s != "" {
			lines = append(lines, s)
		}
	}
	if b.Cores != nil {
		lines = append(lines, b.Cores.String())
	}
	return strings.Join(lines, "\n")
}

// outside are the notes, one a line.
func (d *Drawing) outside() string {
	var lines []string
	for i, n := range d.Notes {
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", i+1, n.Kind, n.At, n.Text))
	}
	return strings.Join(lines, "\n")
}

// ids gives every box a name that no language reads anything into.
func (d *Drawing) ids() map[string]string {
	ids := map[string]string{}
	for i, b := range d.Boxes {
		ids[b.ID] = fmt.Sprintf("n%d", i)
	}
	return ids
}

// frames says whether others stand in a box.
func (b *Box) frames() bool { return b.Class == System || b.Class == Host }

// outline calls visit for the boxes in one, which calls inner for those in its box.
func (d *Drawing) outline(id, indent string, visit func(b *Box, indent string, inner func())) {
	for _, b := range d.Boxes {
		if b.In == id {
			visit(b, indent, func() { d.outline(b.ID, indent+"  ", visit) })
		}
	}
}

// anchor is the box that a line of Graphviz begins at: a cluster's first one.
func (d *Drawing) anchor(id string) string {
	for _, b := range d.Boxes {
		if b.In == id {
			return d.anchor(b.ID)
		}
	}
	return id
}

// DOT is the drawing for Graphviz: a cluster per system and host.
func (d *Drawing) DOT() []byte {
	var b bytes.Buffer
	ids := d.ids()
	fmt.Fprintf(&b, "graph path {\n  label=%s; labelloc=t; fontname=\"Helvetica\"; compound=true;\n"+
		"  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n", quote.DOT(d.Title))
	d.outline("", "  ", func(x *Box, indent string, inner func()) {
		if x.frames() {
			fmt.Fprintf(&b, "%ssubgraph cluster_%s {\n%s  label=%s;\n", indent, ids[x.ID], indent, quote.DOT(x.label()))
			inner()
			fmt.Fprintf(&b, "%s}\n", indent)
			return
		}
		look := ""
		switch {
		case x.Class == Switch:
			look = ", shape=ellipse"
		case x.Standby:
			look = ", style=\"rounded,dashed\""
		}
		if x.Down {
			look += ", color=red"
		}
		fmt.Fprintf(&b, "%s%s [label=%s%s];\n", indent, ids[x.ID], quote.DOT(x.label()), look)
	})
	for _, l := range d.Lines {
		look := ""
		if l.Standby {
			look = " [style=dashed]"
		}
		fmt.Fprintf(&b, "  %s -- %s%s;\n", ids[d.anchor(l.From)], ids[d.anchor(l.To)], look)
	}
	if n := d.outside(); n != "" {
		fmt.Fprintf(&b, "  notes [shape=note, label=%s];\n", quote.DOT(n))
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// Mermaid is the drawing for Markdown: a subgraph per system and host.
func (d *Drawing) Mermaid() []byte {
	var b bytes.Buffer
	ids := d.ids()
	b.WriteString("flowchart TB\n")
	d.outline("", "  ", func(x *Box, indent string, inner func()) {
		if x.frames() {
			fmt.Fprintf(&b, "%ssubgraph %s[%s]\n", indent, ids[x.ID], quote.Mermaid(strings.ReplaceAll(x.label(), "\n", " · ")))
			inner()
			fmt.Fprintf(&b, "%send\n", indent)
			return
		}
		fmt.Fprintf(&b, "%s%s[%s]\n", indent, ids[x.ID], quote.Mermaid(x.label()))
		if x.Standby {
			fmt.Fprintf(&b, "%sclass %s standby\n", indent, ids[x.ID])
		}
	})
	for _, l := range d.Lines {
		arrow := "---"
		if l.Standby {
			arrow = "-.-"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", ids[l.From], arrow, ids[l.To])
	}
	if n := d.outside(); n != "" {
		fmt.Fprintf(&b, "  notes>%s]\n", quote.Mermaid(n))
	}
	b.WriteString("  classDef standby stroke-dasharray:5 4\n")
	return b.Bytes()
}

// DrawIO is the drawing as a file of draw.io, at the places it has here.
func (d *Drawing) DrawIO() []byte {
	var b bytes.Buffer
	ids := d.ids()
	fmt.Fprintf(&b, `<mxfile><diagram name="%s"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>`+"\n", quote.XML(d.Title))
	cell := func(id, text, style string, r Rect) {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = quote.XML(lines[i])
		}
		fmt.Fprintf(&b, `<mxCell id="%s" value="%s" style="%s" vertex="1" parent="1">`+
			`<mxGeometry x="%s" y="%s" width="%s" height="%s" as="geometry"/></mxCell>`+"\n",
			id, strings.Join(lines, "&#10;"), style, px(r.X), px(r.Y), px(r.W), px(r.H))
	}
	for _, x := range d.Boxes {
		style := "rounded=1;arcSize=4;html=0;whiteSpace=wrap;verticalAlign=top;align=left;spacingLeft=6;fontSize=11;"
		if x.frames() {
			style += "fillColor=#eef2f6;strokeColor=#a9b5c2;"
		}
		if x.Standby {
			style += "dashed=1;"
		}
		cell(ids[x.ID], x.label(), style, x.Rect)
	}
	for i, l := range d.Lines {
		style := "endArrow=none;html=0;edgeStyle=orthogonalEdgeStyle;"
		if l.Standby {
			style += "dashed=1;"
		}
		fmt.Fprintf(&b, `<mxCell id="l%d" style="%s" edge="1" parent="1" source="%s" target="%s">`+
			`<mxGeometry relative="1" as="geometry"/></mxCell>`+"\n", i, style, ids[l.From], ids[l.To])
	}
	if n := d.outside(); n != "" {
		at := Rect{margin, d.Height, d.Width - 2*margin, lineH * float64(len(d.Notes))}
		cell("notes", n, "text;html=0;whiteSpace=wrap;align=left;fontSize=11;", at)
	}
	b.WriteString("</root></mxGraphModel></diagram></mxfile>\n")
	return b.Bytes()
}
