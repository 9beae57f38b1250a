package report

import (
	"fmt"
	"strings"

	"seaworthy/inventory"
)

// PathDOT writes a path as a graph in the DOT language of Graphviz: a cluster
// per host, a node per element.
func PathDOT(f *inventory.Fleet, path *inventory.Path) []byte {
	g := graphOf(f, path)
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("digraph path {")
	p("  label=%s; labelloc=t; fontname=\"Helvetica\"; rankdir=TB;", dotText(g.title))
	p("  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];")
	p("  edge [dir=both, fontname=\"Helvetica\", fontsize=9];")
	for i, l := range g.lanes {
		p("  subgraph cluster_%d {", i)
		p("    label=%s; color=gray;", dotText(strings.TrimSpace(l.host+" "+l.system)))
		for k, x := range g.boxes {
			if x.lane == i && !x.outside {
				p("    %s", dotNode(k, x))
			}
		}
		p("  }")
	}
	for k, x := range g.boxes {
		if x.outside {
			p("  %s", dotNode(k, x))
		}
	}
	for _, e := range g.lines {
		if e.note == "" {
			p("  n%d -> n%d;", e.from, e.to)
			continue
		}
		p("  n%d -> n%d [label=%s];", e.from, e.to, dotText(e.note))
	}
	for i, n := range g.notes {
		p("  gap%d [shape=note, color=red, label=%s];", i, dotText(strings.Join(wrap(Safe("gap: "+n), 50), "\n")))
	}
	p("}")
	return []byte(b.String())
}

func dotNode(k int, x box) string {
	label := x.name
	if x.name != x.kind {
		label += "\n" + x.kind
	}
	for _, w := range boxText(x.attrs, 36) {
		label += "\n" + w
	}
	style := ""
	switch {
	case x.outside:
		style = ", shape=ellipse, style=dashed"
	case x.down:
		style = ", color=red"
	}
	return fmt.Sprintf("n%d [label=%s%s];", k, dotText(label), style)
}

// dotText quotes a text: what a host printed must not become part of the graph.
func dotText(s string) string {
	var lines []string
	for l := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.ReplaceAll(strings.ReplaceAll(Safe(l), `\`, `\\`), `"`, `\"`))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
