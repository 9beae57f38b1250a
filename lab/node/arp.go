package node

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/linux/procarp"
)

// arp prints the kernel's table of neighbours, arp -a and arp -an: those of the
// node whose hardware address is known. The buckets of AIX's table are not
// there, since the kernel's table has others.
func (w *Simulator) arp(_ context.Context, c *Call) int {
	const how = "arp -a [-n]"
	o, err := Letters("an", c.Argv[1:])
	switch {
	case err != nil:
		return usage(c, err, how)
	case !o.Has("a") && !o.Has("n") || len(o.Rest) > 0:
		return usage(c, errors.New("this lab's arp shows the table"), how)
	}
	text, err := w.ReadFile(c.Node, "/proc/net/arp")
	if err != nil {
		return fail(c, "", err)
	}
	kernel, err := procarp.Parse(text)
	if err != nil {
		return fail(c, "", fmt.Errorf("the kernel's table: %w", err))
	}
	t := &arp.Table{}
	for _, e := range kernel.Entries {
		if e.Complete() {
			t.Entries = append(t.Entries, &arp.Entry{Name: "?", Address: e.Address, MAC: e.MAC, Kind: "ethernet"})
		}
	}
	c.Stdout.Write(arp.Format(t))
	return 0
}
