package cli

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/catalog"
	"seaworthy/change/pathmtu"
	"seaworthy/cli/command"
	"seaworthy/collect/doctor"
	"seaworthy/remote"
	"seaworthy/report"
)

func (a *app) probe() *cobra.Command {
	helper, dirs := false, []string(nil)
	mtu := a.command("probe mtu", command.Flags{
		"helper": &helper, "probes": &dirs,
	}, func(c *cobra.Command, argv []string) error {
		var with *helpers
		if helper {
			with = &helpers{dirs: dirs}
			defer with.close()
		}
		ways, err := a.probeMTU(c.Context(), argv, with)
		if err != nil {
			return err
		}
		return a.Conclude(mtuStatus(ways), ways, func(p *report.Printer) { report.PathMTU(p, ways) })
	})
	return command.Group("probe", "Test what a path carries", mtu)
}

func (a *app) probeMTU(ctx context.Context, argv []string, with *helpers) ([]pathmtu.Way, error) {
	from, to := argv[0], argv[1]
	c, err := a.open(ctx, a.ofPath(argv))
	if err != nil {
		return nil, err
	}
	defer c.close()
	failed := map[string]string{}
	fleet, err := a.reading(ctx, c, failed)
	if err != nil {
		return nil, err
	}
	for _, host := range slices.Sorted(maps.Keys(failed)) {
		a.Notice("%s", failed[host])
	}
	a.noticeNotRoot(fleet)
	byName := c.byName()
	ends := []remote.Host{byName[hostOf(from)], byName[hostOf(to)]}
	other, err := a.require(ctx, slices.DeleteFunc(ends, func(h remote.Host) bool { return h == nil }), catalog.ProbingMTU)
	if err != nil {
		return nil, err
	}
	plain := map[string]bool{}
	for _, o := range other {
		plain[o.Host] = plain[o.Host] || o.Result.ID == doctor.PingWhole
	}
	p := pathmtu.Prober{Fleet: fleet, Hosts: byName, PlainPing: plain}
	if with != nil {
		with.hosts, p.Whole = byName, with.whole
	}
	return p.Between(ctx, from, to)
}

func mtuStatus(ways []pathmtu.Way) error {
	worst := command.ExitDone
	for _, w := range ways {
		switch w.Verdict {
		case pathmtu.Whole:
		case pathmtu.NoAnswer, pathmtu.Unable, pathmtu.Arrives:
			if worst == command.ExitDone {
				worst = command.ExitInconclusive
			}
		default:
			worst = command.ExitNo
		}
	}
	if worst == command.ExitDone {
		return nil
	}
	return command.Exit(worst, nil)
}
