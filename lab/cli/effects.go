package cli

import (
	"context"

	"github.com/spf13/cobra"

	"seaworthy/catalog"
	"seaworthy/cli/command"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/effect"
	"seaworthy/report"
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
				if got = got.Only(argv[0]); len(got.Attributes) == 0 {
					return command.Usage("lab effects %s: no node has such an attribute", argv[0])
				}
			}
			return a.Answer(got, func(p *report.Printer) { printEffects(p, got) })
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
	cat, err := catalog.Load()
	if err != nil {
		return e, err
	}
	return assemble.Table(cat, effect.Machine{}, nil), nil
}

func printEffects(p *report.Printer, e assemble.Effects) {
	t := report.Table{Head: []string{"layer", "attribute", "outcome", "what it does in the lab"}, Wrap: true}
	for _, x := range e.Attributes {
		t.Add(x.Layer, x.Attribute, string(x.Outcome), x.What)
	}
	t.Print(p)
	if len(e.Counters) > 0 {
		p.Line("")
		t = report.Table{Head: []string{"command", "numbers", "source", "what they are"}, Wrap: true}
		for _, x := range e.Counters {
			t.Add(x.Layer, x.Attribute, string(x.Outcome), x.What)
		}
		t.Print(p)
	}
	p.Prose("note", e.Notes...)
}
