package top

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

const (
	headLines = 2
	footLines = 3
	cell      = 8   // columns of a number with the blank before it
	wide      = 110 // columns from which packets are shown too
)

// heads are the columns of numbers.
func (s *Screen) heads() []string {
	unit := s.unit.String()
	if s.width < wide {
		return []string{unit + " in", unit + " out", "lost"}
	}
	return []string{unit + " in", unit + " out", "pkt in", "pkt out", "drops", "misses"}
}

// cells are the numbers of a row, in the order of heads.
func (s *Screen) cells(r livetree.Row) []string {
	bytes := r.Bytes(s.peaks, s.unit)
	if s.width < wide {
		return append(bytes, r.Lost(s.peaks))
	}
	return append(bytes, r.Cells(s.peaks)[len(bytes):]...)
}

// View is the whole screen.
func (s *Screen) View() tea.View {
	v := tea.NewView(strings.Join(s.lines(), "\n"))
	v.AltScreen = true
	v.WindowTitle = "seaworthy top"
	return v
}

// Plain are the lines without colours.
func (s *Screen) Plain() []string {
	lines := s.lines()
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return lines
}

// lines are those of the screen, none wider than it.
func (s *Screen) lines() []string {
	out := []string{s.paint.Paint(doc.Head, s.fit(s.title())), s.paint.Paint(doc.Head, s.fit(s.columns()))}
	body := s.room()
	switch {
	case s.help:
		for line := range strings.Lines(help) {
			out = append(out, s.fit(strings.TrimSuffix(line, "\n")))
		}
	case s.frame == nil:
		out = append(out, s.fit("reading the hosts…"))
	case len(s.rows) == 0:
		out = append(out, s.fit("no row has "+s.filter+" (Esc ends the filter)"))
	default:
		for i, r := range s.rows[s.top:min(s.top+body, len(s.rows))] {
			out = append(out, s.row(r, s.top+i == s.at))
		}
	}
	out = out[:min(len(out), headLines+body)]
	for len(out) < headLines+body {
		out = append(out, "")
	}
	detail, peaks := s.detail()
	out = append(out, s.fit(detail), s.fit(peaks), s.fit(s.foot()))
	return out[:min(len(out), s.height)]
}

// fit cuts a text to the width of the screen.
func (s *Screen) fit(text string) string { return ansi.Truncate(text, s.width, "…") }

func (s *Screen) title() string {
	parts := []string{"seaworthy top"}
	if s.frame != nil {
		hosts, away := 0, 0
		for _, r := range livetree.Rows(s.frame) {
			if r.Host != nil && r.Element == nil {
				hosts++
				if r.Host.Since != nil {
					away++
				}
			}
		}
		text := fmt.Sprintf("%d hosts", hosts)
		if away > 0 {
			text += fmt.Sprintf(", %d away", away)
		}
		parts = append(parts, text, s.frame.At.Local().Format("15:04:05"))
	}
	switch {
	case len(s.Replay) > 0:
		parts = append(parts, fmt.Sprintf("step %d of %d", s.step+1, len(s.Replay)), report.Safe(s.Source))
	case s.paused:
		parts = append(parts, "PAUSED")
	default:
		parts = append(parts, "every "+s.Every.String())
	}
	if s.peaks {
		parts = append(parts, "PEAKS")
	}
	if s.order != livetree.ByName {
		parts = append(parts, "by "+s.order.String())
	}
	if s.filter != "" {
		parts = append(parts, "filter "+s.filter)
	}
	return strings.Join(parts, "  ")
}

// name is how wide the column of names is: on a wide screen the numbers stay near.
func (s *Screen) name() int { return min(max(12, s.width-len(s.heads())*cell), 76) }

func (s *Screen) columns() string {
	line := fmt.Sprintf("%-*s", s.name(), "  per second")
	for _, h := range s.heads() {
		line += fmt.Sprintf("%*s", cell, h)
	}
	return line
}

func (s *Screen) row(r livetree.Row, here bool) string {
	mark, lead := " ", "  "
	if here {
		mark = ">"
	}
	if r.Parent() {
		lead = "- "
		if s.folded[r.Key] {
			lead = "+ "
		}
	}
	text := mark + strings.Repeat("  ", r.Depth) + lead + r.Name()
	note := r.Note()
	if note != "" {
		note = "  " + note
	}
	var line string
	if r.Element == nil {
		line = s.fit(text + note)
	} else {
		line = ansi.Truncate(text+note, s.name()-1, "…")
		line += strings.Repeat(" ", max(0, s.name()-lipgloss.Width(line)))
		for _, c := range s.cells(r) {
			line += fmt.Sprintf("%*s", cell, c)
		}
		line = s.fit(line)
	}
	return s.colour(r, here, line)
}

// colour marks what needs a look: a host that is away, packets lost.
func (s *Screen) colour(r livetree.Row, here bool, line string) string {
	var meaning doc.Style
	switch {
	case r.Host != nil && r.Element == nil && r.Host.Since != nil:
		meaning = doc.High
	case r.Element == nil:
		meaning = doc.Head
	case r.Element.Rates[live.Drops] > 0 || r.Element.Rates[live.Misses] > 0:
		meaning = doc.Warn
	}
	if here && s.Color {
		return lipgloss.NewStyle().Reverse(true).Render(line + strings.Repeat(" ", max(0, s.width-lipgloss.Width(line))))
	}
	return s.paint.Paint(meaning, line)
}

// detail is all that is known of the cursor's row, which its line may have no
// room for.
func (s *Screen) detail() (what, peaks string) {
	if s.frame == nil || s.at >= len(s.rows) {
		return "", ""
	}
	r := s.rows[s.at]
	switch {
	case r.Host == nil:
		return r.Name(), ""
	case r.Element == nil:
		return r.Name() + "  " + r.Note(), ""
	}
	what = report.Safe(r.Host.Name) + ":" + r.Name() + "  " + report.Safe(r.Element.State+"  ") + r.Note()
	highest := r.Cells(true)
	bytes := r.Bytes(true, s.unit)
	peaks = fmt.Sprintf("peaks %s in %s out %s, packets %s %s, lost %s", s.unit, bytes[0], bytes[1], highest[2], highest[3], r.Lost(true))
	line := sparkline(s.past[r.Key])
	if line != "" && lipgloss.Width(peaks)+2+lipgloss.Width(line) <= s.width {
		peaks += "  " + line
	}
	return what, peaks
}

// sparkline draws rates in a line, the highest as a full block; empty for fewer than two.
func sparkline(rates []float64) string {
	if len(rates) < 2 {
		return ""
	}
	blocks := []rune("▁▂▃▄▅▆▇█")
	highest := slices.Max(rates)
	line := make([]rune, len(rates))
	for i, rate := range rates {
		level := 0
		if highest > 0 {
			level = int(rate / highest * float64(len(blocks)-1))
		}
		line[i] = blocks[level]
	}
	return string(line)
}

func (s *Screen) foot() string {
	switch {
	case s.prompt != 0:
		return string(s.prompt) + s.input + "_"
	case s.message != "":
		return report.Safe(s.message)
	case len(s.Replay) > 0:
		return "Space on  Left back  / filter  : go to  P peaks  s save  ? help  q quit"
	}
	return "/ filter  : go to  Enter fold  u unit  o order  P peaks  p pause  ? help  q quit"
}
