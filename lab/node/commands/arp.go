package commands

import (
	"context"
	"fmt"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/printing"
)

func arpCommand() command {
	return command{
		run: runArp,
		aix: &form{
			flags: "an",
			usage: `arp -a [-n]`,
		},
	}
}

// runArp prints the kernel's table of neighbours, arp -a and arp -an: those of the
// node whose hardware address is known. The buckets of AIX's table are not
// there, since the kernel's table has others.
func runArp(_ context.Context, c *call) error {
	if !c.Has("a") && !c.Has("n") {
		return flags.Usagef("this lab's arp shows the table")
	}
	text, err := c.sim.ReadFile(c.Node, "/proc/net/arp")
	if err != nil {
		return err
	}
	kernel, err := linewise.ParseProcARP(text)
	if err != nil {
		return fmt.Errorf("the kernel's table: %w", err)
	}
	t := &linewise.ARPTable{}
	for _, e := range kernel.Entries {
		if e.Complete() {
			t.Entries = append(t.Entries, &linewise.ARPEntry{Name: "?", Address: e.Address, MAC: e.MAC, Kind: "ethernet",
				Permanent: e.Flags&4 != 0}) // ATF_PERM
		}
	}
	return c.Print(printing.FormatARP(t))
}
