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
	r, err := parseRoute(c.Rest)
	if err != nil {
		return err
	}
	err = c.sim.Change(ctx, c.Node, "", func(s *odm.Store) error {
		if r.verb == "add" {
			return s.AddRoute(r.to, r.via)
		}
		return s.DeleteRoute(r.to, r.via)
	})
	if err != nil {
		return err
	}
	kind, gateway := "net", ""
	if r.to.IsSingleIP() {
		kind = "host"
	}
	if r.gateway != "" {
		gateway = ": gateway " + r.gateway
	}
	fmt.Fprintf(c.Stdout, "%s %s %s%s\n", r.to.Addr(), kind, r.destination, gateway)
	return nil
}

// routeChange is a command line of route.
type routeChange struct {
	verb                 string // add or delete
	destination, gateway string // as given; gateway may be missing
	to                   netip.Prefix
	via                  netip.Addr
}

func parseRoute(args []string) (*routeChange, error) {
	if len(args) < 2 {
		return nil, flags.Usagef("add or delete, and a destination, are required")
	}
	r := &routeChange{verb: args[0]}
	var words []string
	mask, bits := "", 0
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-net", "-inet":
		case "-host":
			bits = 32
		case "-netmask":
			i++
			if i == len(args) {
				return nil, flags.Usagef("-netmask needs a value")
			}
			mask = args[i]
		default:
			words = append(words, args[i])
		}
	}
	if r.verb != "add" && r.verb != "delete" || len(words) == 0 || len(words) > 2 || r.verb == "add" && len(words) != 2 {
		return nil, flags.Usagef("this lab's route adds and deletes: a destination, -netmask and a gateway")
	}
	r.destination = words[0]
	var err error
	r.to, err = routeDestination(r.destination, mask, bits)
	if err != nil || len(words) == 1 {
		return r, err
	}
	r.gateway = words[1]
	r.via, err = netip.ParseAddr(r.gateway)
	if err != nil {
		return nil, flags.Usagef("%s is not an IPv4 address", r.gateway)
	}
	return r, nil
}

// routeDestination reads a network or host; bits is 32 for a host.
func routeDestination(text, mask string, bits int) (netip.Prefix, error) {
	if text == "default" || text == "0" {
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), nil
	}
	ip, err := netip.ParseAddr(text)
	if err != nil || !ip.Is4() {
		return netip.Prefix{}, flags.Usagef("%s is not an IPv4 address", text)
	}
	to, err := odm.ParseAddress(ip, mask, bits)
	if err != nil {
		return to, err
	}
	return to.Masked(), nil
}
