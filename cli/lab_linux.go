package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/lab"
	"seaworthy/lab/machinery"
	"seaworthy/report"
)

// labHosts is the inventory file of a running lab.
func labHosts(name string) (string, error) {
	l, err := theLab(name, "-i lab:NAME")
	if err != nil {
		return "", err
	}
	return l.HostsFile(), nil
}

func openLab(name string) (*lab.Lab, error) {
	l, err := lab.Open("", name)
	if errors.Is(err, lab.ErrNotRunning) {
		if name == "" {
			return nil, errors.New("no lab is running: seaworthy lab up starts one")
		}
		return nil, fmt.Errorf("%w (seaworthy lab ls lists those that run)", err)
	}
	return l, err
}

// theLab opens a lab by name, or the only one. How says how to name one.
func theLab(name, how string) (*lab.Lab, error) {
	if name == "" {
		if all, err := lab.List(""); err == nil && len(all) > 1 {
			var names []string
			for _, l := range all {
				names = append(names, l.Name)
			}
			return nil, fmt.Errorf("several labs run: %s: say which with %s", strings.Join(names, ", "), how)
		}
	}
	return openLab(name)
}

func (a *app) lab() *cobra.Command {
	return command.Group("lab", "A PowerVM network on this machine: LPARs, VIOSes, SEAs, switches",
		a.labUp(), a.labDown(), a.labLs(), a.labExec(), a.labShell(), a.labSSHConfig(), a.labTopologies(), a.labEffects(),
		a.labBreak(), a.labMend(), a.labProve(), a.labReplay(), a.labCPU())
}

// labEntry is a running lab in JSON.
type labEntry struct {
	Name     string    `json:"name"`
	Topology string    `json:"topology"`
	Started  time.Time `json:"started"`
	Rootless bool      `json:"rootless"`
	PID      int       `json:"pid"`
	Nodes    []string  `json:"nodes"`
	Hosts    string    `json:"hosts_file"`
	Warnings []string  `json:"warnings,omitempty"` // of a lab that was just started
}

func entry(l *lab.Lab) labEntry {
	e := labEntry{Name: l.Name, Topology: l.Topology, Started: l.Started, Rootless: l.Rootless, PID: l.PID, Hosts: l.HostsFile()}
	for _, n := range l.Nodes {
		e.Nodes = append(e.Nodes, n.Name)
	}
	return e
}

func (a *app) labUp() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "up [TOPOLOGY]",
		Short: "Start a lab: a built-in topology or a file of your own (- reads standard input)",
		Args:  command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			top := "two-systems"
			if len(argv) == 1 {
				top = argv[0]
			}
			if top == "-" {
				top = "/dev/stdin"
			}
			l, err := upLab(c.Context(), lab.Options{Name: name, Topology: top})
			if err != nil {
				return err
			}
			// Two SEAs that bridge one VLAN are a fault of the topology, not of
			// the lab: it is up, and says so.
			var now machinery.Faults
			if err := l.Query(c.Context(), "faults", nil, &now); err != nil {
				return err
			}
			e := entry(l)
			e.Warnings = now.Warnings
			return a.Answer(e, func(p *report.Printer) {
				p.Entry(fmt.Sprintf("lab %s is up:", l.Name), strings.Join(e.Nodes, ", "))
				for _, w := range now.Warnings {
					p.Prose("warning", w)
				}
				// Where several run, each verb has to say which.
				flag, inv, name := "", "", ""
				if all, err := lab.List(""); err != nil || len(all) > 1 {
					flag, inv, name = " --lab "+l.Name, ":"+l.Name, " "+l.Name
				}
				p.Line("  seaworthy lab exec%s %s -- 'lsattr -El en0'", flag, l.Nodes[0].Name)
				p.Line("  seaworthy audit -i lab%s", inv)
				p.Line("  seaworthy lab down%s", name)
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "`name` of the lab, if not the topology's: several can run side by side")
	alsoCalled(c, "lab", &name)
	return c
}

// upLab starts a lab whose nodes have what is built beside this program: the
// load generator, and what answers for the nodes' commands.
func upLab(ctx context.Context, o lab.Options) (*lab.Lab, error) {
	o.Probe, o.Relay = beside("seaworthy-probe"), beside("seaworthy-node")
	return lab.Up(ctx, o)
}

// beside is the path of another program in this one's folder; empty: there is
// none.
func beside(name string) string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	path := filepath.Join(filepath.Dir(exe), name)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

func (a *app) labDown() *cobra.Command {
	var all bool
	var name string
	c := &cobra.Command{
		Use:   "down [NAME]",
		Short: "End a lab; nothing of it stays",
		Args:  command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			var names []string
			switch {
			case all:
				labs, err := lab.List("")
				if err != nil {
					return err
				}
				for _, l := range labs {
					names = append(names, l.Name)
				}
			case len(argv) == 1 && name != "" && name != argv[0]:
				return command.Usage("lab down: which one, %s or %s?", argv[0], name)
			case len(argv) == 1:
				names = argv
			default:
				l, err := theLab(name, "seaworthy lab down NAME, or end them with --all")
				if err != nil {
					return err
				}
				names = []string{l.Name}
			}
			var failed error
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
	c.Flags().BoolVar(&all, "all", false, "every lab that runs")
	for _, flag := range []string{"lab", "name"} {
		alsoCalled(c, flag, &name)
	}
	return c
}

func (a *app) labLs() *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the running labs", Args: command.Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			labs, err := lab.List("")
			if err != nil {
				return err
			}
			list := []labEntry{}
			for _, l := range labs {
				list = append(list, entry(l))
			}
			return a.Answer(list, func(p *report.Printer) {
				if len(list) == 0 {
					p.Line("No lab is running.")
					return
				}
				t := report.Table{Head: []string{"lab", "topology", "up since", "privilege", " pid", "nodes"}}
				for _, e := range list {
					privilege := "root"
					if e.Rootless {
						privilege = "none"
					}
					t.Add(e.Name, e.Topology, e.Started.Local().Format("2006-01-02 15:04:05"), privilege, report.Count(e.PID), strings.Join(e.Nodes, " "))
				}
				t.Print(p)
			})
		},
	}
}

// labFlag chooses among running labs.
func labFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "lab", *name, "`name` of the lab, if several run")
	alsoCalled(c, "name", name)
}

// alsoCalled takes what a user types who has the other verbs' flag in mind.
func alsoCalled(c *cobra.Command, flag string, value *string) {
	c.Flags().StringVar(value, flag, *value, "")
	_ = c.Flags().MarkHidden(flag)
}
