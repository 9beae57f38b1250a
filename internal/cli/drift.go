package cli

import (
	_ "embed"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/notify"
	"seaworthy/internal/app/past"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

// SiteSchema is the JSON Schema of a site's file.
//
//go:embed schema/site.schema.json
var SiteSchema string

func newDrift(a *commandLine) *cobra.Command {
	var file, named, to string
	var verbose bool
	var moment past.Moment
	flags := atFlags(&moment).And(command.Flags{"site": &named, "verbose": &verbose, "notify": &to})
	c := a.command("drift", flags, func(c *cobra.Command, argv []string) error {
		if named != "" {
			file = named
		}
		if file == "" {
			return command.Usage("drift: want the site's file: -f site.yaml (seaworthy site init writes one)")
		}
		if to != "" && moment.At != "" {
			return command.Usage("drift --notify tells of hosts as they are now: it excludes --at")
		}
		receiver, err := parseReceiver(c.Context(), to)
		if err != nil {
			return err
		}
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		d, err := findings.FindDrift(c.Context(), access, file, argv)
		if err != nil {
			return err
		}
		d.Version = command.Built().ID()
		var notRead []string
		for _, x := range d.Failed {
			notRead = append(notRead, x.Error)
		}
		err = a.Conclude(driftStatus(d), d, func(p *report.Document) { report.Drift(p, d.Result, notRead, len(d.Hosts), verbose) })
		return a.tell(c.Context(), receiver, notify.OfDrift(d), err)
	})
	return a.ReadsFile(c, &file)
}

// driftStatus is 2 where hosts are not as wanted, 3 where that is not known of all.
func driftStatus(d *findings.Drift) error {
	switch {
	case len(d.Drift) > 0:
		return command.Exit(command.ExitNo, nil)
	case len(d.Failed)+len(d.Unknown) > 0 || d.Held == 0 && len(d.Excepted) == 0:
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}

func newSite(a *commandLine) *cobra.Command {
	var out string
	var moment past.Moment
	create := a.command("site init", atFlags(&moment).And(command.Flags{"output": &out}), func(c *cobra.Command, argv []string) error {
		access, err := moment.Over(a.access())
		if err != nil {
			return err
		}
		made, err := findings.ProposeSite(c.Context(), access, argv)
		if err != nil {
			return err
		}
		for _, f := range made.Reading.Failed {
			a.Notice("%s", f.Error)
		}
		if out == "" {
			err = a.Print(string(made.Text))
		} else {
			err = fileio.Create(out, made.Text)
		}
		if err != nil {
			return err
		}
		if out != "" {
			kinds := report.Plural(made.Entries, "kind")
			a.Notice("%s has values for %s of elements: give each its reason, then seaworthy drift -f %s", out, kinds, out)
		}
		return completeness(made.Reading)
	})
	return command.Group("site", "What a site wants its hosts to be, as a file", a.withSchema(create, "a site's file", SiteSchema))
}
