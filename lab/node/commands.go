package node

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/lab/odm"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/topology"
)

// runner answers a command whose flags were read and whose operands were
// counted; what it returns is printed by Served.
type runner func(w *Simulator, ctx context.Context, c *call) error

// call is a call of a command on a node, with what the node is.
type call struct {
	*Call
	*Options
	sys *topology.System
	n   *topology.Node
	db  *odm.Store
}

type sim = Simulator // short for the table

// runners are the functions of commands.yaml: those of the form of ioscli that
// has one of its own stand behind a blank.
func runners() map[string]runner {
	return map[string]runner{
		"arp": (*sim).arp, "cfgdev": (*sim).cfgmgr, "cfgmgr": (*sim).cfgmgr, "chdev": (*sim).chdev, "date": (*sim).date,
		"entstat": (*sim).entstat, "errclear": (*sim).errclear, "errlog": (*sim).errlog, "errlogger": (*sim).errlogger,
		"errpt": (*sim).errpt, "help": (*sim).help, "host": (*sim).host, "hostname": (*sim).hostname,
		"ifconfig": (*sim).ifconfig, "instfix": (*sim).instfix,
		"ioscli": (*sim).ioscli, "ioslevel": (*sim).ioslevel, "lparstat": (*sim).lparstat, "lsattr": (*sim).lsattr,
		"lscfg": (*sim).lscfg, "lsconf": (*sim).prtconf, "lsdev": (*sim).lsdev, "lsdev vios": (*sim).lsdevVIOS,
		"lsmap": (*sim).lsmap, "lssrc": (*sim).lssrc, "mkdev": (*sim).mkdev, "mkvdev": (*sim).mkvdev, "netstat": (*sim).netstat, "no": (*sim).no,
		"oem_setup_env": (*sim).oem, "oslevel": (*sim).oslevel, "prtconf": (*sim).prtconf, "reboot": (*sim).shutdown,
		"rmdev": (*sim).rmdev, "route": (*sim).route, "rules": (*sim).rules, "sar": (*sim).sar, "schedo": (*sim).no, "seastat": (*sim).seastat,
		"shutdown": (*sim).shutdown, "topas": (*sim).topas, "uname": (*sim).uname, "viostat": (*sim).viostat, "vmstat": (*sim).vmstat,
	}
}

// form is a command as root has it on AIX, or padmin and ioscli on a VIOS; its
// keys are explained in commands.yaml.
type form struct {
	Flags       string
	Operands    int
	Help        bool
	Usage       string
	Refused     map[string]string
	Unsupported string
	Ordinary    *refusal
}

// refusal is what a user who is neither root nor padmin gets.
type refusal struct {
	Says string // on stderr; {} is the last word of the call
	Exit int
	When string // only if a word of the call matches this expression
}

// refuses says whether a call is one that an ordinary user may not make.
func (r *refusal) refuses(c *Call) bool {
	return r != nil && rootfs.IsOrdinary(c.User) &&
		(r.When == "" || slices.ContainsFunc(c.Argv[1:], regexp.MustCompile(r.When).MatchString))
}

// entry is one command; a form that it does not have is nil.
type entry struct{ AIX, VIOS *form }

//go:embed commands.yaml
var commandsText []byte

var entries = sync.OnceValue(func() (out map[string]entry) { return table(commandsText, out) })

// exit is the status of a command that has printed why.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func (f *form) parse(c *Call) (o *Options, err error) {
	switch args := c.Argv[1:]; {
	case f.Flags == "":
		return &Options{Rest: args}, nil
	case strings.HasPrefix(f.Flags, "-"):
		o, err = words(f.Flags, args)
	default:
		o, err = Letters(f.Flags, args)
	}
	if err == nil && f.Operands >= 0 && len(o.Rest) > f.Operands {
		err = tooMany(o.Rest)
	}
	return o, err
}

