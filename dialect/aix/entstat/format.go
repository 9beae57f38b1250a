package entstat

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Widths of the two columns and of the l-lan driver's tables.
const (
	columnWidth = 46
	rowLabel    = 24
	rowCell     = 9
)

type printer struct{ bytes.Buffer }

// head prints the device, the two columns and the general part.
func (p *printer) head(h *Head) {
	p.lines("Device Type: " + h.DeviceType)
	p.text("", "Hardware Address", h.HardwareAddress)
	if h.Elapsed != nil {
		p.text("", "Elapsed Time", FormatElapsed(*h.Elapsed))
	}
	p.lines("", columns("Transmit Statistics:", "Receive Statistics:"), columns(rule("-", 20), rule("-", 19)))
	for _, pair := range headCounters {
		left, right := counterNames(pair)
		l, hasLeft := h.Counters[left]
		r, hasRight := h.Counters[right]
		var texts [2]string
		if hasLeft {
			texts[0] = pair[0] + ": " + strconv.FormatUint(l, 10)
		}
		if hasRight {
			texts[1] = pair[1] + ": " + strconv.FormatUint(r, 10)
		}
		switch {
		case hasRight:
			p.lines(columns(texts[0], texts[1]))
		case hasLeft:
			p.lines(texts[0])
		}
		if hasLeft && pair[0] == "Current S/W+H/W Transmit Queue Length" {
			p.lines("")
		}
	}
	p.section("General Statistics")
	for _, name := range generalCounters {
		if n, ok := h.Counters[name]; ok {
			p.number("", name, &n)
		}
	}
	if h.Flags != nil {
		p.WriteString("Driver Flags: ")
		for i, f := range h.Flags {
			if i > 0 && i%3 == 0 {
				p.WriteString("\n\t")
			}
			p.WriteString(f + " ")
		}
		p.lines("")
	}
}

// lines prints whole lines.
func (p *printer) lines(texts ...string) {
	for _, t := range texts {
		p.WriteString(t + "\n")
	}
}

func rule(mark string, n int) string { return strings.Repeat(mark, n) }

func columns(left, right string) string { return fmt.Sprintf("%-*s%s", columnWidth, left, right) }

// section prints a heading with a rule below.
func (p *printer) section(name string) { p.lines("", name+":", rule("-", len(name)+1)) }

// text prints a label with its value; an empty one prints nothing.
func (p *printer) text(indent, label, value string) {
	if value != "" {
		p.lines(indent + label + ": " + value)
	}
}

// number prints a label with a number; nil prints nothing.
func (p *printer) number(indent, label string, n *uint64) {
	if n != nil {
		p.lines(indent + label + ": " + strconv.FormatUint(*n, 10))
	}
}

// state prints a label with one of two words; nil prints nothing.
func (p *printer) state(indent, label string, state *bool, yes, no string) {
	switch {
	case state == nil:
	case *state:
		p.text(indent, label, yes)
	default:
		p.text(indent, label, no)
	}
}

// row prints a row of a table; one without any number is left out.
func (p *printer) row(indent, label string, cells ...*uint64) {
	line, any := fmt.Sprintf("%-*s", rowLabel, indent+label), false
	for _, c := range cells {
		text := "-"
		if c != nil {
			text, any = strconv.FormatUint(*c, 10), true
		}
		line += fmt.Sprintf("%*s", rowCell, text)
	}
	if any {
		p.lines(line)
	}
}
