package cli

import (
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"seaworthy/cli/command"
	"seaworthy/lab"
	"seaworthy/lab/wire"
	"seaworthy/report"
)

// without is what a lab lacks on a kernel without a driver.
var without = map[string]string{
	"bonding": "no lab whose Linux nodes have bonds: lab up bond ends with an error",
	"8021q":   "Linux nodes cannot make VLAN devices; the VLANs of AIX and VIOS nodes need no such driver",
	"macvlan": "Linux nodes cannot make macvlan devices",
}

// shared are what a Linux node has in common with the machine.
var shared = []string{
	"the kernel, and which drivers it has",
	"processors, memory and the clock",
	"its programs (/usr), read-only",
	"/sys and /proc/sys except what is of the network, both read-only",
	"/proc/net/softnet_stat",
}

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Show which network drivers this machine's kernel has for Linux nodes, and what they share with the machine",
		Args:  command.Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			drivers, err := lab.Drivers()
			if err != nil {
				return err
			}
			var name unix.Utsname
			if err := unix.Uname(&name); err != nil {
				return err
			}
			got := struct {
				Kernel  string        `json:"kernel"`
				Drivers []wire.Driver `json:"drivers"`
				Shared  []string      `json:"shared_by_linux_nodes"`
			}{unix.ByteSliceToString(name.Release[:]), drivers, shared}
			return a.Answer(got, func(p *report.Printer) {
				p.Line("Linux %s", got.Kernel)
				p.Line("")
				t := report.Table{Head: []string{"driver", "here", "what its absence means"}, Wrap: true}
				missing := false
				for _, d := range got.Drivers {
					here, lacks := "yes", ""
					if !d.Here {
						here, lacks, missing = "no", without[d.Name], true
					}
					t.Add(d.Name, here, lacks)
				}
				t.Print(p)
				if missing {
					p.Prose("note", "modprobe NAME loads a driver that this kernel has as a module. Where it has none, start the lab on another "+
						"kernel, for example in a guest: see docs/lab.md.")
				}
				p.Line("")
				p.Line("A Linux node shares with this machine:")
				for _, s := range got.Shared {
					p.Line("  %s", s)
				}
			})
		},
	}
}
