package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// form is a command as root has it on AIX, or padmin and ioscli on a VIOS.
type form struct {
	run   func(w *Simulator, ctx context.Context, c *Call, o *Options) error
	flags string // as Letters reads them, or words where they begin with a dash; anything: not read
	rest  int    // how many operands it takes at most
	usage string
}

// entry is one command; a form that it does not have is nil.
type entry struct{ aix, vios *form }

const (
	anything = "*"
	many     = 1 << 10 // operands
)

type sim = Simulator // short for the table

// entries are all served commands. A command gets flags that were read and
// operands that were counted; what it returns is printed by Served.
func entries() map[string]entry {
	chdev := &form{(*sim).chdev, "l:a:f:hp:PTUqw:g", 0, chdevUsage}
	netstat := &form{(*sim).netstat, "inrsvaDdmogI:p:f:cAZCtPu", many, netstatUsage}
	prtconf := &form{(*sim).prtconf, anything, many, ""}
	uname := &form{(*sim).uname, "asnrvmpMuLxlFSTfWiW", 0, unameUsage}
	date := &form{(*sim).date, "u", 1, dateUsage}
	seastat := &form{(*sim).seastat, "d:cns:", 0, seastatUsage}
	topas := &form{(*sim).topas, "Ei:", 0, topasUsage}
	ioscli := &form{(*sim).ioscli, anything, many, ""}
	cfgmgr := &form{(*sim).cfgmgr, anything, many, ""}
	out := map[string]entry{
		"lsattr": {&form{(*sim).lsattr, "DEPROHF:l:c:s:t:a:f:hZ:", 0, lsattrUsage}, nil},
		"chdev":  {chdev, &form{(*sim).chdev, "-perm -restoreroute -force -dev: -attr*", 0, chdevVIOS}},
		"lsdev": {&form{(*sim).lsdev, "CPc:s:t:S:l:F:Hf:hp:r:x", 0, lsdevUsage}, &form{(*sim).lsdevVIOS,
			"-virtual -slots -child -parent -vpd -dev: -state: -fmt: -range: -type* -attr* -field*", 0, lsdevVIOS}},
		"mkdev": {&form{(*sim).mkdev, "c:s:t:l:a:dSRp:qw:f:h", 0, mkdevUsage}, nil},
		"mkvdev": {nil, &form{(*sim).mkvdev,
			"-fbo -vlan: -tagid: -sea* -vadapter* -default* -defaultid* -attr* -lnagg* -vdev* -dev*", 0, mkvdevUsage}},
		"rmdev":     {&form{(*sim).rmdev, "l:dSRqp:f:h", 0, rmdevUsage}, &form{(*sim).rmdev, "-recursive -ucfg -dev:", many, rmdevVIOS}},
		"cfgmgr":    {cfgmgr, nil},
		"cfgdev":    {nil, cfgmgr},
		"ifconfig":  {&form{(*sim).ifconfig, anything, many, ifconfigUsage}, nil},
		"entstat":   {&form{(*sim).entstat, "drt", 1, entstatUsage}, &form{(*sim).entstat, "-all -reset", 1, entstatVIOS}},
		"arp":       {&form{(*sim).arp, "an", 0, "\tarp -a [-n]"}, nil},
		"netstat":   {netstat, &form{(*sim).netstat, "-num -state -routtable -routinfo -cdlistats -stats:", 0, netstatVIOS}},
		"no":        {&form{(*sim).no, "prKFo:d:DaLxh", many, tuneUsage("no")}, nil},
		"schedo":    {&form{(*sim).no, "prKFo:d:DaLxh", many, tuneUsage("schedo")}, nil},
		"lparstat":  {&form{(*sim).lparstat, "ihHXltEdmpscwN", 2, lparstatUsage}, nil},
		"lsmap":     {nil, &form{(*sim).lsmap, "-all -net -npiv -vadapter: -fmt: -type* -field*", 0, lsmapUsage}},
		"oslevel":   {&form{(*sim).oslevel, "srqgl:f", many, oslevelUsage}, nil},
		"ioslevel":  {nil, &form{(*sim).ioslevel, anything, many, ""}},
		"uname":     {uname, uname},
		"lscfg":     {&form{(*sim).lscfg, "vpsl:", 0, lscfgUsage}, nil},
		"instfix":   {&form{(*sim).instfix, "iqcvak:t:s:p", many, instfixUsage}, nil},
		"rules":     {nil, &form{(*sim).rules, anything, many, ""}},
		"prtconf":   {prtconf, nil},
		"lsconf":    {prtconf, nil},
		"date":      {date, date},
		"errpt":     {&form{(*sim).errpt, "aAd:T:N:j:k:J:K:l:s:e:g", 0, errptUsage}, nil},
		"errlog":    {nil, &form{(*sim).errlog, "-ls -seq -rm:", 0, errlogUsage}},
		"errclear":  {&form{(*sim).errclear, "d:T:N:j:k:J:K:l:", 1, errclearUsage}, nil},
		"errlogger": {&form{(*sim).errlogger, anything, many, errloggerUsage}, nil},
		"shutdown": {&form{(*sim).shutdown, "Frthikmdc", many, shutdownUsage},
			&form{(*sim).shutdown, "-force -restart", many, shutdownVIOS}},
		"reboot":        {&form{(*sim).shutdown, anything, many, ""}, nil},
		"seastat":       {seastat, seastat},
		"viostat":       {nil, &form{(*sim).viostat, "adsSmTthvV", 2, viostatUsage}},
		"topas":         {topas, topas},
		"ioscli":        {ioscli, ioscli},
		"oem_setup_env": {nil, &form{(*sim).oem, anything, many, ""}},
		"host":          {&form{(*sim).host, "n", 1, hostUsage}, nil},
		"help":          {nil, &form{(*sim).help, anything, many, ""}},
		"vmstat":        {&form{(*sim).vmstat, "IWtlvsifwhP:p:", 2, vmstatUsage}, nil},
		"sar":           {&form{(*sim).sar, "uP:Abcdkmqrvwyo:f:", 2, sarUsage}, nil},
	}
	none := &form{(*sim).unsupported, anything, many, ""}
	for name := range unsupported {
		out[name] = entry{aix: none}
	}
	for name := range unsupportedVIOS {
		out[name] = entry{out[name].aix, none}
	}
	return out
}

