package topology

import (
	"maps"
	"math"
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
var LinuxAttributes = []string{"gro", "gso", "mtu", "rx", "tso", "tx"}

// BondAttributes are those of a bond that a topology can set beside its mode, with the values of each; miimon is in ms.
var BondAttributes = map[string][]string{
	"xmit_hash_policy": {"layer2", "layer2+3", "layer3+4", "encap2+3", "encap3+4", "vlan+srcmac"},
	"lacp_rate":        {"slow", "fast"},
	"miimon":           nil,
}

// numbers are what an option takes: how many, and from where to where.
type numbers struct {
	count       int
	least, most int64
}

// linuxSysctls are the options that a topology can set on a node with Linux: each network namespace has its own.
var linuxSysctls = map[string]numbers{
	"net.core.somaxconn":                 {1, 1, math.MaxInt32},
	"net.ipv4.ip_forward":                {1, 0, 1},
	"net.ipv4.ip_local_port_range":       {2, 1, math.MaxUint16},
	"net.ipv4.ip_no_pmtu_disc":           {1, 0, 3},
	"net.ipv4.tcp_adv_win_scale":         {1, -31, 31},
	"net.ipv4.tcp_autocorking":           {1, 0, 1},
	"net.ipv4.tcp_ecn":                   {1, 0, 2},
	"net.ipv4.tcp_limit_output_bytes":    {1, 1, math.MaxInt32},
	"net.ipv4.tcp_max_syn_backlog":       {1, 1, math.MaxInt32},
	"net.ipv4.tcp_min_tso_segs":          {1, 1, math.MaxUint8},
	"net.ipv4.tcp_moderate_rcvbuf":       {1, 0, 1},
	"net.ipv4.tcp_mtu_probing":           {1, 0, 2},
	"net.ipv4.tcp_no_metrics_save":       {1, 0, 1},
	"net.ipv4.tcp_notsent_lowat":         {1, 1, math.MaxUint32},
	"net.ipv4.tcp_rmem":                  {3, leastBuffer, math.MaxInt32},
	"net.ipv4.tcp_sack":                  {1, 0, 1},
	"net.ipv4.tcp_slow_start_after_idle": {1, 0, 1},
	"net.ipv4.tcp_timestamps":            {1, 0, 2},
	"net.ipv4.tcp_window_scaling":        {1, 0, 1},
	"net.ipv4.tcp_wmem":                  {3, leastBuffer, math.MaxInt32},
	"net.ipv4.udp_rmem_min":              {1, leastBuffer, math.MaxInt32},
	"net.ipv4.udp_wmem_min":              {1, leastBuffer, math.MaxInt32},
}

// congestionControl is that of TCP. A network namespace may be given the one that every kernel lets everybody use; of
// others it depends on the machine.
const congestionControl, everyKernels = "net.ipv4.tcp_congestion_control", "reno"

// LinuxSysctls are the names of the options that a topology can set on a node with Linux.
func LinuxSysctls() []string {
	return slices.Sorted(maps.Keys(linuxSysctls))
}

// TakesLinux says whether a device of a node with Linux takes a value.
func TakesLinux(attribute, value string) bool {
	if attribute == "mtu" {
		n, err := strconv.Atoi(value)
		return err == nil && n >= leastLinuxMTU && n <= mostLinuxMTU
	}
	return slices.Contains(LinuxAttributes, attribute) && (value == "on" || value == "off")
}

// TakesBond says whether a bond of that mode takes a value beside those of every device.
func TakesBond(mode, attribute, value string) bool {
	values, known := BondAttributes[attribute]
	switch {
	case attribute == "miimon":
		n, err := strconv.Atoi(value)
		return err == nil && n >= 0 && n <= mostMonitoring
	case attribute == "lacp_rate" && mode != LACP:
		return value == "slow" // the kernel refuses another: it means nothing there
	}
	return known && slices.Contains(values, value)
}

// TakesSysctl says whether a node with Linux takes a value for an option: numbers, three of them for buffers.
func TakesSysctl(name, value string) bool {
	if name == congestionControl {
		return value == everyKernels
	}
	takes, known := linuxSysctls[name]
	other := func(text string) bool {
		n, err := strconv.ParseInt(text, 10, 64)
		return err != nil || n < takes.least || n > takes.most
	}
	fields := strings.Fields(value)
	return known && len(fields) == takes.count && !slices.ContainsFunc(fields, other)
}

const (
	leastLinuxMTU  = 576
	mostLinuxMTU   = 9216
	leastBuffer    = 1024   // bytes: a kernel takes no smaller ones
	mostMonitoring = 10_000 // ms
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
			a := n.Adapter(device)
			if !TakesLinux(name, value) && (a == nil || a.Kind != Bond || !TakesBond(a.Mode, name, value)) {
				r.fail(path, "set "+device+" "+name, "%s %s=%q, expected mtu=%d to %d, on or off for one of %s, or of a bond %s", device, name, value,
					leastLinuxMTU, mostLinuxMTU, strings.Join(LinuxAttributes, ", "), strings.Join(slices.Sorted(maps.Keys(BondAttributes)), ", "))
			}
		}
	}
	for name, value := range n.Sysctls {
		if !TakesSysctl(name, value) {
			r.fail(path, "sysctls "+name, "%s=%q, expected numbers for one of %s", name, value, strings.Join(LinuxSysctls(), ", "))
		}
	}
}