func (f *form) answer(ctx context.Context, w *Simulator, c *Call, run runner) error {
	if f.Unsupported != "" {
		return fmt.Errorf("not in this lab: %s", f.Unsupported)
	}
	o, err := f.parse(c)
	if err != nil {
		return err
	}
	if f.Help && o.Has("h") {
		fmt.Fprint(c.Stderr, f.usage())
		return nil
	}
	for _, x := range o.List {
		for letters, why := range f.Refused {
			if strings.Contains(letters, x.Name) {
				return fmt.Errorf("-%s is not in this lab: %s", x.Name, why)
			}
		}
	}
	sys, n := w.node(c.Node)
	return run(w, ctx, &call{c, o, sys, n, w.Stores[c.Node]})
}

func (f *form) usage() string {
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(f.Usage, "\n"), "\n", "\n\t") + "\n"
}

// Served are the commands that run where the databases are, by name.
func Served(w *Simulator) map[string]Command {
	out, run := map[string]Command{}, runners()
	for name, e := range entries() {
		out[name] = func(ctx context.Context, c *Call) int {
			_, n := w.node(c.Node)
			f, do := e.AIX, run[name]
			if c.VIOS {
				f = e.VIOS
			}
			if own := run[name+" vios"]; c.VIOS && own != nil {
				do = own
			}
			switch {
			case n == nil || w.Stores[c.Node] == nil:
				return fail(c, fmt.Errorf("%s is not a node of this lab", c.Node))
			case c.VIOS && f == nil:
				return fail(c, errors.New("padmin is not allowed to run it"))
			case f == nil, n.Role != topology.VIOS && (c.VIOS || name == "ioscli"):
				fmt.Fprintf(c.Stderr, "%s: not found\n", c.Argv[0])
				return 127
			}
			if r := f.Ordinary; r.refuses(c) {
				words := strings.Join(c.Argv[1:], "\n")
				fmt.Fprintln(c.Stderr, strings.ReplaceAll(r.Says, "{}", words[strings.LastIndex(words, "\n")+1:]))
				return r.Exit
			}
			err := f.answer(ctx, w, c, do)
			if wrong := (*usageError)(nil); errors.As(err, &wrong) {
				fmt.Fprintf(c.Stderr, "%s: %v\n\nUsage:\n%s", c.Argv[0], err, f.usage())
				return 2
			}
			return fail(c, err)
		}
	}
	return out
}

// fail prints an error, if there is one, the way the command's platform does and gives its exit status.
func fail(c *Call, err error) int {
	var refusal *odm.Error
	var status exit
	joined, several := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return 0
	case several:
		for _, e := range joined.Unwrap() {
			fail(c, e)
		}
		return 1
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, context.Canceled):
		return 1
	case !errors.As(err, &refusal):
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
		return 1
	}
	text := refusal.Message(c.Argv[0])
	if c.VIOS {
		text = "\nioscli passes on what AIX says, with the names that root would use:\n\n" + text + "\n"
	}
	fmt.Fprint(c.Stderr, text)
	return 1
}

// Names are all served commands, sorted.
func Names() []string { return slices.Sorted(maps.Keys(entries())) }

// AIXOnly are the commands that ioscli does not have.
func AIXOnly() []string { return pick(func(e entry) bool { return e.VIOS == nil }) }

// IOSOnly are the commands that only ioscli has.
func IOSOnly() []string { return pick(func(e entry) bool { return e.AIX == nil }) }

func pick(want func(entry) bool) []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return !want(entries()[name]) })
}

// ioscli runs a command in its VIOS form: ioscli lsdev -dev ent5 -attr.
func (w *Simulator) ioscli(ctx context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return errors.New("usage: ioscli Command [Parameters]")
	}
	run, ok := Served(w)[c.Rest[0]]
	if !ok || c.Rest[0] == "ioscli" {
		return fmt.Errorf("%s: not found", c.Rest[0])
	}
	inner := *c.Call
	inner.Argv, inner.VIOS = c.Rest, true
	return exit(run(ctx, &inner))
}

// oem is oem_setup_env: a root shell for padmin.
func (w *Simulator) oem(ctx context.Context, c *call) error {
	inner := *c.Call
	inner.User, inner.VIOS = "root", false
	return exit(w.Shell(ctx, &inner))
}
