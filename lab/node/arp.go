package node

import (
	"context"
	"fmt"

	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/linux/procarp"
)

// arp prints the kernel's table of neighbours, arp -a and arp -an: those of the
// node whose hardware address is known. The buckets of AIX's table are not
// there, since the kernel's table has others.
func (w *Simulator) arp(_ context.Context, c *call) error {
	if !c.Has("a") && !c.Has("n") {
		return wrong("this lab's arp shows the table")
	}
	text, err := w.ReadFile(c.Node, "/proc/net/arp")
	if err != nil {
		return err
	}
	kernel, err := procarp.Parse(text)
	if err != nil {
		return fmt.Errorf("the kernel's table: %w", err)
	}
	t := &arp.Table{}
	for _, e := range kernel.Entries {
		if e.Complete() {
			t.Entries = append(t.Entries, &arp.Entry{Name: "?", Address: e.Address, MAC: e.MAC, Kind: "ethernet",
				Permanent: e.Flags&4 != 0}) // ATF_PERM
		}
	}
	return c.Print(arp.Format(t))
}
