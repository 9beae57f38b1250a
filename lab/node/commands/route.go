package commands

import (
	"context"
	"fmt"
	"net/netip"

	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

func routeCommand() command {
	return command{
		run: runRoute,
		aix: &form{
			usage: `route add [-net | -host] Destination [-netmask Mask] Gateway
route delete [-net | -host] Destination [-netmask Mask] [Gateway]`,
		},
	}
}

// runRoute adds and deletes routes that only the kernel has: chdev -l inet0 would
// write them to the database, and a restart, or an interface that goes, takes
// them away.
func runRoute(ctx context.Context, c *call) error {
	if len(c.Rest) < 2 {
		return flags.Usagef("add or delete, and a destination, are required")
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
				return flags.Usagef("-netmask needs a value")
			}
			mask = args[0]
		default:
			words = append(words, args[0])
		}
	}
	if verb != "add" && verb != "delete" || len(words) == 0 || len(words) > 2 || verb == "add" && len(words) != 2 {
		return flags.Usagef("this lab's route adds and deletes: a destination, -netmask and a gateway")
	}
	to := netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	if words[0] != "default" && words[0] != "0" {
		ip, err := netip.ParseAddr(words[0])
		if err != nil || !ip.Is4() {
			return flags.Usagef("%s is not an IPv4 address", words[0])
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
			return flags.Usagef("%s is not an IPv4 address", words[1])
		}
		text = ": gateway " + words[1]
	}
	err := c.sim.Change(ctx, c.Node, "", func(s *odm.Store) error {
		if verb == "add" {
			return s.AddRoute(to, via)
		}
		return s.DeleteRoute(to, via)
	})
	if err != nil {
		return err
	}
	kind := "net"
	if to.IsSingleIP() {
		kind = "host"
	}
	fmt.Fprintf(c.Stdout, "%s %s %s%s\n", to.Addr(), kind, words[0], text)
	return nil
}
