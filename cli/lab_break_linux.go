package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/cli/command"
	"seaworthy/lab/fault"
	"seaworthy/lab/machinery"
	"seaworthy/report"
)

// labBreak breaks something in a running lab.
func (a *app) labBreak() *cobra.Command {
	var name, value string
	c := &cobra.Command{
		Use:   "break [TARGET FAULT [VALUE]]",
		Short: "Break something in a lab, or list what can be broken and what is",
		Long: "Break breaks something until lab mend mends it: a node crashes, a cable is out,\n" +
			"flaps, loses frames or delays them, a switch port passes no jumbo frames.\n" +
			"Without arguments it lists the faults of a lab and what is broken now.",
		Example: "  seaworthy lab break vios1a crash\n  seaworthy lab break vios1:ent0 loss 0.5\n  seaworthy lab break sw1/1 no-jumbo\n  seaworthy lab break sw1/2 delay 500us\n  seaworthy lab break lpar1 clock-jump -15m",
		Args:    command.Args(cobra.MatchAll(cobra.MaximumNArgs(3), notOne)),
		RunE: func(c *cobra.Command, argv []string) error {
			l, err := theLab(name, "--lab NAME")
			if err != nil {
				return err
			}
			var got machinery.Faults
			if len(argv) == 0 {
				if err := l.Query(c.Context(), "faults", nil, &got); err != nil {
					return err
				}
				return a.Answer(struct {
					machinery.Faults
					Kinds []fault.Entry `json:"faults"`
				}{got, fault.Catalogue()}, func(p *report.Printer) { printFaults(p, got) })
			}
			f := fault.Fault{Target: argv[0], Kind: argv[1], Value: value}
			if len(argv) == 3 {
				f.Value = argv[2]
			}
			if err := l.Query(c.Context(), "break", f, &got); err != nil {
				return err
			}
			return a.Answer(got, func(p *report.Printer) {
				p.Line("%s: broken; seaworthy lab mend %s %s mends it", f, f.Target, f.Kind)
				for _, w := range got.Warnings {
					p.Prose("warning", w)
				}
			})
		},
	}
	labFlag(c, &name)
	for digit := range 10 {
		c.Flags().AddFlag(&pflag.Flag{Name: fmt.Sprint("back-", digit), Shorthand: fmt.Sprint(digit), Value: &backInTime{digit, &value}, Hidden: true})
	}
	return c
}

// backInTime reads a negative duration, as clock-jump takes it, which looks
// like a flag: -15m is its flag 1 with the value 5m.
type backInTime struct {
	digit int
	value *string
}

func (b *backInTime) Set(rest string) error {
	*b.value = fmt.Sprintf("-%d%s", b.digit, rest)
	return nil
}

func (b *backInTime) String() string { return "" }
func (b *backInTime) Type() string   { return "duration" }

// notOne: a target without a fault says nothing.
func notOne(_ *cobra.Command, argv []string) error {
	if len(argv) == 1 {
		return command.Usage("lab break %s: what shall break there? seaworthy lab break lists the faults", argv[0])
	}
	return nil
}

func printFaults(p *report.Printer, got machinery.Faults) {
	t := report.Table{Head: []string{"fault", "target", "value", "what it does"}, Wrap: true}
	for _, e := range fault.Catalogue() {
		what := e.What
		if e.Not != "" {
			what = "not in this lab, because " + e.Not
		}
		t.Add(e.Kind, e.Target, e.Value, what)
	}
	t.Print(p)
	p.Line("")
	if len(got.Broken) == 0 {
		p.Line("Nothing is broken now.")
	}
	for _, f := range got.Broken {
		p.Line("broken: %s", f)
	}
	for _, w := range got.Warnings {
		p.Prose("warning", w)
	}
}

// labMend mends what was broken.
func (a *app) labMend() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:     "mend [TARGET [FAULT]]",
		Short:   "Mend what lab break broke: all, all at a target, or one fault",
		Example: "  seaworthy lab mend vios1a",
		Args:    command.Args(cobra.MaximumNArgs(2)),
		RunE: func(c *cobra.Command, argv []string) error {
			l, err := theLab(name, "--lab NAME")
			if err != nil {
				return err
			}
			var f fault.Fault
			for i, to := range []*string{&f.Target, &f.Kind} {
				if i < len(argv) {
					*to = argv[i]
				}
			}
			var got machinery.Faults
			if err := l.Query(c.Context(), "mend", f, &got); err != nil {
				return err
			}
			return a.Answer(got, func(p *report.Printer) {
				var mended []string
				for _, m := range got.Mended {
					mended = append(mended, m.String())
				}
				if len(mended) == 0 {
					p.Line("Nothing was broken.")
				} else {
					p.Line("mended: %s", strings.Join(mended, ", "))
				}
				for _, w := range got.Warnings {
					p.Prose("warning", w)
				}
			})
		},
	}
	labFlag(c, &name)
	return c
}
