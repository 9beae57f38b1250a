package cli

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/comparison"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
)

// compareCommand puts hosts side by side.
type compareCommand struct {
	*commandLine
	moment   past.Moment
	golden   string
	system   string
	platform string
	verbose  bool
}

func newCompare(a *commandLine) *cobra.Command {
	x := &compareCommand{commandLine: a}
	return a.command("compare", atFlags(&x.moment).And(command.Flags{
		"golden": &x.golden, "system": &x.system, "platform": &x.platform, "verbose": &x.verbose,
	}), func(c *cobra.Command, argv []string) error {
		access, err := x.moment.Over(a.access())
		if err != nil {
			return err
		}
		got, err := access.ReadChosen(c.Context(), argv)
		if err != nil {
			return err
		}
		hosts, err := x.choose(got)
		if err != nil {
			return err
		}
		result := comparison.Compare(hosts, x.golden)
		status := completeness(got)
		if len(result.Undecided) > 0 || slices.ContainsFunc(result.Hosts, func(h comparison.Host) bool { return len(h.Differs) > 0 }) {
			status = command.Exit(command.ExitNo, nil)
		}
		return a.Conclude(status, result, func(p *report.Document) { report.SideBySide(p, result, x.verbose) })
	})
}

// choose gives the hosts that are compared: those of the system and platform that are named,
// else of the platform of the first.
func (x *compareCommand) choose(got *fleet.Reading) ([]*model.Host, error) {
	of := func(h *model.Host) bool { return x.system == "" || h.MachineID == x.system }
	golden := got.Fleet.Host(x.golden)
	if x.golden != "" && golden == nil {
		return nil, command.Usage("compare --golden %s: this host was not read", x.golden)
	}
	platform := model.Platform(x.platform)
	if golden != nil {
		platform = cmp.Or(platform, golden.Platform)
	}
	var chosen []*model.Host
	for _, h := range got.Fleet.Hosts {
		if !of(h) && h != golden {
			continue
		}
		platform = cmp.Or(platform, h.Platform)
		if h.Platform != platform {
			x.Notice("%s: not compared: it is %s, not %s (--platform chooses)", h.Name, h.Platform, platform)
			continue
		}
		chosen = append(chosen, h)
	}
	if len(chosen) < 2 {
		return nil, command.Usage("compare: two hosts of one platform are needed, %d were chosen", len(chosen))
	}
	return chosen, nil
}
