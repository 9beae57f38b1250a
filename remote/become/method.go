package become

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/remote/shellword"
)

// Method is how a login becomes root.
type Method string

const (
	Auto Method = ""     // the login as it is; padmin through oem_setup_env
	None Method = "none" // the login as it is, padmin too
	Sudo Method = "sudo"
	Dzdo Method = "dzdo"
	Su   Method = "su"
	OEM  Method = "oem_setup_env"
)

// Methods are those that can be asked for.
var Methods = []string{string(Sudo), string(Su), string(Dzdo), string(OEM), string(None)}

// Check refuses what is no method.
func (m Method) Check() error {
	if m == Auto || slices.Contains(Methods, string(m)) {
		return nil
	}
	return fmt.Errorf("become %q: expected %s", m, strings.Join(Methods, ", "))
}

// folders are where sudo and dzdo stand outside the PATH of a login without a
// terminal.
const folders = "/opt/freeware/bin:/usr/local/bin:/usr/share/centrifydc/bin"

// Shell is what a sudoers file must allow for whole lines: root's shell.
const Shell = "sh -c *"

// front is what goes before a single command, and one that gives the command line
// to root's shell.
var front = map[Method]struct{ command, shell string }{
	Sudo: {"sudo -n ", `exec sudo -n sh -c "$0"`},
	Dzdo: {"dzdo -n ", `exec dzdo -n sh -c "$0"`},
	Su:   {"", `exec su root -c "$0"`},
}

// shell is a line as it is sent to have it run by a shell of root. It is for any
// login shell, also one that is not a Bourne shell.
func (m Method) shell(line string) string {
	return "sh -c " + shellword.Quote(`PATH="$PATH:`+folders+`"; export PATH; `+front[m].shell) + " " + shellword.Quote(line)
}

// Single is one simple command as the method runs it where root's shell is not
// allowed, but the command may be; empty if the method cannot.
func (m Method) Single(line string) string {
	if front[m].command == "" {
		return ""
	}
	return `PATH="$PATH:` + folders + `"; ` + front[m].command + line
}
