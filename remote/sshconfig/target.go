package sshconfig

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Target is what the user asked for: a name, and what overrides the
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

// ParseTarget reads NAME, user@host, user@host:port, user@[v6]:port or
// ssh://user@host:port. The user may contain an @, as domain accounts do.
func ParseTarget(s string) (Target, error) {
	var t Target
	rest := strings.TrimSuffix(strings.TrimPrefix(s, "ssh://"), "/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		t.User, rest = rest[:i], rest[i+1:]
		if t.User == "" {
			return t, fmt.Errorf("%q: no user before the @", s)
		}
	}
	port := ""
	switch {
	case strings.HasPrefix(rest, "["):
		host, after, ok := strings.Cut(rest[1:], "]")
		if !ok || (after != "" && !strings.HasPrefix(after, ":")) {
			return t, fmt.Errorf("%q: expected [address] or [address]:port", s)
		}
		rest, port = host, strings.TrimPrefix(after, ":")
		if after == ":" {
			return t, fmt.Errorf("%q: no port after the colon", s)
		}
	case strings.Count(rest, ":") == 1:
		var ok bool
		rest, port, ok = strings.Cut(rest, ":")
		if ok && port == "" {
			return t, fmt.Errorf("%q: no port after the colon", s)
		}
	case strings.Count(rest, ":") > 1 && net.ParseIP(rest) == nil && !strings.Contains(rest, "%"):
		return t, fmt.Errorf("%q: not an address; an IPv6 address with a port is written [address]:port", s)
	}
	if rest == "" {
		return t, fmt.Errorf("%q: no host name", s)
	}
	if port != "" {
		p, err := strconv.Atoi(port)
		if err != nil || p < 1 || p > 65535 {
			return t, fmt.Errorf("%q: port %q is not a number from 1 to 65535", s, port)
		}
		t.Port = p
	}
	t.Alias = rest
	return t, nil
}
