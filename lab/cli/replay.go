package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/lab/replay"
)

func (a *app) replay() *cobra.Command {
	var o replay.Options
	var out, show string
	c := &cobra.Command{
		Use:   "replay [EXPERIMENT...]",
		Short: "Run published experiments on a lab and compare the figures; without arguments, list them",
		Long: `Replay runs published experiments, each on a lab of its own that it starts and
takes down: the same settings and workloads, in randomised interleaved blocks. It
prints the published figures, ours and both ratios side by side, and says which
claims hold on this machine, which do not, and why, from what was measured.

E000 means all experiments of that source; all means every one. Ctrl-C keeps what
was measured. Exit status 2 if a claim does not hold, 3 if none was shown.`,
		Example: `  seaworthy lab replay E000 --quick
  seaworthy lab replay E002-MATRIX -o matrix.json
  seaworthy lab replay --show matrix.json`,
		RunE: func(c *cobra.Command, argv []string) error {
			if show != "" {
				r, err := readReplay(c.Context(), show)
				if err != nil {
					return err
				}
				return a.replayed(r, nil, "")
			}
			if len(argv) == 0 {
				return a.listExperiments()
			}
			var err error
			o.Experiments, err = replay.Find(argv)
			if err != nil {
				return command.Usage("lab replay: %w", err)
			}
			if o.Blocks < 0 || o.Seconds < 0 || o.Seconds > longest {
				return command.Usage("lab replay: --blocks and --seconds are not below 0, and --seconds at most %d", longest)
			}
			return a.runReplay(c.Context(), o, out)
		},
	}
	s := c.Flags()
	s.BoolVar(&o.Quick, "quick", false, "few, short trials: a few minutes instead of an hour")
	s.IntVar(&o.Blocks, "blocks", 0, "`number` of blocks, each with every case once; 0: 9 (25 for a claim of 3 %), "+
		"or 5 with --quick (3 of a matrix), and 5 where the source averaged 5")
	s.Var(command.Seconds(&o.Seconds), "seconds", "measured `time` of one trial; 0s: 2s, or 400ms with --quick")
	s.Uint64Var(&o.Seed, "seed", 0, "`seed` of the order; 0: chosen and recorded")
	s.StringVar(&show, "show", "", "show the result in this `file`, saved by -o, instead of measuring")
	s.StringVarP(&out, "output", "o", "", "save the complete result, with every trial, to this `file` (JSON)")
	return a.Prints(c, replayPage{})
}

// listExperiments lists the published experiments.
func (a *app) listExperiments() error {
	list, err := replay.All()
	if err != nil {
		return err
	}
	entries := []experimentEntry{}
	for _, e := range list {
		entries = append(entries, experimentEntry{e.About, len(e.Claims)})
	}
	return a.Answer(entries, func(p *report.Document) { printExperiments(p, list) })
}

// runReplay runs experiments and shows how far they are.
func (a *app) runReplay(ctx context.Context, o replay.Options, out string) error {
	if err := fileio.Check(out); err != nil {
		return err
	}
	o.Up = upLab
	all := progress.Begin(ctx, "replaying", "experiment", len(o.Experiments))
	defer all.End()
	var one *progress.Task
	o.Progress = func(id string, trial, of int, doing string) {
		if one == nil {
			one = progress.Begin(ctx, id, "trial", of)
		}
		one.At(trial-1, of)
		one.Now(doing)
	}
	o.Done = func(x *replay.Outcome) {
		one.End()
		one = nil
		all.Step("")
		if x.State == replay.Failed {
			all.Failed(x.ID)
		}
		a.Notice("%s: %s, %s, %.0f s", x.ID, x.State, report.Plural(x.Trials, "trial"), x.Seconds)
	}
	r, err := replay.Run(ctx, o)
	if r == nil || len(r.Experiments) == 0 {
		return err
	}
	return a.replayed(r, err, out)
}

// experimentEntry is one of the list in JSON.
type experimentEntry struct {
	replay.About
	Claims int `json:"claims"`
}

// replayed keeps and prints a replay, as JSON without its trials, which -o keeps.
// What was finished is not lost by an error. The verdicts are the exit status.
func (a *app) replayed(r *replay.Result, failed error, out string) error {
	if out != "" {
		failed = errors.Join(failed, command.SaveResult(out, r))
	}
	answers := map[string]bool{}
	for i := range r.Experiments {
		r.Experiments[i].Results = nil
		for _, v := range r.Experiments[i].Claims {
			answers[v.Answer] = true
		}
	}
	if err := errors.Join(failed, a.Answer(replayPage{r}, func(p *report.Document) { printReplay(p, r) })); err != nil {
		return err
	}
	switch {
	case answers[replay.Fails]:
		return command.Exit(command.ExitNo, nil)
	case !answers[replay.Holds]:
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}

const maxReplay = 256 << 20 // bytes

// readReplay reads a result that -o kept.
func readReplay(ctx context.Context, file string) (*replay.Result, error) {
	text, err := decode.Read(ctx, file, maxReplay)
	if err != nil {
		return nil, err
	}
	r := &replay.Result{}
	if err := decode.JSON(file, text, r, decode.Newer); err != nil {
		return nil, err
	}
	err = decode.Format(r.Schema, replay.Schema, "replay the experiments again")
	if err != nil {
		return nil, fmt.Errorf("%s: not a result of lab replay: %w", file, err)
	}
	return r, nil
}
