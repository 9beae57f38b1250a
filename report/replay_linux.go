package report

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/lab/replay"
)

// Experiments lists what can be replayed.
func Experiments(p *Printer, all []replay.Experiment) {
	t := Table{Head: []string{"experiment", "source", "what it is"}, Wrap: true}
	for _, e := range all {
		t.Add(e.ID, e.Source, e.Title)
	}
	t.Print(p)
	p.Line("")
	p.Line("seaworthy lab replay E000 --quick replays those of one source, all every one.")
}

// Replay prints every experiment: the source's figures and ours, and which
// claims hold.
func Replay(p *Printer, r *replay.Result) {
	for i := range r.Experiments {
		e := &r.Experiments[i]
		p.Entry(p.Style("head", Safe(e.ID)), e.Title)
		p.Prose("seed", fmt.Sprintf("%s; %s (%s)", e.System, e.Tool, e.Source))
		p.Prose("ours", where(r, e))
		if e.Reason != "" {
			p.Prose("state", e.State+": "+e.Reason)
		}
		if e.Rest != nil && *e.Rest > busyAtRest*float64(r.Machine.CPUs) {
			p.Prose("caution", fmt.Sprintf("before the trials %.1f of %d processors were busy with other work: what is measured is less than this machine can do, and its CPU is not all the path's", *e.Rest, r.Machine.CPUs))
		}
		p.Line("")
		switch {
		case e.Matrix != nil:
			matrix(p, e.Matrix)
			cases(p, e)
		case len(e.Round) > 0:
			trips(p, e.Round)
		default:
			cases(p, e)
		}
		claims(p, e)
		for _, n := range e.Notes {
			p.Prose("note", n)
		}
		p.Line("")
	}
}

func where(r *replay.Result, e *replay.Outcome) string {
	privilege := "root"
	if r.Machine.Rootless {
		privilege = "no privilege"
	}
	on := "labs"
	if e.Topology != "" {
		on = "lab " + e.Topology
	}
	return fmt.Sprintf("%s, %s, %d processors, %s, %s; %d trials, order by seed %d", on, r.Machine.Kernel, r.Machine.CPUs, r.Machine.Arch, privilege, e.Trials, r.Seed)
}

// busyAtRest is the share of the processors above which other work is told of.
const busyAtRest = 0.1

// units of figures that a replay has beyond those of a measurement.
var replayed = map[string]struct {
	label string
	scale float64
	digit int
}{
	bench.Throughput: {"Gbit/s", 1e-9, 2}, bench.Transactions: {"TPS", 1, 0}, bench.Cores: {"cores of the path", 1, 2},
	bench.PerCore: {"Gbit/s per core", 1, 2}, bench.PerGbps: {"cores per Gbit/s", 1, 3}, bench.PerTrans: {"core-µs per transaction", 1, 1},
	replay.LineShare: {"% of the line", 100, 0}, bench.LatencyP50: {"µs latency, median", 1, 0}, bench.LatencyP99: {"µs latency, 99 %", 1, 0},
	bench.Retransmits: {"retransmits/s", 1, 1},
}

// quantity prints a figure's value without its unit.
func quantity(figure string, v *float64) string {
	if v == nil {
		return "-"
	}
	k, ok := replayed[figure]
	if !ok {
		if math.Abs(*v) >= 1000 || *v == math.Trunc(*v) {
			return fmt.Sprintf("%.0f", *v)
		}
		return fmt.Sprintf("%.3g", *v)
	}
	return fmt.Sprintf("%.*f", k.digit, *v*k.scale)
}

func unit(figure string) string {
	if k, ok := replayed[figure]; ok {
		return k.label
	}
	return strings.ReplaceAll(figure, "_", " ")
}

// cases is the table of figures: the source's and ours, with our interval.
func cases(p *Printer, e *replay.Outcome) {
	t := Table{Head: []string{"case", "figure", " seed", " ours", " 95 % interval", " n"}, Wrap: true}
	for _, c := range e.Cases {
		name := c.Name
		for _, f := range c.Figures {
			if f.Seed == nil && (e.Matrix != nil || f.Figure == bench.PerCore || f.Figure == bench.Retransmits || f.Figure == bench.LatencyP99) {
				continue // in the JSON
			}
			ours, interval, n := (*float64)(nil), "", ""
			if f.Ours != nil {
				ours, n = &f.Ours.Median, Count(f.Ours.N)
				interval = between(f.Figure, f.Ours.Low, f.Ours.High)
			}
			t.Add(Safe(name), Safe(unit(f.Figure)), quantity(f.Figure, f.Seed), quantity(f.Figure, ours), interval, n)
			name = ""
		}
	}
	if len(t.Rows) > 0 {
		t.Print(p)
		p.Line("")
	}
}

func between(figure string, low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return quantity(figure, low) + " to " + quantity(figure, high)
}

// marks are how answers are shown.
var marks = map[string]string{replay.Holds: "good", replay.Fails: "bad", replay.NotShown: "medium", replay.NotInLab: "dim"}

// claims prints every claim with both ratios, and why.
func claims(p *Printer, e *replay.Outcome) {
	if len(e.Claims) == 0 {
		return
	}
	t := Table{Head: []string{"claim", " seed", " ours", " 95 % interval", "here"}, Wrap: true}
	styles := map[int]string{}
	for _, v := range e.Claims {
		styles[len(t.Rows)] = marks[v.Answer]
		answer := v.Answer
		if v.Less {
			answer += ", less"
		}
		ours, interval := (*float64)(nil), ""
		if v.Ours != nil {
			ours, interval = &v.Ours.Value, span(v, v.Ours)
		}
		t.Add(Safe(v.Claim), value(v, v.Seed), value(v, ours), interval, answer)
	}
	t.Means = func(row, col int) string {
		if col == 4 {
			return styles[row]
		}
		return ""
	}
	t.Print(p)
	p.Line("")
	reasons(p, e)
}

