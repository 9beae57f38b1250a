package node

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/lab/topology"
)

// entry is one command: what runs, and who may call it.
type entry struct {
	run  func(w *World, ctx context.Context, c *Call) int
	aix  bool // root on AIX, and root on a VIOS
	vios bool // ioscli and padmin
}

func entries() map[string]entry {
	out := map[string]entry{
		"lsattr":        {(*World).lsattr, true, false},
		"chdev":         {(*World).chdev, true, true},
		"lsdev":         {(*World).lsdev, true, true},
		"mkdev":         {(*World).mkdev, true, false},
		"mkvdev":        {(*World).mkvdev, false, true},
		"rmdev":         {(*World).rmdev, true, true},
		"cfgmgr":        {(*World).cfgmgr, true, false},
		"cfgdev":        {(*World).cfgmgr, false, true},
		"ifconfig":      {(*World).ifconfig, true, false},
		"entstat":       {(*World).entstat, true, true},
		"arp":           {(*World).arp, true, false},
		"netstat":       {(*World).netstat, true, true},
		"no":            {(*World).no, true, false},
		"lparstat":      {(*World).lparstat, true, false},
		"lsmap":         {(*World).lsmap, false, true},
		"oslevel":       {(*World).oslevel, true, false},
		"ioslevel":      {(*World).ioslevel, false, true},
		"uname":         {(*World).uname, true, true},
		"lscfg":         {(*World).lscfg, true, false},
		"instfix":       {(*World).instfix, true, false},
		"rules":         {(*World).rules, false, true},
		"prtconf":       {(*World).prtconf, true, false},
		"lsconf":        {(*World).prtconf, true, false},
		"date":          {(*World).date, true, true},
		"errpt":         {(*World).errpt, true, false},
		"errlog":        {(*World).errpt, false, true},
		"errclear":      {(*World).errclear, true, false},
		"errlogger":     {(*World).errlogger, true, false},
		"shutdown":      {(*World).shutdown, true, true},
		"reboot":        {(*World).shutdown, true, false},
		"schedo":        {(*World).no, true, false},
		"seastat":       {(*World).seastat, true, true},
		"viostat":       {(*World).viostat, false, true},
		"topas":         {(*World).topas, true, true},
		"ioscli":        {(*World).ioscli, true, true},
		"oem_setup_env": {(*World).oem, false, true},
		"host":          {(*World).host, true, false},
		"help":          {(*World).help, false, true},
		"vmstat":        {(*World).vmstat, true, false},
		"sar":           {(*World).sar, true, false},
	}
	for name := range absent {
		out[name] = entry{(*World).absent, true, false}
	}
	for name := range absentVIOS {
		_, both := absent[name]
		out[name] = entry{(*World).absent, both, true}
	}
	return out
}

// Served are the commands that run where the databases are, by name.
func Served(w *World) map[string]Command {
	out := map[string]Command{}
	for name, e := range entries() {
		out[name] = func(ctx context.Context, c *Call) int {
			_, n := w.node(c.Node)
			switch {
			case n == nil || w.Stores[c.Node] == nil:
				fmt.Fprintf(c.Stderr, "%s: %s is no node of this lab\n", c.Argv[0], c.Node)
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
func (w *World) ioscli(ctx context.Context, c *Call) int {
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
func (w *World) oem(ctx context.Context, c *Call) int {
	if w.Shell == nil {
		fmt.Fprintln(c.Stderr, "oem_setup_env: this lab has no shell to give")
		return 1
	}
	inner := *c
	inner.User, inner.VIOS = "root", false
	return w.Shell(ctx, &inner)
}
