package topology

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// StaticRoute is a route of a node beside the default one.
type StaticRoute struct {
	To        netip.Prefix
	Via       netip.Addr
	Interface string // whose network the gateway is in
}

// StaticRoutes are those that a checked node has, in the order of their destinations.
func (n *Node) StaticRoutes() (out []StaticRoute) {
	for _, to := range slices.Sorted(maps.Keys(n.Routes)) {
		r := StaticRoute{To: netip.MustParsePrefix(to), Via: netip.MustParseAddr(n.Routes[to])}
		for _, i := range n.Interfaces {
			if i.Address.Contains(r.Via) {
				r.Interface = i.Name
			}
		}
		out = append(out, r)
	}
	return out
}

// routes checks the static routes of a node.
func (r *reader) routes(n *Node, path string) {
	for _, text := range slices.Sorted(maps.Keys(n.Routes)) {
		to, err := netip.ParsePrefix(text)
		if err != nil || !to.Addr().Is4() || to != to.Masked() || to.Bits() == 0 {
			r.fail(path, "routes "+text, "route to %q, expected a network like 10.20.0.0/16; the default route is an interface's gateway", text)
		}
		via, err := netip.ParseAddr(n.Routes[text])
		reached := func(i Interface) bool { return i.Address.Contains(via) && i.Address.Addr() != via }
		if err != nil || !via.Is4() || !slices.ContainsFunc(n.Interfaces, reached) {
			r.fail(path, "routes "+text, "gateway %q, expected an address in a network of an interface of the node", n.Routes[text])
		}
	}
}

// LinuxAttributes are those of a device of a node with Linux that a topology can set.
var LinuxAttributes = []string{"gro", "mtu", "rx", "tso", "tx"}

// LinuxSysctls are the options that a topology can set on a node with Linux: each network namespace has its own.
var LinuxSysctls = []string{
	"net.ipv4.ip_forward", "net.ipv4.tcp_ecn", "net.ipv4.tcp_moderate_rcvbuf", "net.ipv4.tcp_mtu_probing",
	"net.ipv4.tcp_no_metrics_save", "net.ipv4.tcp_rmem", "net.ipv4.tcp_sack", "net.ipv4.tcp_slow_start_after_idle",
	"net.ipv4.tcp_timestamps", "net.ipv4.tcp_window_scaling", "net.ipv4.tcp_wmem",
}

// TakesLinux says whether a device of a node with Linux takes a value.
func TakesLinux(attribute, value string) bool {
	if attribute == "mtu" {
		n, err := strconv.Atoi(value)
		return err == nil && n >= leastLinuxMTU && n <= mostLinuxMTU
	}
	return slices.Contains(LinuxAttributes, attribute) && (value == "on" || value == "off")
}

// TakesSysctl says whether a node with Linux takes a value for an option: numbers, three of them for buffers.
func TakesSysctl(name, value string) bool {
	fields, want := strings.Fields(value), 1
	if strings.HasSuffix(name, "mem") {
		want = 3
	}
	number := func(text string) bool {
		n, err := strconv.ParseUint(text, 10, 31)
		return err == nil && (want == 1 || n >= leastBuffer)
	}
	return slices.Contains(LinuxSysctls, name) && len(fields) == want && !slices.ContainsFunc(fields, func(f string) bool { return !number(f) })
}

const (
	leastLinuxMTU = 576
	mostLinuxMTU  = 9216
	leastBuffer   = 1024 // bytes: a kernel takes no smaller ones
)

// linux checks how the devices and options of a node with Linux begin.
func (r *reader) linux(n *Node, path string) {
	if n.OS != Linux {
		if len(n.Sysctls) > 0 {
			r.fail(path, "sysctls", "sysctls belong to a node with os: linux: AIX has tunables")
		}
		return
	}
	for device, set := range n.Set {
		for name, value := range set {
			if !TakesLinux(name, value) {
				r.fail(path, "set "+device+" "+name, "%s %s=%q, expected mtu=%d to %d, or on or off for one of %s", device, name, value,
					leastLinuxMTU, mostLinuxMTU, strings.Join(LinuxAttributes, ", "))
			}
		}
	}
	for name, value := range n.Sysctls {
		if !TakesSysctl(name, value) {
			r.fail(path, "sysctls "+name, "%s=%q, expected numbers for one of %s", name, value, strings.Join(LinuxSysctls, ", "))
		}
	}
}
