package become

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"seaworthy/internal/remote"
)

// ErrNotRoot says that the login cannot become root the way it was asked to.
var ErrNotRoot = errors.New("not root")

// Host runs commands as root on a host.
type Host struct {
	remote.Host // the login, without what its login files print
	raw         remote.Host
	root        remote.Host // the login's shell of root, if a method gives one
	method      Method

	mu      sync.Mutex
	known   bool // err is what the host said
	refused error
}

// New returns a host whose commands run as root by a method.
func New(h remote.Host, m Method) *Host {
	quiet := remote.Quiet(h)
	return &Host{Host: quiet, raw: h, root: remote.Quiet(shell{quiet, m}), method: m}
}

// Raw is the login with what its login files print.
func (h *Host) Raw() remote.Host { return h.raw }

// Disconnect ends the connection of the login.
func (h *Host) Disconnect() { remote.Disconnect(h.raw) }

// shell runs lines in the shell of root that a method gives.
type shell struct {
	remote.Host
	method Method
}

func (s shell) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	plain := c.Line
	if c.Work.Root() { // root's shell needs no other for root's steps
		plain = c.Work.Text(func(s remote.Step) string { return s.Line })
	}
	c.Line, c.Work = s.method.shell(plain), remote.Work{}
	res, err := s.Host.Run(ctx, c)
	return res, remote.Named(err, plain)
}

func (s shell) Start(ctx context.Context, line string) (*remote.Session, error) {
	session, err := s.Host.Start(ctx, s.method.shell(line))
	return session, remote.Named(err, line)
}

// Method is how the login becomes root.
func (h *Host) Method() Method { return h.method }

// wraps says whether every line goes through the method; oem_setup_env takes only
// those that ask for it.
func (h *Host) wraps() bool { return front[h.method].shell != "" }

// User is who commands run as: root, once it is known that they can.
func (h *Host) User() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wraps() && h.known && h.refused == nil {
		return "root"
	}
	return h.LoginUser()
}

// LoginUser is who logs in; empty if that is not known.
func (h *Host) LoginUser() string { return remote.User(h.Host) }

// Run runs a line as root.
func (h *Host) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	switch {
	case h.method == None && c.Work.Root():
		return nil, &remote.Error{Host: h.Name(), Err: fmt.Errorf("%w: become is none", ErrNotRoot)}
	case !h.wraps():
		return carried(ctx, h.Host, c)
	}
	if err := h.Ready(ctx); err != nil {
		return nil, err
	}
	return h.root.Run(ctx, c)
}

// Start starts a line as root and leaves its streams to the caller.
func (h *Host) Start(ctx context.Context, line string) (*remote.Session, error) {
	if !h.wraps() {
		return h.Host.Start(ctx, line)
	}
	if err := h.Ready(ctx); err != nil {
		return nil, err
	}
	return h.root.Start(ctx, line)
}

// Ready finds out, once, whether the login can become root. An error that wraps
// ErrNotRoot is the host's answer; any other is about reaching it.
func (h *Host) Ready(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.wraps() || h.known {
		return h.refused
	}
	res, err := h.root.Run(ctx, remote.Command{Line: "id -u", MaxOutput: 64 << 10})
	if err != nil {
		return remote.Named(err, string(h.method))
	}
	h.known = true
	if words := strings.Fields(string(res.Stdout)); len(words) == 0 || words[len(words)-1] != "0" {
		h.refused = h.explain(res)
	}
	return h.refused
}

// answers hold what sudo, dzdo and su say when they refuse, what that means and what
// helps.
var answers = []struct {
	says       *regexp.Regexp
	means, try string
}{
	{regexp.MustCompile(`(?i)must have a tty`), "wants a terminal", "in sudoers: Defaults:%[2]s !requiretty"},
	{regexp.MustCompile(`(?i)password|askpass|terminal is required|no tty|Authentication fail|3004-`),
		"asks for a password, and none is ever given", "allow it without one: seaworthy doctor --sudoers prints the lines"},
	{regexp.MustCompile(`(?i)not allowed|not in the .*sudoers|may not run|not permitted|denied`),
		"does not let %[2]s run a shell as root", "seaworthy doctor --sudoers prints what must be allowed"},
	{regexp.MustCompile(`(?i)not found|no such file`), "is not on this host",
		"it was looked for on PATH, " + strings.ReplaceAll(folders, ":", ", ")},
}

func (h *Host) explain(res *remote.Result) error {
	user := h.LoginUser()
	said := strings.TrimSpace(string(res.Stderr) + "\n" + string(res.Stdout))
	means, try := "does not give a shell of root", "see whether "+string(h.method)+" works in a login by hand"
	for _, a := range answers {
		if a.says.MatchString(said) {
			means, try = strings.ReplaceAll(a.means, "%[2]s", user), strings.ReplaceAll(a.try, "%[2]s", user)
			break
		}
	}
	if first, _, _ := strings.Cut(said, "\n"); first != "" {
		means += ": " + strings.ToValidUTF8(first[:min(len(first), 200)], "")
	}
	return &remote.Error{Host: h.Name(), Err: fmt.Errorf("%w as %s: %s %s", ErrNotRoot, user, h.method, means), Hint: try}
}
