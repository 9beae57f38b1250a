package node

import (
	"context"
	"fmt"
	"net/netip"

	"seaworthy/internal/parse/aix/arp"
	"seaworthy/internal/parse/linux/procarp"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// route adds and deletes routes that only the kernel has: chdev -l inet0 would
// write them to the database, and a restart, or an interface that goes, takes
// them away.
func (w *Simulator) route(ctx context.Context, c *call) error {
	if len(c.Rest) < 2 {
		return wrong("add or delete, and a destination, are required")
	}
	verb, mask, host := c.Rest[0], "", false
	var words []string
	for args := c.Rest[1:]; len(args) > 0; args = args[1:] {
		switch args[0] {
		case "-net", "-inet":
		case "-host":
			host = true
		case "-netmask":
			if args = args[1:]; len(args) == 0 {
				return wrong("-netmask needs a value")
			}
			mask = args[0]
		default:
			words = append(words, args[0])
		}
	}
	if verb != "add" && verb != "delete" || len(words) == 0 || len(words) > 2 || verb == "add" && len(words) != 2 {
		return wrong("this lab's route adds and deletes: a destination, -netmask and a gateway")
	}
	to := netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	if words[0] != "default" && words[0] != "0" {
		ip, err := netip.ParseAddr(words[0])
		if err != nil || !ip.Is4() {
			return wrong("%s is not an IPv4 address", words[0])
		}
		bits := 0
		if host {
			bits = 32
		}
		if to, err = odm.ParseAddress(ip, mask, bits); err != nil {
			return err
		}
		to = to.Masked()
	}
	var via netip.Addr
	text := ""
	if len(words) == 2 {
		var err error
		if via, err = netip.ParseAddr(words[1]); err != nil {
			return wrong("%s is not an IPv4 address", words[1])
		}
		text = ": gateway " + words[1]
	}
	err := w.change(ctx, c.Node, "", func(s *odm.Store) error {
		if verb == "add" {
			return s.AddRoute(to, via)
		}
		return s.DeleteRoute(to, via)
	})
	if err != nil {
		return err
	}
	kind := map[bool]string{true: "host", false: "net"}[to.IsSingleIP()]
	fmt.Fprintf(c.Stdout, "%s %s %s%s\n", to.Addr(), kind, words[0], text)
	return nil
}

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
	return c.Print(printing.FormatARP(t))
}
