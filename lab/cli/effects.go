package cli

import (
	"context"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"seaworthy/internal/base/spelling"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/effect"
	"seaworthy/lab/wire"
)

func (a *app) effects() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use:   "effects [ATTRIBUTE]",
		Short: "Show what each attribute does in the lab: changes the kernel, is only recorded, or is refused",
		Args:  command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			got, err := effects(c.Context(), f.lab)
			if err != nil {
				return err
			}
			if len(argv) == 1 {
				chosen := got.Only(argv[0])
				if len(chosen.Attributes) == 0 {
					var names []string
					for _, x := range got.Attributes {
						names = append(names, x.Attribute)
					}
					return command.Usage("lab effects %s: no node has such an attribute%s", argv[0], spelling.DidYouMean(argv[0], names))
				}
				got = chosen
			}
			return a.Answer(got, func(p *report.Document) { printEffects(p, got) })
		},
	}
	labFlag(c, &f.lab)
	return c
}

// effects asks a running lab, or says what holds for any if none runs.
func effects(ctx context.Context, name string) (e assemble.Effects, err error) {
	l, err := lab.Open("", name)
	if err == nil {
		return e, l.Query(ctx, "effects", nil, &e)
	}
	if name != "" {
		return e, err
	}
	cat, err := knowledge.Load()
	if err != nil {
		return e, err
	}
	return assemble.Table(cat, effect.Machine{}, nil), nil
}

func printEffects(p *report.Document, e assemble.Effects) {
	t := doc.NewWrapped("effects", doc.Left("layer"), doc.Left("attribute"), doc.Left("outcome"), doc.Left("what it does in the lab"))
	for _, x := range e.Attributes {
		t.Add(x.Layer, x.Attribute, string(x.Outcome), x.What)
	}
	p.Table(t)
	if len(e.Counters) > 0 {
		p.Line("")
		t = doc.NewWrapped("counters", doc.Left("command"), doc.Left("numbers"), doc.Left("source"), doc.Left("what they are"))
		for _, x := range e.Counters {
			t.Add(x.Layer, x.Attribute, string(x.Outcome), x.What)
		}
		p.Table(t)
	}
	p.Prose("note", e.Notes...)
}

// without lists what a lab lacks on a kernel without a driver.
var without = map[string]string{
	"bonding": "no lab whose Linux nodes have bonds: lab up bond ends with an error",
	"8021q":   "Linux nodes cannot make VLAN devices; the VLANs of AIX and VIOS nodes need no such driver",
	"macvlan": "Linux nodes cannot make macvlan devices",
}

// shared hold what a Linux node has in common with the machine.
var shared = []string{
	"the kernel, and which drivers it has",
	"processors, memory and the clock",
	"its programs (/usr), read-only",
	"/sys and /proc/sys except what is of the network, both read-only",
	"/proc/net/softnet_stat",
}

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Show which network drivers this machine's kernel has for Linux nodes, and what they share with the machine",
		Args:  command.Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			drivers, err := lab.Drivers()
			if err != nil {
				return err
			}
			var name unix.Utsname
			if err := unix.Uname(&name); err != nil {
				return err
			}
			got := struct {
				Kernel  string        `json:"kernel"`
				Drivers []wire.Driver `json:"drivers"`
				Shared  []string      `json:"shared_by_linux_nodes"`
			}{unix.ByteSliceToString(name.Release[:]), drivers, shared}
			return a.Answer(got, func(p *report.Document) {
				p.Line("Linux %s", got.Kernel)
				p.Line("")
				t := doc.NewWrapped("drivers", doc.Left("driver"), doc.Left("here"), doc.Left("what its absence means"))
				missing := false
				for _, d := range got.Drivers {
					here, lacks := "yes", ""
					if !d.Here {
						here, lacks, missing = "no", without[d.Name], true
					}
					t.Add(d.Name, here, lacks)
				}
				p.Table(t)
				if missing {
					p.Prose("note", "modprobe NAME loads a driver that this kernel has as a module. Where it has none, start the lab on another "+
						"kernel, for example in a guest: see docs/lab.md.")
				}
				p.Line("")
				p.Line("A Linux node shares with this machine:")
				for _, s := range got.Shared {
					p.Line("  %s", s)
				}
			})
		},
	}
}
