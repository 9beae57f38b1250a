package cli

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/supervisor"
)

func (a *app) up() *cobra.Command {
	var o lab.Options
	var copied copying
	c := &cobra.Command{
		Use:   "up [TOPOLOGY]",
		Short: "Start a lab: a built-in topology, a file of your own (- reads standard input), or a copy of saved hosts",
		Long: "Up starts a lab.\n\n" +
			"With --from it is a copy of a network, made from the folders that collect or import wrote: systems,\n" +
			"partitions, VIOSes, SEAs, EtherChannels, VLANs, addresses, MACs, and every setting that a lab has, running and\n" +
			"next-boot. A table says what is built as read, what was assumed, what stands in, and what was left out, and why.\n" +
			"With --with-faults it also has the faults that the readings prove; lab mend takes them away.\n" +
			"The copy lives in network namespaces of this machine and reaches no real host. Exit status 3: the lab is up, but a\n" +
			"host of --hosts is not whole in it.",
		Example: "  seaworthy lab up dual-vios\n" +
			"  seaworthy collect -i hosts.yaml -o today && seaworthy lab up --from today --name rehearsal\n" +
			"  seaworthy lab up --from today --hosts lpar1,lpar3 -o copy.yaml\n" +
			"  seaworthy lab up --from yesterday --from today --with-faults",
		Args: command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if len(copied.from) > 0 && len(argv) > 0 {
				return command.Usage("lab up: a TOPOLOGY or --from, not both")
			}
			if len(copied.from) > 0 {
				return copied.up(c.Context(), a, o)
			}
			for _, f := range []string{"hosts", "output", "switch-mtu", "all", "with-faults"} {
				if c.Flags().Changed(f) {
					return command.Usage("lab up: --%s belongs to --from", f)
				}
			}
			top := "two-systems"
			if len(argv) == 1 {
				top = argv[0]
			}
			if top == "-" {
				top = "/dev/stdin"
			}
			o.Topology = top
			if o.Strict && !c.Flags().Changed("oem-status") {
				o.OEMStatus = "0"
			}
			l, err := upLab(c.Context(), o)
			if err != nil {
				return err
			}
			// Two SEAs that bridge one VLAN are a fault of the topology, not of
			// the lab: it is up, and warns.
			var now assemble.Faults
			if err := l.Query(c.Context(), "faults", nil, &now); err != nil {
				return err
			}
			e := entry(l)
			e.Warnings = now.Warnings
			return a.Answer(e, func(p *report.Document) {
				p.Entry(doc.Textf("lab %s is up:", l.Name), strings.Join(logins(l), ", "))
				p.Prose("warning", now.Warnings...)
				// Where several run, each command has to name its lab; one that was given a name
				// is named too, since another may run soon.
				flag, inv, name := "", "", ""
				running, _ := lab.List("")
				if len(running) > 1 || o.Name != "" {
					flag, inv, name = " --lab "+l.Name, ":"+l.Name, " "+l.Name
				}
				shows := "lsattr -El en0"
				if l.Nodes[0].OS == "linux" {
					shows = "ip addr"
				}
				p.Line("  seaworthy lab exec%s %s -- '%s'", flag, l.Nodes[0].Name, shows)
				p.Line("  seaworthy audit -i lab%s", inv)
				p.Line("  seaworthy lab down%s", name)
			})
		},
	}
	c.Flags().StringVar(&o.Name, "name", "", "`name` of the lab, if not the topology's: several can run side by side")
	alias(c, "lab", &o.Name)
	c.Flags().BoolVar(&o.Strict, "strict", false,
		"answer as the strictest site: ksh88's aliases, a .kshrc that prints, umask 077, a banner, no root login to LPARs, a restricted padmin")
	c.Flags().StringVar(&o.Shell, "shell", "", "`shell` of logins: ksh93, mksh, bash or a path; default: the nearest to AIX's")
	c.Flags().StringVar(&o.OEMStatus, "oem-status", "last",
		"exit `status` of oem_setup_env: last (of its last command), 0 or 4; with --strict 0")
	c.Flags().Var(command.Duration(&o.Slow), "slow", "`time` to add to each AIX command")
	copied.flags(c)
	c.Flags().BoolVar(&copied.faults, "with-faults", false,
		"copy: also break what the network's readings prove, of two folders also what counters gained: lost frames, ports without link, "+
			"buffers that run out, large packets that vanish")
	c.Flags().StringSliceVar(&copied.hosts, "hosts", nil, "copy: the `hosts` whose path must be whole, separated by commas; others that it does not pass are left out")
	c.Flags().StringVarP(&copied.file, "output", "o", "", "copy: write its topology to this `file`, to edit and start it again")
	return c
}

