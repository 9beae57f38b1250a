package cli

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report"
)

func newBenchMesh(a *commandLine) *cobra.Command {
	f := newBenchFlags()
	var file string
	c := a.command("bench mesh", f.common().And(command.Flags{
		"pairs": &file,
	}), func(c *cobra.Command, argv []string) error {
		pairs, err := meshPairs(argv, file)
		if err != nil {
			return err
		}
		e, err := f.experiment(c.Context())
		if err != nil {
			return err
		}
		m, err := bench.OpenMesh(c.Context(), a.access(), e, f.setup.Counters, pairs)
		if err != nil {
			return err
		}
		defer m.Connection.Close()
		r, err := measure.Mesh(c.Context(), m.Experiment, m.Pairs)
		return a.measured(c.Context(), r, err, &f, func(p *report.Document) { report.Mesh(p, r) })
	})
	return a.Prints(c, &measure.Result{})
}

// meshPairs are all pairs of the names, or those of the file.
func meshPairs(names []string, file string) ([]bench.Ends, error) {
	if command.Given(len(names) > 0, file != "") != 1 {
		return nil, command.Usage("bench mesh: name two hosts or more, or give --pairs")
	}
	if file != "" {
		return readPairs(file)
	}
	var all []bench.Ends
	for i, from := range names {
		if slices.ContainsFunc(names[:i], func(n string) bool { return fleet.HostOf(n) == fleet.HostOf(from) }) {
			return nil, command.Usage("bench mesh: %s is named twice", fleet.HostOf(from))
		}
		for _, to := range names {
			if from != to {
				all = append(all, bench.Ends{From: from, To: to})
			}
		}
	}
	if len(all) == 0 || len(all) > measure.MostPairs {
		return nil, command.Usage("bench mesh: %d hosts make %d pairs, expected 1 to %d: list some with --pairs",
			len(names), len(all), measure.MostPairs)
	}
	return all, nil
}

// readPairs reads FROM TO a line.
func readPairs(file string) ([]bench.Ends, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var all []bench.Ends
	lines := bufio.NewScanner(in) // which bounds a line; the number of pairs bounds the file
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
			continue
		case len(f) != 2:
			return nil, fmt.Errorf("%s:%d: %d words, expected FROM TO", file, n, len(f))
		case fleet.HostOf(f[0]) == fleet.HostOf(f[1]):
			return nil, fmt.Errorf("%s:%d: from %s to itself", file, n, fleet.HostOf(f[0]))
		case slices.Contains(all, bench.Ends{From: f[0], To: f[1]}):
			return nil, fmt.Errorf("%s:%d: %s to %s is listed twice", file, n, f[0], f[1])
		case len(all) == measure.MostPairs:
			return nil, fmt.Errorf("%s:%d: more than %d pairs", file, n, measure.MostPairs)
		}
		all = append(all, bench.Ends{From: f[0], To: f[1]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no pair", file)
	}
	return all, nil
}
