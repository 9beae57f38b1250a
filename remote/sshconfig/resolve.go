package sshconfig

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"
)

// Target is what the user asked for: a name, and what overrides the files
// because it was given with it (user@name:port, or an inventory's entry).
type Target struct {
	Alias     string // looked up in the files
	Address   string // overrides HostName
	User      string
	Port      int    // 0: from the files, else 22
	ProxyJump string // overrides ProxyJump; "none" goes direct
}

// maxJumps bounds a chain of jump hosts, so that two hosts which name each
// other as their jump host are an error, not a loop.
const maxJumps = 8

// Resolve gives the settings of a host. The context bounds "Match exec".
func (c *Config) Resolve(ctx context.Context, t Target) (*Settings, error) {
	return c.resolve(ctx, t, nil)
}

func (c *Config) resolve(ctx context.Context, t Target, seen []string) (*Settings, error) {
	if t.Alias == "" || strings.HasPrefix(t.Alias, "-") || strings.ContainsAny(t.Alias, " \t\r\n\x00'\"`$\\;&<>|(){}") {
		return nil, fmt.Errorf("%q is not a host name", t.Alias)
	}
	if len(seen) >= maxJumps {
		return nil, fmt.Errorf("%s: ProxyJump goes in a circle or through more than %d hosts: %s", t.Alias, maxJumps, strings.Join(seen, " "))
	}
	r := &resolver{c: c, alias: t.Alias, target: t, values: map[string][]line{}, local: whoami()}
	if err := r.walk(ctx, c.blocks); err != nil {
		return nil, err
	}
	if r.wantFinal {
		r.final = true
		if err := r.walk(ctx, c.blocks); err != nil {
			return nil, err
		}
	}
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	if err := c.jumps(ctx, s, t, r, append(slices.Clone(seen), t.Alias)); err != nil {
		return nil, err
	}
	return s, nil
}

// localUser is who runs this program, for the tokens.
type localUser struct{ user, uid, home, host string }

func whoami() localUser {
	l := localUser{home: "/"}
	if u, err := user.Current(); err == nil {
		l.user, l.uid, l.home = u.Username, u.Uid, u.HomeDir
	}
	if h, err := os.UserHomeDir(); err == nil {
		l.home = h
	}
	l.host, _ = os.Hostname() // only for the tokens %l and %L
	return l
}

// resolver collects the lines that hold for one host.
type resolver struct {
	c         *Config
	alias     string
	target    Target
	values    map[string][]line
	final     bool // second pass, for Match final
	wantFinal bool
	local     localUser
}

// adds are the directives whose values add up; of all others the first wins.
var adds = []string{"identityfile", "certificatefile"}

func (r *resolver) walk(ctx context.Context, blocks []block) error {
	for _, b := range blocks {
		ok, err := r.applies(ctx, b.head)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		for _, n := range b.nodes {
			if n.key == "include" {
				if err := r.walk(ctx, n.include); err != nil {
					return err
				}
				continue
			}
			key := synonym(n.key)
			have := r.values[key]
			switch {
			case len(have) == 0:
				r.values[key] = []line{n.line}
			case slices.Contains(adds, key) && !slices.ContainsFunc(have, n.line.same): // not seen in the first pass
				r.values[key] = append(have, n.line)
			}
			// ProxyJump and ProxyCommand exclude each other: the first wins.
			if key == "proxyjump" && len(r.values["proxycommand"]) == 0 {
				r.values["proxycommand"] = []line{{value: "none"}}
			}
			if key == "proxycommand" && len(r.values["proxyjump"]) == 0 {
				r.values["proxyjump"] = []line{{value: "none"}}
			}
		}
	}
	return nil
}

// synonym maps older names of a directive to the present one.
func synonym(key string) string {
	switch key {
	case "pubkeyacceptedkeytypes":
		return "pubkeyacceptedalgorithms"
	case "hostbasedkeytypes":
		return "hostbasedacceptedalgorithms"
	case "dsaauthentication":
		return "pubkeyauthentication"
	}
	return key
}

// first is the value that holds for a directive, or the default.
func (r *resolver) first(key, def string) string {
	if v := r.values[key]; len(v) > 0 {
		return v[0].value
	}
	return def
}

func (r *resolver) hostName() string {
	if r.target.Address != "" {
		return r.target.Address
	}
	name := r.first("hostname", r.alias)
	return strings.NewReplacer("%%", "%", "%h", r.alias).Replace(name)
}

func (r *resolver) userName() string {
	if r.target.User != "" {
		return r.target.User
	}
	return r.first("user", r.local.user)
}

// jumps resolves ProxyJump. As with ssh -J, the last named host is reached
// through the ones before it, and only the first goes its own way.
func (c *Config) jumps(ctx context.Context, s *Settings, t Target, r *resolver, seen []string) error {
	jump, from := t.ProxyJump, "via"
	if jump == "" {
		if s.ProxyCommand != "" {
			return nil
		}
		jump, from = r.first("proxyjump", "none"), "ProxyJump"
	} else {
		s.ProxyCommand = ""
	}
	if strings.EqualFold(jump, "none") {
		return nil
	}
	hops := strings.Split(jump, ",")
	next, err := ParseTarget(strings.TrimSpace(hops[len(hops)-1]))
	if err != nil {
		return fmt.Errorf("%s: %s %s: %w", s.Alias, from, jump, err)
	}
	if len(hops) > 1 {
		next.ProxyJump = strings.Join(hops[:len(hops)-1], ",")
	}
	s.Jump, err = c.resolve(ctx, next, seen)
	if err != nil {
		return fmt.Errorf("%s: %s %s: %w", s.Alias, from, jump, err)
	}
	return nil
}
