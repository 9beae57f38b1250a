package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"seaworthy/bench"
	"seaworthy/lab/replay"
)

// replay repeats the experiments of the first source and keeps every trial.
func (s *suite) replay(ctx context.Context) error {
	args := []string{"lab", "replay", "E000", "-f", "json"}
	if s.quick {
		args = append(args, "--quick")
	}
	out, _, err := s.seaworthy(ctx, nil, args...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.out, "replay.json"), out, 0o644); err != nil {
		return err
	}
	var r replay.Result
	if err := json.Unmarshal(out, &r); err != nil {
		return fmt.Errorf("lab replay: its JSON: %w", err)
	}
	s.page.say("\n## The published experiments, replayed\n")
	s.page.say("`lab replay E000`, random seed %d. Ours with the 95 %% interval over the blocks.", r.Seed)
	s.page.table("experiment", "claim", "published", "ours", "95 % interval", "blocks", "here")
	for _, e := range r.Experiments {
		for _, c := range e.Claims {
			s.page.row(claimed(e.ID, c)...)
		}
	}
	s.page.table("case", "figure", "published", "ours, median")
	for _, e := range r.Experiments {
		for _, c := range e.Cases {
			for _, f := range c.Figures {
				if u, ok := units[f.Figure]; ok && f.Ours != nil {
					s.page.row(e.ID+" "+c.Name, u.name, u.text(f.Published), u.text(&f.Ours.Median))
				}
			}
		}
	}
	return nil
}

// claimed is the row of a claim on a ratio.
func claimed(id string, c replay.Verdict) []string {
	times := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("× %.3f", *v)
	}
	here := c.Answer
	if c.Less {
		here += ", less"
	}
	if c.Ours == nil {
		return []string{id, c.Claim, times(c.Published), "-", "-", "-", here}
	}
	between := "-"
	if c.Ours.Low != nil && c.Ours.High != nil {
		between = fmt.Sprintf("%.3f to %.3f", *c.Ours.Low, *c.Ours.High)
	}
	return []string{id, c.Claim, times(c.Published), times(&c.Ours.Value), between, strconv.Itoa(c.Ours.N), here}
}

// unit is how a figure is printed.
type unit struct {
	name   string
	in     float64
	digits int
}

// units are those of the figures that the page has.
var units = map[string]unit{
	bench.Throughput:   {"Gbit/s", 1e9, 2},
	bench.Cores:        {"cores of the path", 1, 2},
	bench.PerGbps:      {"cores per Gbit/s", 1, 3},
	bench.Transactions: {"TPS", 1, 0},
	bench.PerTrans:     {"core-µs per transaction", 1, 1},
}

func (u unit) text(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v/u.in, 'f', u.digits, 64)
}
