package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
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
		return a.lay("inventory", all)
	}), "hosts.yaml", HostsSchema)
}
