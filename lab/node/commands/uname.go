package commands

import (
	"context"
	"fmt"
	"strings"

	"seaworthy/lab/node/flags"
)

func unameCommand() command {
	both := &form{
		flags: "asnrvmpMuLxlFSTfWiW",
		usage: `uname [-a | -s | -n | -r | -v | -m | -p | -M | -u | -L | -x]`,
	}
	return command{run: runUname, aix: both, vios: both}
}

// runUname answers for the node, not for the machine below it.
func runUname(_ context.Context, c *call) error {
	if len(c.List) == 0 {
		c.List = []flags.Option{{Name: "s"}}
	}
	var words []string
	for i, v := range unameOf(c) {
		if c.Has(unameFlags[i:i+1]) || c.Has("a") && i < len("snrvm") {
			words = append(words, v)
		}
	}
	if len(words) == 0 {
		return flags.Usagef("-%s is not served in this lab", c.List[0].Name)
	}
	fmt.Fprintln(c.Stdout, strings.Join(words, " "))
	return nil
}

// unameFlags are the flags that ask for the words of unameOf.
const unameFlags = "snrvmpMuL"

// unameOf is all that a node says of itself, in uname's own order.
func unameOf(c *call) []string {
	version := fmt.Sprintf("%.1s", c.config.Level)
	release := fmt.Sprintf("%.1s", c.config.Level[len(version):])
	serial := c.sim.Faults().Serial(c.Node, c.sys.Serial)
	return []string{"AIX", c.Node, release, version, machineID(serial), "powerpc", "IBM," + c.sys.Model,
		"IBM,02" + serial, fmt.Sprintf("%d %s", c.config.Number, c.config.Name)}
}

// machineID has AIX's shape: 00, six digits of the serial number, and 4C00;
// characters that are no hexadecimal digits become their code's last digit.
func machineID(serial string) string {
	var b strings.Builder
	for _, r := range serial {
		if strings.ContainsRune("0123456789ABCDEF", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "%X", r&0xf)
		}
	}
	id := "000000" + b.String()
	return "00" + id[len(id)-6:] + "4C00"
}
