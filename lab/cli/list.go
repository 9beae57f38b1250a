package cli

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/lab"
	"seaworthy/report"
)

// labEntry is a running lab in JSON.
type labEntry struct {
	Name     string    `json:"name"`
	Topology string    `json:"topology"`
	Started  time.Time `json:"started"`
	Rootless bool      `json:"rootless"`
	PID      int       `json:"pid"`
	Nodes    []string  `json:"nodes"`
	HMC      string    `json:"hmc,omitempty"`
	Hosts    string    `json:"hosts_file"`
	Warnings []string  `json:"warnings,omitempty"` // of a lab that was just started
}

func entry(l *lab.Lab) labEntry {
	e := labEntry{Name: l.Name, Topology: l.Topology, Started: l.Started, Rootless: l.Rootless, PID: l.PID, Hosts: l.HostsFile()}
	for _, n := range l.Nodes {
		e.Nodes = append(e.Nodes, n.Name)
	}
	if l.HMC != nil {
		e.HMC = l.HMC.Name
	}
	return e
}

// logins are the names that one can log in to.
func logins(l *lab.Lab) (names []string) {
	for _, n := range l.Logins() {
		names = append(names, n.Name)
	}
	return names
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
			err := a.Answer(list, func(p *report.Printer) {
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
					up := e.Started.Local().Format(time.DateTime)
					t.Add(e.Name, e.Topology, up, privilege, report.Count(e.PID), strings.TrimSpace(strings.Join(e.Nodes, " ")+" "+e.HMC))
				}
				t.Print(p)
			})
			return cmp.Or(err, failed)
		},
	}
}
