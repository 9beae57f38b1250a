package node

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/lab/topology"
)

// entry is one command: what runs, and who may call it.
type entry struct {
	run  func(w *Simulator, ctx context.Context, c *Call) int
	aix  bool // root on AIX, and root on a VIOS
	vios bool // ioscli and padmin
}

func entries() map[string]entry {
	out := map[string]entry{
		"lsattr":        {(*Simulator).lsattr, true, false},
		"chdev":         {(*Simulator).chdev, true, true},
		"lsdev":         {(*Simulator).lsdev, true, true},
		"mkdev":         {(*Simulator).mkdev, true, false},
		"mkvdev":        {(*Simulator).mkvdev, false, true},
		"rmdev":         {(*Simulator).rmdev, true, true},
		"cfgmgr":        {(*Simulator).cfgmgr, true, false},
		"cfgdev":        {(*Simulator).cfgmgr, false, true},
		"ifconfig":      {(*Simulator).ifconfig, true, false},
		"entstat":       {(*Simulator).entstat, true, true},
		"arp":           {(*Simulator).arp, true, false},
		"netstat":       {(*Simulator).netstat, true, true},
		"no":            {(*Simulator).no, true, false},
		"lparstat":      {(*Simulator).lparstat, true, false},
		"lsmap":         {(*Simulator).lsmap, false, true},
		"oslevel":       {(*Simulator).oslevel, true, false},
		"ioslevel":      {(*Simulator).ioslevel, false, true},
		"uname":         {(*Simulator).uname, true, true},
		"lscfg":         {(*Simulator).lscfg, true, false},
		"instfix":       {(*Simulator).instfix, true, false},
		"rules":         {(*Simulator).rules, false, true},
		"prtconf":       {(*Simulator).prtconf, true, false},
		"lsconf":        {(*Simulator).prtconf, true, false},
		"date":          {(*Simulator).date, true, true},
		"errpt":         {(*Simulator).errpt, true, false},
		"errlog":        {(*Simulator).errpt, false, true},
		"errclear":      {(*Simulator).errclear, true, false},
		"errlogger":     {(*Simulator).errlogger, true, false},
		"shutdown":      {(*Simulator).shutdown, true, true},
		"reboot":        {(*Simulator).shutdown, true, false},
		"schedo":        {(*Simulator).no, true, false},
		"seastat":       {(*Simulator).seastat, true, true},
		"viostat":       {(*Simulator).viostat, false, true},
		"topas":         {(*Simulator).topas, true, true},
		"ioscli":        {(*Simulator).ioscli, true, true},
		"oem_setup_env": {(*Simulator).oem, false, true},
		"host":          {(*Simulator).host, true, false},
		"help":          {(*Simulator).help, false, true},
		"vmstat":        {(*Simulator).vmstat, true, false},
		"sar":           {(*Simulator).sar, true, false},
	}
	for name := range unsupported {
		out[name] = entry{(*Simulator).unsupported, true, false}
	}
	for name := range unsupportedVIOS {
		_, both := unsupported[name]
		out[name] = entry{(*Simulator).unsupported, both, true}
	}
	return out
}

// Served are the commands that run where the databases are, by name.
func Served(w *Simulator) map[string]Command {
	out := map[string]Command{}
	for name, e := range entries() {
		out[name] = func(ctx context.Context, c *Call) int {
			_, n := w.node(c.Node)
			switch {
			case n == nil || w.Stores[c.Node] == nil:
				fmt.Fprintf(c.Stderr, "%s: %s is not a node of this lab\n", c.Argv[0], c.Node)
				return 1
			case c.VIOS && !e.vios:
				fmt.Fprintf(c.Stderr, "%s: padmin is not allowed to run it\n", c.Argv[0])
				return 1
			case !c.VIOS && !e.aix, n.Role != topology.VIOS && (c.VIOS || name == "ioscli"):
				return notFound(c)
			}
			return e.run(w, ctx, c)
		}
	}
	return out
}

// notFound is what a shell says of a command that is not there.
func notFound(c *Call) int {
	fmt.Fprintf(c.Stderr, "%s: not found\n", c.Argv[0])
	return 127
}

// Names are all served commands, sorted.
func Names() []string { return pick(func(entry) bool { return true }) }

// AIXOnly are the commands that ioscli does not have.
func AIXOnly() []string { return pick(func(e entry) bool { return !e.vios }) }

// IOSOnly are the commands that only ioscli has.
func IOSOnly() []string { return pick(func(e entry) bool { return !e.aix }) }

func pick(want func(entry) bool) []string {
	var out []string
	for name, e := range entries() {
		if want(e) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// ioscli runs a command in its VIOS form: ioscli lsdev -dev ent5 -attr.
func (w *Simulator) ioscli(ctx context.Context, c *Call) int {
	if len(c.Argv) < 2 {
		fmt.Fprintln(c.Stderr, "usage: ioscli Command [Parameters]")
		return 1
	}
	run, ok := Served(w)[c.Argv[1]]
	if !ok || c.Argv[1] == "ioscli" {
		fmt.Fprintf(c.Stderr, "ioscli: %s: not found\n", c.Argv[1])
		return 1
	}
	inner := *c
	inner.Argv, inner.VIOS = c.Argv[1:], true
	return run(ctx, &inner)
}

// oem is oem_setup_env: a root shell for padmin.
func (w *Simulator) oem(ctx context.Context, c *Call) int {
	if w.Shell == nil {
		fmt.Fprintln(c.Stderr, "oem_setup_env: this lab has no shell to give")
		return 1
	}
	inner := *c
	inner.User, inner.VIOS = "root", false
	return w.Shell(ctx, &inner)
}
