package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// listed is a host of an inventory file.
type listed struct {
	Host     string   `json:"host"`
	Address  string   `json:"address,omitempty"`
	User     string   `json:"user,omitempty"`
	Port     int      `json:"port,omitempty"`
	Via      string   `json:"via,omitempty"`
	Platform string   `json:"platform,omitempty"`
	Groups   []string `json:"groups"`
}

func newInventory(a *commandLine) *cobra.Command {
	return a.withSchema(a.command("inventory", nil, func(c *cobra.Command, _ []string) error {
		v, err := a.access().Targets(c.Context())
		if err != nil {
			return err
		}
		if v == nil {
			return command.Usage("inventory: name the file with -i")
		}
		all := []listed{}
		for _, name := range v.Names() {
			e := v.Hosts[name]
			x := listed{Host: name, Address: e.Address, User: e.User, Port: e.Port, Via: e.Via, Platform: e.Platform, Groups: []string{}}
			for group, members := range v.Groups {
				if slices.Contains(members, name) {
					x.Groups = append(x.Groups, group)
				}
			}
			slices.Sort(x.Groups)
			all = append(all, x)
		}
		return a.Answer(all, func(p *report.Document) { addHosts(p, all) })
	}), "hosts.yaml", HostsSchema)
}

// addHosts lists the hosts of an inventory file.
func addHosts(d *report.Document, all []listed) {
	t := doc.NewWrapped("hosts", doc.Left("host"), doc.Left("address"), doc.Left("user"), doc.Right("port"), doc.Left("via"),
		doc.Left("platform"), doc.Left("groups"))
	for _, x := range all {
		t.Add(x.Host, cmp.Or(x.Address, "as ssh"), report.Dash(x.User), cmp.Or(x.Port, 22), report.Dash(x.Via), report.Dash(x.Platform),
			report.Dash(strings.Join(x.Groups, ", ")))
	}
	d.Table(t)
}
