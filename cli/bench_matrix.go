package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/change/execute"
	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) benchMatrix() *cobra.Command {
	var f benchFlags
	var vary, done []string
	c := &cobra.Command{
		Use:   "matrix --from HOST --to HOST --vary HOST:ELEMENT:ATTR=VALUE,VALUE…",
		Short: "Measure a path under every combination of settings, in randomised interleaved blocks",
		Long: `Matrix measures every workload under every combination of the given values. Each block
contains every combination once, in random order; each is applied and rolled back as
apply and rollback do, and afterwards the hosts are as before. Every combination is
compared with the first one, paired by block.`,
		Example: "  seaworthy bench matrix -i lab --from lpar1 --to lpar2 --streams 1,8 " +
			"--vary lpar1:en0:mtu_bypass=off,on --vary vios1:ent5:largesend=0,1",
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			combinations, err := combine(vary)
			if err != nil {
				return err
			}
			ctx := c.Context()
			e, hosts, err := a.experiment(ctx, &f)
			if err != nil {
				return err
			}
			defer hosts.close()
			r, err := a.matrix(ctx, e, hosts, combinations, done)
			return a.measured(r, err, f.out, func(p *report.Printer) {
				report.Trials(p, r)
				report.MatrixDelta(p, r)
			})
		},
	}
	f.add(c, "`number` of blocks")
	c.Flags().StringArrayVar(&vary, "vary", nil, "values to combine, `HOST:ELEMENT:ATTR=VALUE,VALUE…`; repeatable")
	c.Flags().StringSliceVar(&done, "done", nil, "these manual `steps` are done, as a plan names them: switch-ports")
	return c
}

// mostCombinations is how many a matrix may have.
const mostCombinations = 64

// combine gives every combination of the values, each as settings.
func combine(vary []string) ([][]string, error) {
	all := [][]string{nil}
	for _, v := range vary {
		head, values, ok := strings.Cut(v, "=")
		if !ok || values == "" {
			return nil, command.Usage("--vary %s: expected HOST:ELEMENT:ATTR=VALUE,VALUE…", v)
		}
		var next [][]string
		for _, sets := range all {
			for value := range strings.SplitSeq(values, ",") {
				next = append(next, append(append([]string{}, sets...), head+"="+value))
			}
		}
		if all = next; len(all) > mostCombinations {
			return nil, command.Usage("--vary: more than %d combinations", mostCombinations)
		}
	}
	if len(vary) == 0 || len(all) < 2 {
		return nil, command.Usage("bench matrix: --vary with two or more values is required")
	}
	seen := map[string]bool{}
	for _, sets := range all {
		if _, err := parseSets(sets); err != nil {
			return nil, err
		}
		if name := strings.Join(sets, ", "); seen[name] {
			return nil, command.Usage("--vary: %s is listed twice", name)
		}
		seen[strings.Join(sets, ", ")] = true
	}
	return all, nil
}

// matrix applies one combination after the other, each on what was found.
func (a *app) matrix(
	ctx context.Context, e bench.Experiment, hosts *connected, combinations [][]string, done []string,
) (*bench.Result, error) {
	journals, err := a.journals()
	if err != nil {
		return nil, err
	}
	var now *execute.Toggle
	off := func(ctx context.Context) error {
		if now == nil {
			return nil
		}
		if err := now.Off(ctx); err != nil {
			return err
		}
		now = nil
		return nil
	}
	var variants []bench.Variant
	for _, sets := range combinations {
		p, err := a.wanted(ctx, hosts, "", sets)
		if err != nil && !errors.Is(err, errAsWanted) {
			return nil, fmt.Errorf("%s: %w", strings.Join(sets, ", "), err)
		}
		var t *execute.Toggle // nil: as it was found
		if err == nil {
			t = &execute.Toggle{Plan: p, Runner: hosts.runner(journals)}
			t.Runner.Done = done
		}
		variants = append(variants, bench.Variant{Name: strings.Join(sets, ", "), Apply: func(ctx context.Context) error {
			if t != nil && now == t {
				return nil
			}
			if err := off(ctx); err != nil || t == nil {
				return err
			}
			now = t // also what is applied in part has to go
			return t.On(ctx)
		}})
	}
	e.Restore = off
	r, err := bench.Matrix(ctx, e, variants)
	return r, errors.Join(err, off(context.WithoutCancel(ctx)))
}
