package tune

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/space"
)

// Lines speaks with a program that proposes combinations, in JSON lines: it is shown the
// space first, asks for a trial, and gets its result.
//
//	→ {"factors": {"window": ["262144", "524288"], …}, "goal": "throughput", "unit": "bps", "better": "higher"}
//	← {"trial": 1, "settings": {"window": "524288"}}
//	→ {"trial": 1, "value": 9.1e9, "reference": 8.2e9, "gain": 0.104, "unit": "bps"}
//	→ {"trial": 2, "guard": "…"} or {"trial": 2, "refused": "…"}
//
// Factors that a proposal does not name stay as found. The end of its input ends the
// proposals.
func Lines(in io.Reader, out io.Writer, goal Goal, s *space.Space) *Proposals {
	return &Proposals{in: bufio.NewReader(in), out: out, goal: goal, space: s}
}

// Proposals are points from outside.
type Proposals struct {
	in      *bufio.Reader
	out     io.Writer
	goal    Goal
	space   *space.Space
	greeted bool
	asked   ask
}

type ask struct {
	Trial    int               `json:"trial"`
	Settings map[string]string `json:"settings"`
}

type tell struct {
	Trial     int      `json:"trial"`
	Value     *float64 `json:"value,omitempty"`     // of the goal's figure, in its unit
	Reference *float64 `json:"reference,omitempty"` // the present state in the same block
	Gain      *float64 `json:"gain,omitempty"`      // ln of how much better than the present state
	Unit      string   `json:"unit,omitempty"`
	Guard     string   `json:"guard,omitempty"`   // the guard rail that was broken
	Refused   string   `json:"refused,omitempty"` // why these settings were not tried
}

type greeting struct {
	Factors map[string][]string `json:"factors"` // levels, the present one first
	Goal    string              `json:"goal"`
	Unit    string              `json:"unit"`
	Better  string              `json:"better"` // higher, lower
}

// next is the next run to try; nil: there are no more.
func (l *Proposals) next(ctx context.Context) (space.Run, error) {
	if !l.greeted {
		g := greeting{Factors: map[string][]string{}, Goal: l.goal.Name, Unit: l.goal.Figure, Better: "higher"}
		if l.goal.Better == stats.LowerIsBetter {
			g.Better = "lower"
		}
		for _, f := range l.space.Factors {
			for _, level := range f.Levels {
				g.Factors[f.Name] = append(g.Factors[f.Name], level.Label)
			}
		}
		if err := l.say(g); err != nil {
			return nil, err
		}
		l.greeted = true
	}
	for {
		text, err := l.read(ctx)
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return nil, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		l.asked = ask{}
		if err := decode.JSON("a line of standard input", text, &l.asked); err != nil {
			return nil, err
		}
		run, err := l.space.Parse(l.asked.Settings)
		if err == nil {
			return run, nil
		}
		if err := l.say(tell{Trial: l.asked.Trial, Refused: err.Error()}); err != nil {
			return nil, err
		}
	}
}

// read waits for a line, or for the end of the context.
func (l *Proposals) read(ctx context.Context) ([]byte, error) {
	type line struct {
		text []byte
		err  error
	}
	got := make(chan line, 1)
	go func() {
		text, err := l.in.ReadBytes('\n')
		got <- line{text, err}
	}()
	select {
	case x := <-got:
		return x.text, x.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// done says what became of it.
func (l *Proposals) done(t *Trial, response float64) error {
	out := tell{Trial: l.asked.Trial, Guard: t.Guard, Refused: t.Refused}
	if t.Value != nil && t.Guard == "" && !math.IsNaN(response) {
		reference := *t.Value * math.Exp(-float64(l.goal.Better)*response)
		out.Value = t.Value
		out.Reference = &reference
		out.Gain = &response
		out.Unit = l.goal.Figure
	}
	return l.say(out)
}

func (l *Proposals) say(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
