package sshconfig

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxJumps bounds a chain of jump hosts: two that name each other are an
	// error, not a loop.
	maxJumps = 8
	// limit bounds ssh -G, which may run a command of the user's (Match exec).
	limit = 15 * time.Second
	// atOnce bounds how many ssh -G run at a time.
	atOnce = 8
)

// Config asks one ssh configuration. It is safe for concurrent use and asks for
// each target once.
type Config struct {
	file  string
	text  []byte // of a file that can be read only once
	slots chan struct{}
	like  func() *likeness
	mu    sync.Mutex
	asked map[Target]func() (*Settings, error)
}

// New returns the configuration of one file, as ssh -F reads it, or with an empty
// name of ~/.ssh/config and /etc/ssh/ssh_config.
func New(file string) (*Config, error) {
	c := &Config{file: file, slots: make(chan struct{}, atOnce), asked: map[Target]func() (*Settings, error){}}
	c.like = sync.OnceValue(c.alike)
	if file == "" || file == "none" {
		return c, nil
	}
	info, err := os.Stat(file)
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 { // -F <(...)
		c.file = "/dev/stdin"
		c.text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("SSH configuration: %w", err)
	}
	return c, nil
}

// Resolve gives the settings of a host and of the jump hosts before it. They are
// shared: the caller copies before it changes them.
func (c *Config) Resolve(t Target) (*Settings, error) { return c.through(t, nil) }

func (c *Config) through(t Target, seen []string) (*Settings, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if len(seen) >= maxJumps {
		return nil, fmt.Errorf("%s: ProxyJump goes in a circle or through more than %d hosts: %s", t.Alias, maxJumps, strings.Join(seen, " "))
	}
	c.mu.Lock()
	ask, ok := c.asked[t]
	if !ok {
		ask = sync.OnceValues(func() (*Settings, error) { return c.ask(t) })
		c.asked[t] = ask
	}
	c.mu.Unlock()
	direct, err := ask()
	if err != nil || len(direct.jumps) == 0 {
		return direct, err
	}
	s := *direct
	last := len(s.jumps) - 1
	hop, err := ParseTarget(strings.TrimSpace(s.jumps[last]))
	// As with ssh -J, the last host is reached through the ones before it, and
	// only the first goes its own way.
	hop.ProxyJump = strings.Join(s.jumps[:last], ",")
	if err == nil {
		s.Jump, err = c.through(hop, append(slices.Clone(seen), t.Alias))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: ProxyJump %s: %w", s.Alias, strings.Join(s.jumps, ","), err)
	}
	return &s, nil
}

// ask gives the settings of one target: those that ssh -G prints for it, or for another one
// of which the configuration says the same.
func (c *Config) ask(t Target) (*Settings, error) {
	return c.like().answered(t, func() (string, error) { return c.run(t) })
}

