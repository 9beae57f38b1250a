package collect

import (
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
)

// login holds what a host turned out to be and how it is talked to.
type login struct {
	platform model.Platform
	root     bool // uid 0
	elevate  bool // VIOS as padmin: root commands go through oem_setup_env
	wrap     bool // the login shell is not a Bourne shell: lines go through sh -c
	machine  string
	gaps     []model.Gap
	host     remote.Host              // whom to ask
	single   func(line string) string // a command that ordinary users are refused; nil: as it is
	via      string                   // how commands become root's, or those that single is for; or viosvrcmd
}

// What a gap is about that is there because the login is not root.
const (
	rootGap = "root"
	oemGap  = "oem_setup_env"
)

// NotRoot says, from its gaps, why a host was not read as root; empty if it was, or if that makes
// no difference on its platform.
func NotRoot(gaps []model.Gap) string {
	for _, g := range gaps {
		switch g.What {
		case rootGap:
			return g.Why
		case oemGap:
			return g.What + ": " + g.Why
		}
	}
	return ""
}

const (
	locale = "export LC_ALL=C LANG=C"
	// The folders that a login without a terminal often lacks.
	searchPath = ` PATH="$PATH:/usr/bin:/usr/sbin:/sbin:/etc:/usr/ios/cli"`
	// Root's of a VIOS may begin with the VIOS's own lsdev, which is another command.
	rootPath = ` PATH="/usr/bin:/usr/sbin:/sbin:/etc:$PATH:/usr/ios/cli"`
)

// environment goes in front of every line. The restricted shells of a VIOS and
// of an HMC let nobody change PATH; viosvrcmd takes a command alone.
func (l login) environment() string {
	switch {
	case l.via == viosvrcmd:
		return ""
	case l.restricted() || l.platform == PlatformHMC:
		return locale + ";"
	case l.platform == model.VIOS:
		return locale + rootPath + ";"
	}
	return locale + searchPath + ";"
}

func (l login) restricted() bool { return l.platform == model.VIOS && !l.root }

// on is which of a command's forms the login takes; 0 on a host that is nothing
// known.
func (l login) on() registry.On {
	if l.restricted() && !l.elevate {
		return registry.OnPadmin
	}
	switch l.platform {
	case model.AIX:
		return registry.OnAIX
	case model.VIOS:
		return registry.OnVIOS
	case model.Linux:
		return registry.OnLinux
	case PlatformHMC:
		return registry.OnHMC
	}
	return 0
}

// command is an item's line, as root where ordinary users are refused.
func (l login) command(it Item) string {
	if it.Refused && l.single != nil {
		return l.single(it.Line)
	}
	return it.Line
}

// sent is an item as a command for the login, and what it becomes root through.
func (l login) sent(it Item) (c remote.Command, via string) {
	line := l.environment() + " " + l.command(it)
	if it.Refused || l.single == nil {
		via = l.via
	}
	switch {
	case it.Root && l.elevate:
		root := remote.Step{Line: locale + rootPath + "; " + it.Line, Root: true}
		return remote.Work{Setup: locale, Steps: []remote.Step{root}}.Command(), "oem_setup_env"
	case l.wrap:
		line = "sh -c " + shellword.Quote(line)
	}
	return remote.Command{Line: line}, via
}

// userOf is who commands run as, as far as that is known here.
func userOf(h remote.Host, l login) string {
	if l.root {
		return "root"
	}
	return remote.User(h)
}