// upLab starts a lab whose nodes have the load generator that is built beside
// this program.
func upLab(ctx context.Context, o lab.Options) (*lab.Lab, error) {
	o.Probe, _ = deploy.Find(nil, runtime.GOOS, runtime.GOARCH) // the nodes go without
	t := progress.Begin(ctx, "starting the lab", "", 0)
	defer t.End()
	return lab.Up(ctx, o)
}

func (a *app) down() *cobra.Command {
	var all bool
	var name string
	c := &cobra.Command{
		Use:   "down [NAME]",
		Short: "Stop a lab and remove everything it created",
		Args:  named(&name),
		RunE: func(c *cobra.Command, _ []string) error {
			names := []string{name}
			var failed error
			if all {
				names = nil
				var labs []*lab.Lab
				labs, failed = lab.List("")
				for _, l := range labs {
					names = append(names, l.Name)
				}
			} else if name == "" {
				l, err := lab.Open("", "")
				if err != nil {
					return err
				}
				names = []string{l.Name}
			}
			for _, n := range names {
				if err := lab.Down(c.Context(), "", n); err != nil {
					failed = errors.Join(failed, err)
					continue
				}
				a.Notice("lab %s is down", n)
			}
			return failed
		},
	}
	c.Flags().BoolVar(&all, "all", false, "every running lab")
	labFlag(c, &name)
	return c
}

// labEntry is a running lab in JSON, which has nodes and an HMC by their names only.
type labEntry struct {
	supervisor.Info
	Nodes    []string `json:"nodes"`
	HMC      string   `json:"hmc,omitempty"`
	Hosts    string   `json:"hosts_file"`
	Warnings []string `json:"warnings,omitempty"` // of a lab that was just started
}

func entry(l *lab.Lab) labEntry {
	e := labEntry{Info: l.Info, Nodes: l.Names(), Hosts: l.HostsFile()}
	if l.HMC != nil {
		e.HMC = l.HMC.Name
	}
	return e
}

// logins are the names that one can log in to.
func logins(l *lab.Lab) []string {
	if l.HMC == nil {
		return l.Names()
	}
	return append(l.Names(), l.HMC.Name)
}

func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the running labs", Args: command.Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			labs, failed := lab.List("")
			list := []labEntry{}
			for _, l := range labs {
				list = append(list, entry(l))
			}
			err := a.Answer(list, func(p *report.Document) {
				if len(list) == 0 {
					p.Line("No lab is running.")
					return
				}
				t := doc.NewTable("labs", doc.Left("lab"), doc.Left("topology"), doc.Left("up since"), doc.Left("privilege"),
					doc.Right("pid"), doc.Left("nodes"))
				for _, e := range list {
					privilege := "root"
					if e.Rootless {
						privilege = "none"
					}
					up := e.Started.Local().Format(time.DateTime)
					t.Add(e.Name, e.Topology, up, privilege, report.Count(e.PID), strings.TrimSpace(strings.Join(e.Nodes, " ")+" "+e.HMC))
				}
				p.Table(t)
			})
			return cmp.Or(err, failed)
		},
	}
}
