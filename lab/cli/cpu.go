package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/cputime"
)

func (a *app) cpu() *cobra.Command {
	var name string
	var interval float64
	var count int
	c := &cobra.Command{
		Use:   "cpu [LAB]",
		Short: "Cores of every LPAR, VIOS and switch of a lab, measured by the kernel",
		Long: `Cpu measures for one interval whose CPU time it is: of each LPAR and VIOS, of the
hypervisor switches, of the Ethernet switch. Packets are carried by the kernel, in
softirqs that interrupt whatever runs; as root each is given to the node whose
adapter it is at work for. Without privilege the time of processes is shown, and
the rest as not attributed. On a terminal the table is renewed until Ctrl-C.`,
		Args: named(&name),
		RunE: func(c *cobra.Command, _ []string) error {
			if !(interval > 0 && interval <= 3600) {
				return command.Usage("lab cpu: --interval %g: wanted more than 0, at most 3600 s", interval)
			}
			if count < 0 {
				return command.Usage("lab cpu: --count %d: wanted 0 or more", count)
			}
			l, err := lab.Open("", name)
			if err != nil {
				return err
			}
			live := terminal(a.Stdout) != nil && a.Format == "table"
			if count == 0 && !live {
				count = 1
			}
			return a.watchCPU(c.Context(), l, time.Duration(interval*float64(time.Second)), count, live)
		},
	}
	labFlag(c, &name)
	interval = 2
	c.Flags().Var(command.Seconds(&interval), "interval", "measured `time`")
	c.Flags().IntVar(&count, "count", 0, "`number` of intervals; 0: until Ctrl-C on a terminal, else one")
	return c
}

// watchCPU prints count intervals, or as many as there are until the context
// ends.
func (a *app) watchCPU(ctx context.Context, l *lab.Lab, interval time.Duration, count int, live bool) error {
	before := new(cputime.Reading)
	if err := l.Query(ctx, "cpu", nil, before); err != nil {
		return err
	}
	for i := 0; count == 0 || i < count; i++ {
		t := progress.Begin(ctx, "measuring", "", 0)
		t.Until(time.Now().Add(interval))
		select {
		case <-ctx.Done():
			t.End()
			if live {
				return nil
			}
			return ctx.Err()
		case <-time.After(interval):
		}
		after := new(cputime.Reading)
		if err := l.Query(ctx, "cpu", nil, after); err != nil {
			return err
		}
		shares, err := cputime.Between(before, after)
		if err != nil {
			return fmt.Errorf("lab %s: %w", l.Name, err)
		}
		before = after
		t.End()
		if live {
			fmt.Fprint(a.Stdout, "\x1b[H\x1b[J")
		}
		if err := a.Answer(shares, func(p *report.Document) { printCPU(p, l.Name, shares) }); err != nil {
			return err
		}
	}
	return nil
}

func printCPU(p *report.Document, name string, s *cputime.Shares) {
	shown := func(format string, v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf(format, *v)
	}
	cores := func(v *float64) string { return shown("%.2f", v) }
	t := doc.NewTable("cpu", doc.Left("lab "+name), doc.Left("role"), doc.Right("cores"), doc.Right("user").In("cores"),
		doc.Right("system").In("cores"), doc.Right("softirq").In("cores"), doc.Right("% of ent."))
	for _, x := range s.Shares {
		role := string(x.Role)
		if slices.Contains([]cputime.Role{cputime.Rest, cputime.Nobody, cputime.Lab}, x.Role) {
			role = ""
		}
		t.Add(x.Name, role, cores(&x.Cores), cores(x.User), cores(x.System), cores(x.SoftIRQ), shown("%.1f", x.Entitlement))
	}
	t.Add("sum", "", cores(&s.Sum), "", "", "", "")
	p.Table(t)
	p.Line("The machine's own account, over %.1f s: %.2f of %d cores.", s.Seconds, s.Machine, s.CPUs)
	if s.Processes != "" {
		p.Prose("note", "only processes are attributed here: "+s.Processes)
	}
}
