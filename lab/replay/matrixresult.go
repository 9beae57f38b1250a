package replay

import (
	"math"

	"seaworthy/bench"
	"seaworthy/lab/topology"
)

// publish makes the source's figures of cells and groups those of cases.
func (m *cells) publish() {
	cell := map[string]float64{}
	for i, w := range m.Windows {
		for _, c := range m.Cells {
			if i < len(c.Mbps) {
				cell[cellName(c, w)] = c.Mbps[i] * 1e6
			}
		}
	}
	m.Seed = nil
	names, of := m.members()
	for _, g := range names {
		sum := 0.0
		for _, c := range of[g] {
			sum += math.Log(cell[c])
		}
		m.Seed = append(m.Seed, Published{Case: g, Figures: map[string]float64{bench.Throughput: math.Exp(sum / float64(len(of[g])))}})
	}
}

// finish makes the groups of what was measured, and the table.
func (m *cells) finish(out *Outcome) {
	names, of := m.members()
	for _, g := range names {
		for _, f := range []string{bench.Throughput, bench.Cores, bench.PerGbps, LineShare} {
			m.samples.group(g, f, of[g])
		}
	}
	t := &Matrix{Windows: m.Windows, Options: []string{"LS", jumbo}}
	for _, n := range m.nodes {
		t.Hosts = append(t.Hosts, MatrixHost{Node: n, Seed: m.Hosts[n], System: systemOf(m.Topology, n)})
	}
	for _, c := range m.Cells {
		for i, w := range m.Windows {
			if i >= len(c.Mbps) {
				continue
			}
			x := MatrixCell{From: c.From, Option: c.Option, To: c.To, Far: c.Far, Window: w, Seed: c.Mbps[i] * 1e6, SeedColour: Colour(c.Mbps[i] * 1e6)}
			if x.Ours = m.samples.summary(cellName(c, w), bench.Throughput); x.Ours != nil {
				x.Colour = Colour(x.Ours.Median)
			}
			t.Cells = append(t.Cells, x)
		}
	}
	out.Matrix = t
	m.samples.hide(m.Cells, m.Windows)
}

// hide takes the single cells out of the cases: the table has them.
func (s *samples) hide(cells []Cell, windows []int) {
	single := map[string]bool{}
	for _, c := range cells {
		for _, w := range windows {
			single[cellName(c, w)] = true
		}
	}
	var keep []string
	for _, c := range s.cases {
		if !single[c] {
			keep = append(keep, c)
		}
	}
	s.cases = keep
}

// Colours of seed 002's legend, by throughput.
const (
	Red    = "red"
	Orange = "orange"
	Yellow = "yellow"
	Green  = "green"
)

// Colour is that of a throughput in bit/s by the legend: up to 1 Gbit/s red, up
// to 3 orange, up to 5 yellow, above green.
func Colour(bps float64) string {
	switch {
	case bps <= 1e9:
		return Red
	case bps <= 3e9:
		return Orange
	case bps <= 5e9:
		return Yellow
	}
	return Green
}

// systemOf is the managed system of a node in a built-in topology; empty if
// either is not known.
func systemOf(name, node string) string {
	t, err := topology.Load(name)
	if err != nil {
		return ""
	}
	for _, s := range t.Systems {
		for _, n := range s.Nodes {
			if n.Name == node {
				return s.Name
			}
		}
	}
	return ""
}