// exit is the status of a command that has printed why.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// parse reads the flags of a call.
func (f *form) parse(c *Call) (o *Options, err error) {
	switch args := c.Argv[1:]; {
	case f.flags == anything:
		return &Options{Rest: args}, nil
	case strings.HasPrefix(f.flags, "-"):
		o, err = words(f.flags, args)
	default:
		o, err = Letters(f.flags, args)
	}
	if err == nil && len(o.Rest) > f.rest {
		err = tooMany(o.Rest)
	}
	return o, err
}

// Served are the commands that run where the databases are, by name.
func Served(w *Simulator) map[string]Command {
	out := map[string]Command{}
	for name, e := range entries() {
		out[name] = func(ctx context.Context, c *Call) int {
			_, n := w.node(c.Node)
			f := e.aix
			if c.VIOS {
				f = e.vios
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
			o, err := f.parse(c)
			if err == nil {
				err = f.run(w, ctx, c, o)
			}
			if wrong := (*usageError)(nil); errors.As(err, &wrong) {
				fmt.Fprintf(c.Stderr, "%s: %v\n\nUsage:\n%s\n", c.Argv[0], err, f.usage)
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
	var kernel *kernelError
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
	case errors.As(err, &kernel) && kernel.method != "" && !errors.As(err, &refusal):
		refusal = &odm.Error{Method: kernel.method, Code: "0514-068", Text: "the kernel refused", Reason: kernel.Error()}
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
func Names() []string { return pick(func(entry) bool { return true }) }

// AIXOnly are the commands that ioscli does not have.
func AIXOnly() []string { return pick(func(e entry) bool { return e.vios == nil }) }

// IOSOnly are the commands that only ioscli has.
func IOSOnly() []string { return pick(func(e entry) bool { return e.aix == nil }) }

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
func (w *Simulator) ioscli(ctx context.Context, c *Call, o *Options) error {
	if len(o.Rest) == 0 {
		return errors.New("usage: ioscli Command [Parameters]")
	}
	run, ok := Served(w)[o.Rest[0]]
	if !ok || o.Rest[0] == "ioscli" {
		return fmt.Errorf("%s: not found", o.Rest[0])
	}
	inner := *c
	inner.Argv, inner.VIOS = o.Rest, true
	return exit(run(ctx, &inner))
}

// oem is oem_setup_env: a root shell for padmin.
func (w *Simulator) oem(ctx context.Context, c *Call, _ *Options) error {
	if w.Shell == nil {
		return errors.New("this lab has no shell to give")
	}
	inner := *c
	inner.User, inner.VIOS = "root", false
	return exit(w.Shell(ctx, &inner))
}
