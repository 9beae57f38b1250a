package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
)

// ends are two hosts, or interfaces of hosts (HOST:enN).
type ends struct{ from, to string }

func (a *app) benchMesh() *cobra.Command {
	f := newBench()
	var file string
	c := a.command("bench mesh", f.common().And(command.Flags{
		"pairs": &file,
	}), func(c *cobra.Command, argv []string) error {
		pairs, err := meshPairs(argv, file)
		if err != nil {
			return err
		}
		e, all, hosts, err := a.mesh(c.Context(), &f, pairs)
		if err != nil {
			return err
		}
		defer hosts.close()
		r, err := measure.Mesh(c.Context(), e, all)
		return a.measured(r, err, f.out, func(p *report.Document) { report.Mesh(p, r) })
	})
	return a.Prints(c, &measure.Result{})
}

// meshPairs are all pairs of the names, or those of the file.
func meshPairs(names []string, file string) ([]ends, error) {
	if command.Given(len(names) > 0, file != "") != 1 {
		return nil, command.Usage("bench mesh: name two hosts or more, or give --pairs")
	}
	if file != "" {
		return readPairs(file)
	}
	var all []ends
	for i, from := range names {
		if slices.ContainsFunc(names[:i], func(n string) bool { return hostOf(n) == hostOf(from) }) {
			return nil, command.Usage("bench mesh: %s is named twice", hostOf(from))
		}
		for _, to := range names {
			if from != to {
				all = append(all, ends{from, to})
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
func readPairs(file string) ([]ends, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var all []ends
	lines := bufio.NewScanner(in) // which bounds a line; the number of pairs bounds the file
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
			continue
		case len(f) != 2:
			return nil, fmt.Errorf("%s:%d: %d words, expected FROM TO", file, n, len(f))
		case hostOf(f[0]) == hostOf(f[1]):
			return nil, fmt.Errorf("%s:%d: from %s to itself", file, n, hostOf(f[0]))
		case slices.Contains(all, ends{f[0], f[1]}):
			return nil, fmt.Errorf("%s:%d: %s to %s is listed twice", file, n, f[0], f[1])
		case len(all) == measure.MostPairs:
			return nil, fmt.Errorf("%s:%d: more than %d pairs", file, n, measure.MostPairs)
		}
		all = append(all, ends{f[0], f[1]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no pair", file)
	}
	return all, nil
}

// mesh connects the hosts of all pairs, and those of the inventory on their paths.
func (a *app) mesh(ctx context.Context, f *benchFlags, pairs []ends) (
	e measure.Experiment, all []measure.Pair, hosts *connected, err error,
) {
	if e, err = f.basics(ctx); err != nil {
		return e, nil, nil, err
	}
	e.Lookup = strings.TrimSpace(a.lookupFlags())
	named := map[string]bool{}
	var names []string
	for _, p := range pairs {
		for _, n := range []string{hostOf(p.from), hostOf(p.to)} {
			if !named[n] {
				named[n], names = true, append(names, n)
			}
		}
	}
	if a.inventory != "" {
		names = nil
	}
	if hosts, err = a.open(ctx, names); err != nil {
		return e, nil, nil, err
	}
	defer func(opened *connected) {
		if err != nil {
			opened.close()
		}
	}(hosts)
	if all, err = hosts.between(ctx, pairs, named); err != nil {
		return e, nil, nil, err
	}
	var measured []remote.Host
	for _, h := range hosts.hosts {
		if named[h.Name()] {
			measured = append(measured, h)
		} else {
			e.Via = append(e.Via, h)
		}
	}
	if _, err := a.require(ctx, measured, knowledge.Benchmarking); err != nil {
		return e, nil, nil, err
	}
	if f.counters {
		e.Counters = (&collect.Counters{Options: collect.Options{Platforms: hosts.platforms}}).Read
	}
	return e, all, hosts, nil
}

// between finds the address of each pair, and keeps the hosts on their paths.
func (c *connected) between(ctx context.Context, pairs []ends, named map[string]bool) ([]measure.Pair, error) {
	byName := c.byName()
	for name := range named {
		if byName[name] == nil {
			return nil, command.Usage("bench mesh: %s is not in the inventory", name)
		}
	}
	read := c.read(ctx)
	var unread error
	for _, o := range read {
		if named[o.Host] {
			unread = errors.Join(unread, o.Err)
		}
	}
	if unread != nil {
		return nil, unread
	}
	fleet, err := collect.Assemble(read)
	if err != nil {
		return nil, err
	}
	on := map[string]bool{}
	var all []measure.Pair
	for _, p := range pairs {
		path, err := graph.Of(fleet).Path(p.from, p.to)
		if err != nil {
			return nil, fmt.Errorf("path %s to %s: %w", p.from, p.to, err)
		}
		target, err := fleet.Target(path)
		if err != nil {
			return nil, err
		}
		for _, hop := range path.Hops {
			if hop.Ref != nil {
				on[hop.Ref.Host] = true
			}
		}
		all = append(all, measure.Pair{From: byName[hostOf(p.from)], To: byName[hostOf(p.to)], Target: target})
	}
	c.keep(func(host string) bool { return named[host] || on[host] })
	return all, nil
}
