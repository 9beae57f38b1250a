package deploy

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
)

// System holds what a host turned out to be, as far as that decides what runs there.
type System struct {
	OS        string // AIX, Linux
	Machine   string // uname -m: the architecture; of AIX the machine's number
	Partition string // AIX: its number and name
	Level     string // AIX: 7.2
	Processor string // AIX: PowerPC_POWER9; empty: it did not say
	Padmin    bool   // a restricted login of a VIOS: commands go through oem_setup_env
}

// searchPath has the folders that a login without a terminal often lacks; tools
// of the AIX Toolbox are in the last one.
const searchPath = `PATH="$PATH:/usr/bin:/usr/sbin:/etc:/opt/freeware/bin"; export PATH; `

// question makes a line of fields that | parts.
const question = `echo "seaworthy|$(uname -s)|$(uname -m)|$(uname -v).$(uname -r)|$(uname -L 2>/dev/null)|` +
	`$(lsattr -El proc0 -a type -F value 2>/dev/null)|"`

// Ask finds out what a host is, before anything is sent to it: by its own shell, or
// as padmin, whose shell finds few commands, through oem_setup_env.
func Ask(ctx context.Context, host remote.Host) (System, error) {
	var said string
	for _, padmin := range []bool{false, true} {
		s := System{Padmin: padmin}
		r, err := host.Run(ctx, s.Command(question))
		if err != nil {
			return s, err
		}
		_, text, _ := strings.Cut(string(r.Stdout), "seaworthy|")
		if f := strings.Split(text, "|"); len(f) > 4 && (f[0] == "AIX" || f[0] == "Linux") {
			s.OS = f[0]
			s.Machine = f[1]
			s.Partition = f[3]
			s.Processor = f[4]
			if s.OS == "AIX" {
				s.Level = f[2]
			}
			return s, nil
		}
		said += string(r.Stdout) + string(r.Stderr)
	}
	return System{}, &remote.Error{Host: host.Name(), Command: "uname -s",
		Err: fmt.Errorf("AIX or Linux expected, the host says %.120q", said)}
}

// Command is a command as the host's login takes it.
func (s System) Command(command string) remote.Command {
	if s.Padmin {
		return remote.Step{Line: searchPath + command, Root: true}.Command()
	}
	return remote.Command{Line: "sh -c " + shellword.Quote(searchPath+command)}
}

// Line is the text of Command, for a session.
func (s System) Line(command string) string { return s.Command(command).Line }

// session is a command that keeps talking over its standard input. The root shell
// of padmin has read its own line by the time that the first answer comes.
func (s System) session(command string) string {
	if s.Padmin {
		return "(echo " + shellword.Quote(searchPath+command) + "; cat) | oem_setup_env"
	}
	return s.Line(command)
}

// The least on which Go programs for AIX run.
const (
	leastAIX   = 7.2
	leastPOWER = 8
)

var power = regexp.MustCompile(`POWER(\d+)`)

// architectures of Linux that have a helper: by uname -m, in Go's words.
var architectures = map[string]string{"x86_64": "amd64", "aarch64": "arm64", "ppc64le": "ppc64le"}

// platform is the one, in Go's words, for which the host needs a helper; an error
// says why none runs there.
func (s System) platform() (goos, goarch string, err error) {
	const needs = "seaworthy-probe needs AIX 7.2 and POWER8 or newer"
	if s.OS == "AIX" {
		if level, err := strconv.ParseFloat(s.Level, 64); err == nil && level < leastAIX {
			return "", "", fmt.Errorf("this is AIX %s: %s", s.Level, needs)
		}
		if m := power.FindStringSubmatch(s.Processor); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n < leastPOWER {
				return "", "", fmt.Errorf("this is a POWER%s processor: %s", m[1], needs)
			}
		}
		return "aix", "ppc64", nil
	}
	arch, ok := architectures[s.Machine]
	if !ok {
		return "", "", fmt.Errorf("no seaworthy-probe is built for %s on %s", s.OS, s.Machine)
	}
	return "linux", arch, nil
}

// Runs says whether a helper can run there; nil: as far as is known.
func (s System) Runs() error {
	_, _, err := s.platform()
	return err
}
