package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/report"
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

func (a *app) inventoryList() *cobra.Command {
	return a.withSchema(&cobra.Command{
		Use:   "inventory -i FILE",
		Short: "Check an inventory file and list its hosts; --help shows the format",
		Long: `Inventory checks the file that -i names, and lists its hosts and groups as seaworthy
reads them. Errors name file and line. No host is contacted.

hosts.yaml; only the names of hosts are required:

  ssh_config: ssh_config     # as ssh -F; relative to this file
  become: {lpar*: sudo}      # how logins become root: one word for all, or by pattern
  hosts:
    lpar1:
      address: 10.1.1.11     # otherwise the name is looked up as ssh would
      user: root
      port: 22
      via: gate              # jump host: a name of this file or of ssh's
      platform: aix          # aix, vios or linux; detected if absent
      become: sudo           # sudo, su, dzdo, oem_setup_env or none
    vios1: {user: padmin}
    vios2: {user: padmin}
  groups:
    vioses: [vios1, vios2]   # seaworthy audit -i hosts.yaml vioses

An Ansible inventory, INI or YAML, is read as it is: hosts, groups, ansible_host,
ansible_user and ansible_port.

--schema prints the JSON Schema of hosts.yaml, by which an editor completes and checks it.`,
		Example: "  seaworthy inventory -i hosts.yaml\n  seaworthy inventory -i /etc/ansible/hosts -f json\n" +
			"  seaworthy inventory --schema > hosts.schema.json",
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			v, err := a.hostsFile(c.Context())
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
			return a.Answer(all, func(p *report.Printer) {
				t := report.Table{Head: []string{"host", "address", "user", " port", "via", "platform", "groups"}, Wrap: true}
				for _, x := range all {
					t.Add(x.Host, cmp.Or(x.Address, "as ssh"), report.Dash(x.User), report.Count(cmp.Or(x.Port, 22)), report.Dash(x.Via),
						report.Dash(x.Platform), report.Dash(strings.Join(x.Groups, ", ")))
				}
				t.Print(p)
			})
		},
	}, "hosts.yaml", HostsSchema)
}
