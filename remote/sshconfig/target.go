package sshconfig

import (
	"cmp"
	"fmt"
	"net"
	"regexp"
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
