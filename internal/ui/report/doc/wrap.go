package doc

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Wrap breaks a text into lines of a width; only a longer word exceeds it.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range breakable(text, width) {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// breakable splits a text where it may be broken: not before a percent sign, and
// within a list longer than a line also after its commas.
func breakable(text string, width int) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if strings.Trim(w, "%:;,.)") == "" && len(out) > 0 {
			out[len(out)-1] += " " + w
			continue
		}
		for left := lipgloss.Width(w); left > width && width > 0; {
			cut := strings.LastIndexByte(w[:min(width, len(w))], ',') + 1
			if cut == 0 {
				break
			}
			out = append(out, w[:cut])
			left, w = left-lipgloss.Width(w[:cut]), w[cut:]
		}
		out = append(out, w)
	}
	return out
}

// wrapItems wraps a text of items that two blanks keep apart, and breaks an item
// only if it is longer than a line.
func wrapItems(text string, width int) []string {
	if !strings.Contains(text, "  ") {
		return Wrap(text, width)
	}
	lines := []string{""}
	for item := range strings.SplitSeq(text, "  ") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = item
		case lipgloss.Width(*last)+2+lipgloss.Width(item) <= width:
			*last += "  " + item
		default:
			lines = append(lines, item)
		}
	}
	var out []string
	for _, l := range lines {
		if lipgloss.Width(l) > width {
			out = append(out, Wrap(l, width)...)
			continue
		}
		out = append(out, l)
	}
	return out
}