// reasons prints why claims do not hold, or less. What held a case back is
// printed once, for all claims on it.
func reasons(p *Printer, e *replay.Outcome) {
	asked := map[string]bool{}
	for _, v := range e.Claims {
		if v.Answer == replay.Holds && !v.Less {
			continue
		}
		asked[v.Of], asked[v.To] = true, true
	}
	limits := map[string]bool{}
	for _, c := range e.Cases {
		if len(c.Limits) > 0 && asked[c.Name] {
			p.Prose("limits", c.Name+": "+strings.Join(c.Limits, "; "))
		}
		for _, l := range c.Limits {
			limits[c.Name+": "+l] = true
		}
	}
	said := map[string]bool{}
	for _, v := range e.Claims {
		var own []string
		for _, w := range v.Why {
			if !limits[w] {
				own = append(own, w)
			}
		}
		if text := strings.Join(own, "; "); text != "" && !said[text] {
			said[text] = true
			p.Prose("why", v.Claim+": "+text)
		}
	}
}

// value prints a ratio with its sign, a figure in its unit.
func value(v replay.Verdict, x *float64) string {
	if x == nil {
		return "-"
	}
	if v.To != "" {
		return fmt.Sprintf("×%.2f", *x)
	}
	return quantity(v.Figure, x)
}

func span(v replay.Verdict, s *replay.Span) string {
	if s.Low == nil {
		return ""
	}
	return strings.TrimPrefix(value(v, s.Low), "×") + " to " + strings.TrimPrefix(value(v, s.High), "×")
}

// squareWidth is how wide a terminal has to be for the table of hosts by hosts.
const squareWidth = 118

// matrix prints the table of hosts by hosts where there is room, and every way
// with what the larger window gives, in the legend's colours.
func matrix(p *Printer, m *replay.Matrix) {
	if p.width() >= squareWidth {
		for i := range m.Windows {
			square(p, m, m.Windows[i])
		}
	}
	ways(p, m)
	p.Line("The seed's figure is under the window, ours beside it; gain: the larger window.")
	p.Line("Gbit/s, ours: %s (r) to 1, %s (o) to 3, %s (y) to 5, %s (g) above", p.Style(legend[replay.Red], "red"),
		p.Style(legend[replay.Orange], "orange"), p.Style(legend[replay.Yellow], "yellow"), p.Style(legend[replay.Green], "green"))
	p.Line("")
}

func square(p *Printer, m *replay.Matrix, window int) {
	t := Table{Head: []string{"source", "option"}}
	type column struct{ node, option string }
	var columns []column
	for _, h := range m.Hosts {
		for _, o := range m.Options {
			columns = append(columns, column{h.Node, o})
			t.Head = append(t.Head, " "+h.Node+" "+o)
		}
	}
	colours := map[[2]int]string{}
	for _, from := range m.Hosts {
		for _, option := range m.Options {
			row := []string{Safe(from.Node + " (" + from.System + ", " + from.Seed + ")"), option}
			for _, c := range columns {
				text := ""
				for _, x := range m.Cells {
					if x.From == from.Node && x.Option == option && x.To == c.node && x.Far == c.option && x.Window == window {
						text = fmt.Sprintf("%.1f→%s", x.Seed/1e9, ours(x))
						colours[[2]int{len(t.Rows), len(row)}] = x.Colour
					}
				}
				row = append(row, text)
			}
			t.Add(row...)
		}
	}
	t.Means = func(row, col int) string { return legend[colours[[2]int{row, col}]] }
	p.Line("window %d bytes: seed→ours, Gbit/s", window)
	t.Print(p)
	p.Line("")
}

// ways lists every way with all windows, and the last against the first.
func ways(p *Printer, m *replay.Matrix) {
	t := Table{Head: []string{"way"}}
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
		row := []string{Safe(fmt.Sprintf("%s %s to %s %s", k.from, k.option, k.to, k.far))}
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

// trips prints round trips with the bandwidth-delay product.
func trips(p *Printer, rows []replay.Trip) {
	t := Table{Head: []string{"network", " IBM ms", " seed ms", " ours ms", " of it set", " 95 % interval", " seed's BDP", " ours"}, Drop: []int{5}}
	set := false
	for _, r := range rows {
		ours, interval, cable := "-", "", "-"
		if r.Set != nil {
			cable, set = fmt.Sprintf("%.3f", *r.Set), true
		}
		if r.Ours != nil {
			ours = fmt.Sprintf("%.3f", r.Ours.Median)
			interval = millis(r.Ours)
		}
		reference := "-"
		if r.Reference != nil {
			reference = fmt.Sprintf("%.3f", *r.Reference)
		}
		t.Add(r.Network, reference, fmt.Sprintf("%.3f", r.Seed), ours, cable, interval, fmt.Sprintf("%.0f", r.SeedBDP), quantity("", r.BDP))
	}
	t.Print(p)
	if set {
		p.Line("of it set: delay given to the cables, there and back; the rest is our own.")
	}
	p.Line("BDP: bandwidth-delay product in bytes, of the slowest line and the round trip.")
	p.Line("")
}

func millis(s *stats.Summary) string {
	if s.Low == nil {
		return ""
	}
	return fmt.Sprintf("%.3f to %.3f", *s.Low, *s.High)
}
