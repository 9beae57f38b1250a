package importer

// What commands say: of the host, whose name they print, and of the system, where their outputs are kept and not read.

import (
	"bytes"
	"slices"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// programsOf are programs that only one system has, for outputs that no codec reads.
var programsOf = map[registry.Family][]string{
	registry.AIX: {"smit", "smitty", "errpt", "lssrc", "startsrc", "stopsrc", "lslpp", "instfix", "installp", "emgr", "lsattr", "lsdev",
		"chdev", "mkdev", "rmdev", "cfgmgr", "oslevel", "svmon", "bosboot", "lsmcode", "lspath", "mkvg", "mklv", "extendvg", "nim",
		"entstat", "seastat"},
	registry.VIOS: {"mkvdev", "rmvdev", "lsmap", "mkbdsp", "cfgdev", "ioslevel", "updateios"},
	registry.HMC:  {"lssyscfg", "chsyscfg", "lshwres", "chhwres", "lshmc", "lslic", "lssvcevents", "mkvterm"},
	registry.Linux: {"modprobe", "nmcli", "apt", "apt-get", "dpkg", "yum", "dnf", "zypper", "numactl", "ethtool", "nft", "tuned-adm",
		"lspci", "bridge", "tc"},
}

// systemOfProgram is the only system that has the program that printed a text; empty if several have it, or if it was not there.
func systemOfProgram(program string, text []byte) registry.Family {
	if registry.IsMissing(text) {
		return ""
	}
	for system, programs := range programsOf {
		if slices.Contains(programs, program) {
			return system
		}
	}
	return ""
}

// asksHost reports whether a text is a session in which a prompt that names its host has a command that is known, and an answer: it is
// kept whatever the answer looks like.
func asksHost(c *split.Cut) bool {
	return c.Form == split.Session && slices.ContainsFunc(c.Pieces, func(p split.Piece) bool {
		named := p.Host != "" && p.HostFrom == "" && detect.Unread(p.Text) == ""
		return named && detect.ParseCommand(p.Command).ID != "" && len(bytes.TrimSpace(p.Text)) > 0 && !detect.Binary(p.Text)
	})
}

// nodeName is uname asked for the host's name alone.
var nodeName = parse.Lazy(`^(?:\S*/)?uname[ \t]+(?:-n|--nodename)[ \t]*$`)

// nameAlone is a word that may be a host's name.
var nameAlone = parse.Lazy(`^[A-Za-z0-9][\w.-]{0,254}$`)

// asksName reports whether a command prints the host's name alone.
func asksName(command string) bool {
	return detect.ParseCommand(command).ID == "hostname" || nodeName.MatchString(command)
}
