package model

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// MeansThisMachine reports whether a host name, as in [USER@]HOST[:PORT], leads to the
// machine that looks it up: localhost, local, 127.0.0.1 in any spelling, ::1, 0.0.0.0. A
// host of a fleet must not have such a name: Ansible and ssh would act on the machine that
// runs them.
func MeansThisMachine(name string) bool {
	if _, host, found := strings.Cut(name, "@"); found {
		name = host
	}
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	name = strings.TrimRight(name, ".")
	if addr, err := netip.ParseAddr(name); err == nil {
		addr = addr.WithZone("").Unmap()
		return addr.IsLoopback() || addr.IsUnspecified()
	}
	first, domain, _ := strings.Cut(name, ".")
	switch first {
	case "localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "loopback":
		return domain == "" || strings.HasPrefix(domain, "localdomain")
	case "local":
		return domain == ""
	}
	return strings.HasSuffix(name, ".localhost") || oldLoopback(name)
}

// oldLoopback reports whether inet_aton reads a name as an address of 127.0.0.0/8 or as
// 0.0.0.0: 127.1, 0x7f000001, 017700000001, 2130706433.
func oldLoopback(name string) bool {
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return false
	}
	var address uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || strings.Contains(p, "_") {
			return false
		}
		last := i == len(parts)-1
		if !last && n > 255 {
			return false
		}
		if last {
			address = address<<(8*(5-len(parts))) | n
		} else {
			address = address<<8 | n
		}
	}
	return address>>24 == 127 || address == 0
}
