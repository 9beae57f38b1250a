package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/fault"
)

func (a *app) breakFault() *cobra.Command {
	var value string
	c := inLab(&cobra.Command{
		Use:   "break [TARGET FAULT [VALUE]]",
		Short: "Break something in a lab; without arguments, list the faults and what is broken",
		Long: `Break breaks something until lab mend mends it: a node crashes, a cable is out,
flaps, loses frames or delays them, a switch port passes no jumbo frames.
Without arguments it lists the faults of a lab and what is broken now.`,
		Example: `  seaworthy lab break vios1a crash
  seaworthy lab break vios1:ent0 loss 0.5
  seaworthy lab break sw1/1 no-jumbo
  seaworthy lab break sw1/2 delay 500us
  seaworthy lab break lpar1 clock-jump -15m`,
		Args: command.Args(cobra.MatchAll(cobra.MaximumNArgs(3), withFault)),
	}, func(c *cobra.Command, l *lab.Lab, argv []string) error {
		var got assemble.Faults
		if len(argv) == 0 {
			if err := l.Query(c.Context(), "faults", nil, &got); err != nil {
				return err
			}
			return a.Answer(struct {
				assemble.Faults
				Kinds []fault.Entry `json:"faults"`
			}{got, fault.Catalogue()}, func(p *report.Document) { printFaults(p, got) })
		}
		f := fault.Fault{Target: argv[0], Kind: argv[1], Value: value}
		if len(argv) == 3 {
			f.Value = argv[2]
		}
		if err := l.Query(c.Context(), "break", f, &got); err != nil {
			return err
		}
		return a.Answer(got, func(p *report.Document) {
			p.Line("%s: broken; seaworthy lab mend %s %s mends it", f, f.Target, f.Kind)
			p.Prose("warning", got.Warnings...)
		})
	})
	for digit := range 10 {
		c.Flags().AddFlag(&pflag.Flag{
			Name: fmt.Sprint("back-", digit), Shorthand: fmt.Sprint(digit), Value: &negative{digit, &value}, Hidden: true,
		})
	}
	return c
}

// negative reads a negative duration, as clock-jump takes it, which looks like
// a flag: -15m is its flag 1 with the value 5m.
type negative struct {
	digit int
	value *string
}

func (n *negative) Set(rest string) error {
	*n.value = fmt.Sprintf("-%d%s", n.digit, rest)
	return nil
}

func (n *negative) String() string { return "" }
func (n *negative) Type() string   { return "duration" }

// withFault: a target alone does not say what to break.
func withFault(_ *cobra.Command, argv []string) error {
	if len(argv) == 1 {
		return command.Usage("lab break %s: no fault given; seaworthy lab break lists the faults", argv[0])
	}
	return nil
}

func printFaults(p *report.Document, got assemble.Faults) {
	t := doc.NewWrapped("faults", doc.Left("fault"), doc.Left("target"), doc.Left("value"), doc.Left("what it does"))
	for _, e := range fault.Catalogue() {
		t.Add(e.Kind, e.Target, e.Value, e.What)
	}
	p.Table(t)
	p.Line("")
	if len(got.Broken) == 0 {
		p.Line("Nothing is broken now.")
	}
	for _, f := range got.Broken {
		p.Line("broken: %s", f)
	}
	p.Prose("warning", got.Warnings...)
}

func (a *app) mend() *cobra.Command {
	return inLab(&cobra.Command{
		Use:     "mend [all | TARGET [FAULT]]",
		Short:   "Mend what lab break broke: everything, everything at a target, or one fault",
		Example: "  seaworthy lab mend vios1a",
		Args:    command.Args(cobra.MaximumNArgs(2)),
	}, func(c *cobra.Command, l *lab.Lab, argv []string) error {
		var f fault.Fault
		if len(argv) > 0 && argv[0] != "all" {
			f.Target = argv[0]
		}
		if len(argv) > 1 {
			f.Kind = argv[1]
		}
		var got assemble.Faults
		if err := l.Query(c.Context(), "mend", f, &got); err != nil {
			return err
		}
		return a.Answer(got, func(p *report.Document) {
			var mended []string
			for _, m := range got.Mended {
				mended = append(mended, m.String())
			}
			if len(mended) == 0 {
				p.Line("Nothing was broken.")
			} else {
				p.Line("mended: %s", strings.Join(mended, ", "))
			}
			p.Prose("warning", got.Warnings...)
		})
	})
}