// run runs ssh -G for one target.
func (c *Config) run(t Target) (string, error) {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ssh", c.arguments(t)...)
	cmd.WaitDelay = 5 * time.Second // a busy machine may need it for the last of the output
	cmd.Stdin = bytes.NewReader(c.text)
	var says bytes.Buffer
	cmd.Stderr = &says
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		out, err = c.withoutSSH(t)
		if err != nil {
			return "", err
		}
	case ctx.Err() != nil:
		return "", fmt.Errorf("ssh -G %s: no end after %s: does a Match exec hang?", t.Alias, limit)
	case err != nil:
		why := strings.Join(strings.FieldsFunc(says.String(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
		if why == "" {
			return "", err
		}
		return "", errors.New(why)
	}
	return string(out), nil
}

func (c *Config) arguments(t Target) []string {
	args := []string{"-T", "-G"}
	add := func(set bool, words ...string) {
		if set {
			args = append(args, words...)
		}
	}
	add(c.file != "", "-F", c.file)
	add(t.Port != 0, "-p", strconv.Itoa(t.Port))
	add(t.User != "", "-l", t.User)
	add(t.Address != "", "-o", "HostName="+strings.ReplaceAll(t.Address, "%", "%%"))
	add(t.ProxyJump == "none", "-o", "ProxyCommand=none")
	add(t.ProxyJump != "", "-o", "ProxyJump="+t.ProxyJump)
	return append(args, "--", t.Alias)
}

// withoutSSH returns what ssh -G would print on a machine without configuration. Where
// there is one, only ssh itself can say what holds.
func (c *Config) withoutSSH(t Target) ([]byte, error) {
	home, _ := os.UserHomeDir() // empty: there is no configuration either
	files := []string{filepath.Join(home, ".ssh", "config"), "/etc/ssh/ssh_config"}
	if c.file != "" {
		files = []string{c.file}
	}
	for _, f := range files {
		if _, err := os.Stat(f); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the program ssh is not on PATH, and only it reads %s: install the OpenSSH client", f)
		}
	}
	return defaults(t)
}

func defaults(t Target) ([]byte, error) {
	home, _ := os.UserHomeDir() // empty: no key is found there
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "hostname %s\nuser %s\nport %d\nproxyjump %s\nidentityfile ~/.ssh/id_rsa\nidentityfile ~/.ssh/id_ecdsa\n"+
		"identityfile ~/.ssh/id_ed25519\nuserknownhostsfile %s/.ssh/known_hosts\nglobalknownhostsfile /etc/ssh/ssh_known_hosts\n",
		cmp.Or(t.Address, t.Alias), cmp.Or(t.User, me.Username), cmp.Or(t.Port, 22), t.ProxyJump, home), nil
}

// Target holds what the user asked for: a name, and what overrides the
// configuration because it was given with it (user@name:port, or an entry of an
// inventory).
type Target struct {
	Alias     string // looked up in the configuration
	Address   string // overrides HostName
	User      string
	Port      int    // 0: from the configuration, else 22
	ProxyJump string // overrides ProxyJump; "none" goes direct
}

// Check refuses names that are none: they become arguments of programs.
func (t Target) Check() error {
	const special = " \t\r\n\x00'\"`$;&<>|(){}"
	switch {
	case t.Alias == "" || strings.HasPrefix(t.Alias, "-") || strings.ContainsAny(t.Alias, special+`\`):
		return fmt.Errorf("%q is not a host name", t.Alias)
	case strings.HasPrefix(t.Address, "-") || strings.ContainsAny(t.Address, special):
		return fmt.Errorf("%s: %q is not a host name", t.Alias, t.Address)
	case strings.HasPrefix(t.User, "-") || strings.ContainsAny(t.User, special):
		return fmt.Errorf("%s: %q is not a user", t.Alias, t.User)
	}
	return nil
}

// The parts of a target: user, address in brackets, name, IPv6 address without brackets, port.
var parts = regexp.MustCompile(`(?s)^(?:(.+)@)?(?:\[([^\]]+)\]|([^\[\]:@]+)|([^\[\]@]*:[^\[\]@]*:[^\[\]@]*))(?::([^:]+))?$`)

// ParseTarget reads NAME, user@host, user@host:port, user@[v6]:port or
// ssh://user@host:port. The user may contain an @, as domain accounts do.
func ParseTarget(s string) (Target, error) {
	m := parts.FindStringSubmatch(strings.TrimSuffix(strings.TrimPrefix(s, "ssh://"), "/"))
	if m == nil || m[4] != "" && net.ParseIP(m[4]) == nil && !strings.Contains(m[4], "%") {
		return Target{}, fmt.Errorf("%q: expected a name, user@host, user@host:port, or user@[address]:port for an IPv6 address", s)
	}
	port, err := strconv.Atoi(cmp.Or(m[5], "22"))
	if err != nil || port < 1 || port > 65535 {
		return Target{}, fmt.Errorf("%q: port %q is not a number from 1 to 65535", s, m[5])
	}
	if m[5] == "" {
		port = 0
	}
	return Target{Alias: cmp.Or(m[2], m[3], m[4]), User: m[1], Port: port}, nil
}
