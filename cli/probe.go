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
	mtu := &cobra.Command{
		Use:   "mtu A B [HOST]...",
		Short: "Find the largest packets that pass between two hosts, and what stops larger ones",
		Long: `Mtu pings from A to B and from B to A, in the sizes that the elements of the path
should carry, and finds the largest that passes. From Linux it sets don't-fragment and
distinguishes packets rejected with ICMP, packets lost silently and packets that pass
only in fragments. AIX's ping has no such flag up to 7.2: there the IP counters of both
ends, before and after, show whether a packet was split, and who split it. A newer
ping's flag is used once it has kept a packet above the MTU from being sent. With
--helper, seaworthy-probe (installed there, or copied for the time) sends packets with
don't-fragment from hosts whose ping cannot, to a UDP port that nobody listens on. It names
the element at fault: one with a smaller MTU of its own, or the switch port that no
host can see. A and B are hosts, or HOST:INTERFACE.

Each element of the path is proved, implied or open to carry the packets, with the
witness: pings that must not be split, counters, the subnet, the element's own setting.

To locate the switch port it also pings other points from both ends, at most eight and
without logging in: the default gateway, interfaces of other hosts, neighbours in the
ARP table. The output shows the result of each. Name the VIOSes of the path too, or give
an inventory with -i: the ports are theirs.

Exit status 2 if packets that the sender may send do not pass, 3 if that is unknown.`,
		Example: "  seaworthy probe mtu -i lab lpar1 lpar2\n  seaworthy probe mtu lpar1:en2 lpar2:en2 vios1 vios2",
		Args:    command.Args(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, argv []string) error {
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
		},
	}
	mtu.Flags().BoolVar(&helper, "helper", false, "let seaworthy-probe send packets with don't-fragment from hosts whose ping cannot")
	mtu.Flags().StringSliceVar(&dirs, "probes", nil, "`folder` of seaworthy-probe-OS-ARCH to copy to hosts (default: where this program is)")
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
