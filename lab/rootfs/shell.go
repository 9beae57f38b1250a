// Package rootfs gives every lab node its own view of the file system: the
// machine's tools, read-only, with the lab's commands in front of
// them in /usr/bin and /usr/sbin (and /usr/ios/cli on a VIOS), and an /etc,
// /tmp, /dev and home of the node's own.
//
// Prepare builds once per lab what all nodes share; Enter builds one node's
// root around that and moves the calling thread into it:
//
//	/.machine          the machine's /usr, /opt, /lib…, read-only
//	/usr/bin/grep   -> /.machine/usr/bin/grep
//	/usr/bin/lsattr -> /run/seaworthy/answer   (argv[0] says which command)
//	/run/seaworthy     the lab's programs and the node's control socket
//
// Nothing a node does reaches the machine's files: all of them are mounted
// read-only, and no mount propagates back.
package rootfs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shells of machines, the nearest to that of AIX first: there the shell that
// logs in is a Korn shell, and hands type its [[ ]], typeset and print.
var shells = []string{"/usr/bin/ksh", "/usr/bin/ksh93", "/usr/bin/mksh", "/usr/bin/bash", "/bin/sh"}

// Shell finds the machine's shell for logins on the nodes: the one that is asked for,
// or the nearest to AIX's.
func Shell(asked string) (string, error) {
	if asked == "" {
		return shell(shells), nil
	}
	for _, path := range []string{asked, filepath.Join("/usr/bin", asked)} {
		if filepath.IsAbs(path) && shell([]string{path}) == path {
			return path, nil
		}
	}
	return "", fmt.Errorf("shell %s: not on this machine, expected one of %s, or a path", asked, strings.Join(shells, ", "))
}

func shell(of []string) string {
	for _, s := range of {
		if fi, err := os.Stat(s); err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return s
		}
	}
	return "/bin/sh"
}

// Behaviour is how a lab answers where sites and releases differ.
type Behaviour struct {
	// Strict: shells have ksh88's predefined aliases, read $ENV, which prints, and have
	// umask 077; a login has a banner; padmin's shell is restricted; nobody logs in to
	// an LPAR as root.
	Strict bool `json:"strict,omitempty"`
	// OEMStatus is the exit status of oem_setup_env: 0, 4, or that of its last command (last, or empty).
	OEMStatus string `json:"oem_status,omitempty"`
}

// behaviourFile has the Behaviour of the lab, for the shim.
const behaviourFile = Dir + "/behaviour.json"

// Path is the PATH of a login.
func Path(user string) string {
	if user == "padmin" {
		return PadminPath
	}
	return RootPath
}

// ReadBehaviour is that of the lab whose node the process is on.
func ReadBehaviour() (b Behaviour, err error) {
	text, err := os.ReadFile(behaviourFile)
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	return b, err
}

// prelude makes another Korn shell, or bash, behave like ksh88: the aliases that it
// predefines, and $ENV read by every shell, not by interactive ones only.
const prelude = `shopt -s expand_aliases 2>/dev/null
alias autoload='typeset -fu' functions='typeset -f' history='fc -l' integer='typeset -i' nohup='nohup ' r='fc -e -'
alias stop='kill -STOP' suspend='kill -STOP $$'
umask 077
[ -n "${ENV-}" ] && [ -r "$ENV" ] && . "$ENV"
`

// Arguments are those of a shell for a command line, a script with its arguments or,
// without any, what comes by the standard input. restricted: as padmin has it.
func (b Behaviour) Arguments(name string, args []string, restricted bool) []string {
	if !b.Strict {
		return append([]string{name}, args...)
	}
	start := prelude
	if restricted {
		start += "(set -r) 2>/dev/null && set -r\n" // mksh cannot once it runs: there PATH alone confines
	}
	switch {
	case len(args) > 1 && args[0] == "-c":
		rest := args[2:]
		if len(rest) == 0 {
			rest = []string{name}
		}
		return append([]string{name, "-c", start + args[1]}, rest...)
	case len(args) > 0 && args[0] == "-s":
		return append([]string{name, "-c", start + `eval "$(cat)"`, name}, args[1:]...)
	case len(args) == 0:
		return []string{name, "-c", start + `eval "$(cat)"`, name}
	case strings.HasPrefix(args[0], "-"):
		return append([]string{name}, args...) // flags that no script of ours uses
	}
	script := args[0]
	if !strings.Contains(script, "/") {
		script = "./" + script
	}
	return append([]string{name, "-c", start + `. "$0"`, script}, args[1:]...)
}

// Where things are within a node.
const (
	Dir     = "/run/seaworthy"
	Program = Dir + "/seaworthy" // the lab's program, called by the name of a command
	Answer  = Dir + "/answer"    // the same for commands that only ask the lab; a smaller program where there is one
	IOSCLI  = Dir + "/ioscli"    // the same, called from /usr/ios/cli: the ioscli form is meant
	Control = Dir + "/control.sock"
	Ksh     = Dir + "/ksh" // the shell of logins, held since the lab was started
	CLIDir  = "/usr/ios/cli"
	Tools   = Dir + "/bin" // of a node with Linux: seaworthy-probe

	InittabFile = "/etc/inittab"
)

// Users of an LPAR that are not root, by what sudo lets them run without a password:
// anything, entstat, nothing.
const (
	SudoUser    = "svc"
	EntstatUser = "mon"
	PlainUser   = "oper"
)

// FirstUID is the number of the first of them, as id shows it.
const FirstUID = 204

// Ordinary are these users.
var Ordinary = []string{SudoUser, EntstatUser, PlainUser}

// IsOrdinary says whether a user is one of them.
func IsOrdinary(user string) bool { return slices.Contains(Ordinary, user) }

// PATH of the logins. That of padmin has what IBM gives its shell: everything
// else uses oem_setup_env.
const (
	LinuxPath  = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:" + Tools
	RootPath   = "/usr/bin:/etc:/usr/sbin:/usr/ucb:/sbin:/opt/freeware/bin"
	PadminPath = CLIDir + ":/usr/ios/utils:/usr/ios/oem"
)

// padminUtils are the tools in /usr/ios/utils, and hostname, a command of the VIOS
// that the lab leaves to the machine.
var padminUtils = []string{
	"hostname",
	"awk", "cat", "chmod", "clear", "cp", "date", "grep", "head", "ls", "man", "more", "mv", "rm", "sed", "stty", "tail", "tee", "vi", "wc",
}
