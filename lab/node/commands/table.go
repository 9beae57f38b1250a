package commands

import (
	"context"
	_ "embed"
	"slices"

	"seaworthy/lab/node"
	"seaworthy/lab/profile"
	"seaworthy/lab/traffic"
)

// command is a command of the nodes. A form that it does not have is nil.
type command struct {
	aix  *form // for root and ordinary users
	vios *form // for padmin and ioscli
	run  runner
	// runVIOS is run in the VIOS form; nil: run.
	runVIOS runner
	// local runs in the calling process, in the node's own namespaces, instead of
	// in the lab's supervisor: for what sends traffic or needs a terminal.
	local node.Command
}

// table lists the commands that a lab answers. Those with forms are served: they
// run in the lab's supervisor, where the databases are.
func table() map[string]command {
	return map[string]command{
		"arp":           arpCommand(),
		"cfgdev":        cfgdevCommand(),
		"cfgmgr":        cfgmgrCommand(),
		"chdev":         chdevCommand(),
		"date":          dateCommand(),
		"emgr":          emgrCommand(),
		"entstat":       entstatCommand(),
		"errclear":      errclearCommand(),
		"errlog":        errlogCommand(),
		"errlogger":     errloggerCommand(),
		"errpt":         errptCommand(),
		"ftp":           {local: traffic.FTP},
		"ftpd":          {local: traffic.FTPD},
		"help":          helpCommand(),
		"host":          hostCommand(),
		"hostname":      hostnameCommand(),
		"ifconfig":      ifconfigCommand(),
		"instfix":       instfixCommand(),
		"ioscli":        ioscliCommand(),
		"ioslevel":      ioslevelCommand(),
		"lparstat":      lparstatCommand(),
		"lsattr":        lsattrCommand(),
		"lscfg":         lscfgCommand(),
		"lsconf":        lsconfCommand(),
		"lsdev":         lsdevCommand(),
		"lslpp":         lslppCommand(),
		"lsmap":         lsmapCommand(),
		"lsmcode":       lsmcodeCommand(),
		"lssrc":         lssrcCommand(),
		"mkdev":         mkdevCommand(),
		"mkvdev":        mkvdevCommand(),
		"netperf":       {local: traffic.Netperf},
		"netserver":     {local: traffic.Netserver},
		"netstat":       netstatCommand(),
		"no":            noCommand(),
		"oem_setup_env": oemSetupEnvCommand(),
		"optimizenet":   optimizenetCommand(),
		"oslevel":       oslevelCommand(),
		"ping":          {local: traffic.Ping},
		"prtconf":       prtconfCommand(),
		"reboot":        rebootCommand(),
		"rmdev":         rmdevCommand(),
		"route":         routeCommand(),
		"rules":         rulesCommand(),
		"sar":           sarCommand(),
		"schedo":        schedoCommand(),
		"seastat":       seastatCommand(),
		"shutdown":      shutdownCommand(),
		"tcpdump":       {local: traffic.TCPDump},
		"topas":         topasCommand(),
		"tprof":         {local: profile.Tprof},
		"trace":         {local: profile.Trace},
		"trcoff":        {local: profile.Trcoff},
		"trcon":         {local: profile.Trcon},
		"trcrpt":        {local: profile.Trcrpt},
		"trcstop":       {local: profile.Trcstop},
		"uname":         unameCommand(),
		"vi":            {local: profile.View},
		"viostat":       viostatCommand(),
		"vmstat":        vmstatCommand(),
	}
}

//go:embed unsupported.yaml
var unsupportedText []byte

// reasons say why a lab cannot answer a command, by form.
type reasons struct{ AIX, VIOS string }

// all is table with the commands that a lab refuses with a reason.
func all() map[string]command {
	out := table()
	for name, why := range readYAML(unsupportedText, map[string]reasons{}) {
		out[name] = command{aix: unsupported(why.AIX), vios: unsupported(why.VIOS)}
	}
	return out
}

func unsupported(why string) *form {
	if why == "" {
		return nil
	}
	return &form{unsupported: why}
}

// AIX lists the commands that an AIX shell finds, sorted.
func AIX() []string {
	return namesOf(func(name string, c command) bool { return c.aix != nil && name != "ioscli" })
}

// IOS lists the commands that padmin's shell and ioscli offer, sorted.
func IOS() []string { return namesOf(func(_ string, c command) bool { return c.vios != nil }) }

func namesOf(wanted func(string, command) bool) []string {
	var names []string
	for name, c := range all() {
		if wanted(name, c) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Local returns the commands that run in the calling process, by name.
func Local() map[string]node.Command {
	out := map[string]node.Command{}
	for name, c := range table() {
		if c.local != nil {
			out[name] = c.local
		}
	}
	return out
}

// Served returns the commands that run in the supervisor, by name.
func Served(sim *node.Simulator) map[string]node.Command {
	out := map[string]node.Command{}
	for name, c := range all() {
		if c.aix != nil || c.vios != nil {
			out[name] = func(ctx context.Context, call *node.Call) int { return c.serve(ctx, sim, name, call) }
		}
	}
	return out
}
