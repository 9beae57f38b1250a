package become

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
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

// Check refuses what is not a method.
func (m Method) Check() error {
	if m == Auto || slices.Contains(Methods, string(m)) {
		return nil
	}
	return fmt.Errorf("become %q: expected %s", m, strings.Join(Methods, ", "))
}

// folders are where sudo and dzdo stand outside the PATH of a login without a
// terminal.
const folders = "/opt/freeware/bin:/usr/local/bin:/usr/share/centrifydc/bin"

// Shell holds what a sudoers file must allow for whole lines: root's shell.
const Shell = "sh -c *"

// front holds what goes before a single command, and one that gives the command line
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

// status is the last line of what root's shell prints.
const status = "seaworthy-status"

var ended = regexp.MustCompile(status + ` (\d+)[ \t\r]*\n?`)

// carried runs the steps of a command one after another, as a shell would. A step of root's
// prints a mark before its output, since root's login files may print too, and its exit
// status behind it, which is believed instead of that of oem_setup_env.
func carried(ctx context.Context, h remote.Host, c remote.Command) (*remote.Result, error) {
	if !c.Work.Root() {
		return h.Run(ctx, c)
	}
	whole, work := c.Line, c.Work
	c.Work = remote.Work{}
	if work.OneLine() {
		c.Line = work.Text(checked)
		res, err := h.Run(ctx, c)
		return res, remote.Named(err, whole)
	}
	var all *remote.Result
	for _, s := range work.Steps {
		c.Line = remote.Work{Setup: work.Setup, Steps: []remote.Step{stated(s)}}.String()
		res, err := h.Run(ctx, c)
		if res != nil && s.Root {
			believe(res)
		}
		all = join(all, res)
		if err != nil || all.Exit != 0 {
			return all, remote.Named(err, whole)
		}
	}
	return all, nil
}

// stated is a step whose text says where its output begins and how it ended.
func stated(s remote.Step) remote.Step {
	if !s.Root {
		return s
	}
	then := "; "
	if strings.Contains(s.Line, "\n") {
		then = "\n" // the end of a here-document stands alone
	}
	s.Line = remote.Marked(s.Line) + then + "echo " + status + " $?"
	return s
}

// checked is a step that ends as its text says, without its output.
func checked(s remote.Step) string {
	if !s.Root {
		return s.Line
	}
	s.Line += "; echo " + status + " $?"
	return s.String() + " | grep -q '" + status + " 0'"
}

// believe takes the exit status out of the text. Without one the shell did not
// come to its end, and a status of 0 cannot be meant.
func believe(res *remote.Result) {
	_, res.Stdout, _ = remote.CutMark(res.Stdout)
	at := ended.FindAllSubmatchIndex(res.Stdout, -1)
	if len(at) == 0 {
		if res.Exit == 0 && !res.Truncated {
			res.Exit = 1
		}
		return
	}
	last := at[len(at)-1]
	res.Exit, _ = strconv.Atoi(string(res.Stdout[last[2]:last[3]])) // digits, by the pattern
	res.Stdout = bytes.Clone(res.Stdout[:last[0]])
}

func join(all, next *remote.Result) *remote.Result {
	if all == nil || next == nil {
		return next
	}
	next.Stdout, next.Stderr = append(all.Stdout, next.Stdout...), append(all.Stderr, next.Stderr...)
	next.Start, next.Duration, next.Printed = all.Start, all.Duration+next.Duration, all.Printed+next.Printed
	return next
}
