package node

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/lab/topology"
)

// entry is one command: what runs, where AIX has it, and who may call it.
type entry struct {
	run   func(w *World) Command
	paths []string
	aix   bool // root on AIX, and root on a VIOS
	vios  bool // ioscli and padmin
}

var sbin, bin = []string{"/usr/sbin", "/usr/bin", "/etc"}, []string{"/usr/bin", "/usr/sbin"}

func entries() map[string]entry {
	cmd := func(f func(*World, context.Context, *Call) int) func(*World) Command {
		return func(w *World) Command {
			return func(ctx context.Context, c *Call) int { return f(w, ctx, c) }
		}
	}
	return map[string]entry{
		"lsattr":        {cmd((*World).lsattr), sbin, true, false},
		"chdev":         {cmd((*World).chdev), sbin, true, true},
		"lsdev":         {cmd((*World).lsdev), sbin, true, true},
		"mkdev":         {cmd((*World).mkdev), sbin, true, false},
		"mkvdev":        {cmd((*World).mkvdev), nil, false, true},
		"rmdev":         {cmd((*World).rmdev), sbin, true, true},
		"cfgmgr":        {cmd((*World).cfgmgr), sbin, true, false},
		"cfgdev":        {cmd((*World).cfgmgr), nil, false, true},
		"ifconfig":      {cmd((*World).ifconfig), sbin, true, false},
		"entstat":       {cmd((*World).entstat), bin, true, true},
		"arp":           {cmd((*World).arp), sbin, true, false},
		"netstat":       {cmd((*World).netstat), bin, true, true},
		"no":            {cmd((*World).no), sbin, true, false},
		"lparstat":      {cmd((*World).lparstat), bin, true, false},
		"lsmap":         {cmd((*World).lsmap), nil, false, true},
		"oslevel":       {cmd((*World).oslevel), bin, true, false},
		"ioslevel":      {cmd((*World).ioslevel), nil, false, true},
		"uname":         {cmd((*World).uname), bin, true, true},
		"lscfg":         {cmd((*World).lscfg), sbin, true, false},
		"instfix":       {cmd((*World).instfix), sbin, true, false},
		"rules":         {cmd((*World).rules), nil, false, true},
		"prtconf":       {cmd((*World).prtconf), sbin, true, false},
		"lsconf":        {cmd((*World).prtconf), sbin, true, false},
		"date":          {cmd((*World).date), bin, true, true},
		"errpt":         {cmd((*World).errpt), bin, true, false},
		"errlog":        {cmd((*World).errpt), nil, false, true},
		"shutdown":      {cmd((*World).shutdown), sbin, true, true},
		"reboot":        {cmd((*World).shutdown), sbin, true, false},
		"schedo":        {cmd((*World).no), sbin, true, false},
		"seastat":       {cmd((*World).seastat), bin, true, true},
		"viostat":       {cmd((*World).viostat), nil, false, true},
		"topas":         {cmd((*World).topas), bin, true, true},
		"ioscli":        {cmd((*World).ioscli), []string{"/usr/ios/cli"}, true, true},
		"oem_setup_env": {cmd((*World).oem), nil, false, true},
	}
}

// Served are the commands that run where the databases are, by name.
func Served(w *World) map[string]Command {
	out := map[string]Command{}
	for name, e := range entries() {
		run, e := e.run(w), e
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
			return run(ctx, c)
		}
	}
	return out
}

// notFound is what a shell says of a command that is not there.
func notFound(c *Call) int {
	fmt.Fprintf(c.Stderr, "%s: not found\n", c.Argv[0])
	return 127
}

// Paths are the folders in which each command stands for root: AIX's own, and
// the other of /usr/bin and /usr/sbin, where scripts look too. Commands that
// only padmin has stand in /usr/ios/cli.
func Paths() map[string][]string {
	out := map[string][]string{}
	for name, e := range entries() {
		out[name] = slices.Clone(e.paths)
		if e.vios && name != "ioscli" {
			out[name] = append(out[name], "/usr/ios/cli")
		}
	}
	return out
}

// Names are all served commands, sorted.
func Names() []string { return pick(func(entry) bool { return true }) }

// Padmin are the commands of padmin's restricted shell, in ioscli's form.
func Padmin() []string { return pick(func(e entry) bool { return e.vios }) }

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
