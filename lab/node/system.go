package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/internal/parse/linewise"
)

func (w *Simulator) oslevel(_ context.Context, c *call) error {
	out, err := linewise.ParseOslevel([]byte(c.n.Level + "\n"))
	if err != nil || len(out.Levels) != 1 {
		return fmt.Errorf("the level %q of the topology is none", c.n.Level)
	}
	l := out.Levels[0]
	switch {
	case c.Has("s"):
	case c.Has("r"):
		l.ServicePack, l.Week = nil, nil
	default:
		l = linewise.AIXLevel{Version: l.Version, Dotted: strings.Join(strings.Split(strconv.Itoa(l.Version), ""), ".")}
	}
	if c.Has("q") {
		fmt.Fprint(c.Stdout, "Known Service Packs\n-------------------\n")
	}
	fmt.Fprintln(c.Stdout, l)
	return nil
}

func (w *Simulator) ioslevel(_ context.Context, c *call) error {
	if _, err := linewise.ParseIoslevel([]byte(c.n.IOSLevel + "\n")); err != nil {
		return fmt.Errorf("the level %q of the topology is none", c.n.IOSLevel)
	}
	fmt.Fprintln(c.Stdout, c.n.IOSLevel)
	return nil
}

// uname answers for the node, not for the machine below it.
func (w *Simulator) uname(_ context.Context, c *call) error {
	if len(c.List) == 0 {
		c.List = []Option{{Name: "s"}}
	}
	var words []string
	for i, v := range unameOf(c) {
		if c.Has(unameFlags[i:i+1]) || c.Has("a") && i < len("snrvm") {
			words = append(words, v)
		}
	}
	if len(words) == 0 {
		return wrong("-%s is not served in this lab", c.List[0].Name)
	}
	fmt.Fprintln(c.Stdout, strings.Join(words, " "))
	return nil
}

// unameFlags are the flags that ask for the words of unameOf.
const unameFlags = "snrvmpMuL"

// unameOf is all that a node says of itself, in uname's own order.
func unameOf(c *call) []string {
	version := fmt.Sprintf("%.1s", c.n.Level)
	release := fmt.Sprintf("%.1s", c.n.Level[len(version):])
	return []string{"AIX", c.Node, release, version, machineID(c.sys.Serial), "powerpc", "IBM," + c.sys.Model,
		"IBM,02" + c.sys.Serial, fmt.Sprintf("%d %s", c.n.Number, c.n.Name)}
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

// prtconf prints what a lab knows of a node's system, and leaves out what only
// hardware has.
func (w *Simulator) prtconf(_ context.Context, c *call) error {
	return c.answer("prtconf", map[string]any{"System": c.sys, "Node": c.n, "Database": c.db})
}

// shutdown -r, reboot: the next-boot values take over.
func (w *Simulator) shutdown(ctx context.Context, c *call) error {
	if c.Argv[0] != "reboot" && !c.Has("r") && !c.Has("restart") {
		return errors.New("a node of a lab can restart, not stop: lab down stops all")
	}
	return w.restart(ctx, c)
}
