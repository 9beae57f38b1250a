package cli

import (
	"fmt"

	"seaworthy/lab/replay"
	"seaworthy/report"
)

// squareWidth is how wide a terminal has to be for the table of hosts by hosts.
const squareWidth = 118

// matrix prints the table of hosts by hosts where there is room, and every way
// with what the larger window gives, in the legend's colours.
func matrix(p *report.Printer, m *replay.Matrix) {
	if p.Columns() >= squareWidth {
		for i := range m.Windows {
			square(p, m, m.Windows[i])
		}
	}
	ways(p, m)
	p.Line("The source's figure is under the window, ours beside it; gain: the larger window.")
	p.Line("Gbit/s, ours: %s (r) to 1, %s (o) to 3, %s (y) to 5, %s (g) above", p.Style(legend[replay.Red], "red"),
		p.Style(legend[replay.Orange], "orange"), p.Style(legend[replay.Yellow], "yellow"), p.Style(legend[replay.Green], "green"))
	p.Line("")
}

func square(p *report.Printer, m *replay.Matrix, window int) {
	type end struct{ node, option string }
	cells := map[[2]end]replay.MatrixCell{}
	for _, x := range m.Cells {
		if x.Window == window {
			cells[[2]end{{x.From, x.Option}, {x.To, x.Far}}] = x
		}
	}
	t := report.Table{Head: []string{"source", "option"}}
	var ends []end
	var sources []string // in words
	for _, h := range m.Hosts {
		for _, o := range m.Options {
			ends, sources = append(ends, end{h.Node, o}), append(sources, h.Node+" ("+h.System+", "+h.Seed+")")
			t.Head = append(t.Head, " "+h.Node+" "+o)
		}
	}
	colours := map[[2]int]string{}
	for i, from := range ends {
		row := []string{report.Safe(sources[i]), from.option}
		for _, to := range ends {
			text := ""
			if x, ok := cells[[2]end{from, to}]; ok {
				text = fmt.Sprintf("%.1f→%s", x.Seed/1e9, ours(x))
				colours[[2]int{i, len(row)}] = x.Colour
			}
			row = append(row, text)
		}
		t.Add(row...)
	}
	t.Means = func(row, col int) string { return legend[colours[[2]int{row, col}]] }
	p.Line("window %d bytes: source→ours, Gbit/s", window)
	t.Print(p)
	p.Line("")
}

// ways lists every way with all windows, and the last against the first.
func ways(p *report.Printer, m *replay.Matrix) {
	t := report.Table{Head: []string{"way"}}
	for _, w := range m.Windows {
		t.Head = append(t.Head, fmt.Sprintf(" %d KB", w>>10), " ours")
	}
	t.Head = append(t.Head, " gain", " ours")
	type way struct{ from, option, to, far string }
	var order []way
	cells := map[way][]replay.MatrixCell{}
	for _, c := range m.Cells {
		k := way{c.From, c.Option, c.To, c.Far}
		if cells[k] == nil {
			order = append(order, k)
		}
		cells[k] = append(cells[k], c)
	}
	colours := map[[2]int]string{}
	for _, k := range order {
		row := []string{report.Safe(fmt.Sprintf("%s %s to %s %s", k.from, k.option, k.to, k.far))}
		for _, c := range cells[k] {
			row = append(row, fmt.Sprintf("%.1f", c.Seed/1e9), ours(c))
			colours[[2]int{len(t.Rows), len(row) - 1}] = c.Colour
		}
		first, last := cells[k][0], cells[k][len(cells[k])-1]
		gain := "-"
		if first.Ours != nil && last.Ours != nil && first.Ours.Median > 0 {
			gain = fmt.Sprintf("×%.2f", last.Ours.Median/first.Ours.Median)
		}
		t.Add(append(row, fmt.Sprintf("×%.2f", last.Seed/first.Seed), gain)...)
	}
	t.Means = func(row, col int) string { return legend[colours[[2]int{row, col}]] }
	t.Print(p)
	p.Line("")
}

// ours is a cell's throughput with the first letter of its colour.
func ours(x replay.MatrixCell) string {
	if x.Ours == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%.1s", x.Ours.Median/1e9, x.Colour)
}

// legend are the printer's styles of the colours.
var legend = map[string]string{replay.Red: "high", replay.Orange: "medium", replay.Yellow: "low", replay.Green: "good"}
