package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"seaworthy/lab/replay"
)

// experiment is a published experiment with its figures in order.
type experiment struct {
	replay.Experiment
	Published []publishedCase
}

// publishedCase is what a source measured in one state.
type publishedCase struct {
	Case    string
	Figures []figure
}

type figure struct{ Name, Value string }

func (g *generator) experiments() {
	found, err := replay.All()
	if err != nil {
		g.err = fmt.Errorf("read the published experiments: %w", err)
		return
	}
	var all []experiment
	for _, e := range found {
		x := experiment{Experiment: e}
		for _, p := range e.Published {
			c := publishedCase{Case: p.Case}
			for _, name := range slices.Sorted(maps.Keys(p.Figures)) {
				c.Figures = append(c.Figures, figureOf(name, p.Figures[name]))
			}
			x.Published = append(x.Published, c)
		}
		all = append(all, x)
	}
	g.page("experiments.md", "experiments", all)
}

// figureOf puts a figure into the unit that its source used.
func figureOf(name string, value float64) figure {
	if name == "bps" {
		return figure{"throughput, Mbit/s", strconv.FormatFloat(value/1e6, 'f', -1, 64)}
	}
	return figure{name, strconv.FormatFloat(value, 'f', -1, 64)}
}
