package effect

import (
	"fmt"
	"strconv"

	"seaworthy/lab/topology"
)

// kernelSpace is the largest window whose buffer the kernel takes: twice it
// has to fit an int32.
const kernelSpace = 1<<30 - 1

// tcpSettings derives the settings of TCP.
type tcpSettings struct{ *view }

// tcp returns the defaults that a node's sockets get: bytes of payload windows, and window
// scaling with timestamps. AIX decides per connection: the interface's own value where
// use_isno is 1, else the value of no. A Linux namespace has one set, so the first
// configured interface decides for all.
func (v tcpSettings) tcp(n *topology.Node) (send, recv int, scale bool) {
	send, recv, scale = v.no(n.Name, "tcp_sendspace", 16384), v.no(n.Name, "tcp_recvspace", 16384), v.no(n.Name, "rfc1323", 0) == 1
	for i := range n.Adapters {
		en := iface(n.Adapters[i].Name)
		if v.Available(n.Name, en) && len(v.of(n.Name).Addresses(en)) > 0 && v.no(n.Name, "use_isno", 1) == 1 {
			send, recv, scale = v.isno(n.Name, en, &n.Adapters[i])
			break
		}
	}
	limit := min(v.no(n.Name, "sb_max", 1<<20), kernelSpace)
	return min(send, limit), min(recv, limit), scale
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// isno returns what an interface gives its connections: the ODM's values, and for
// those not set AIX's table by kind of adapter (IBM-ISNO-NET, and ifconfig
// samples for virtual adapters).
func (v tcpSettings) isno(node, en string, a *topology.Adapter) (send, recv int, scale bool) {
	send, recv, scale = 262144, 262144, true
	if a.Kind == topology.Physical && a.LineRate < 10e9 {
		if v.number(node, en, "mtu", ethernetMTU) <= ethernetMTU {
			send, recv, scale = 131072, 65536, v.no(node, "rfc1323", 0) == 1
		} else {
			recv = 131072
		}
	}
	send = v.number(node, en, "tcp_sendspace", send)
	recv = v.number(node, en, "tcp_recvspace", recv)
	if x := v.value(node, en, "rfc1323"); x != "" {
		scale = x == "1"
	}
	return send, recv, scale
}

// sysctls of a node's namespace. The kernel counts a buffer's overhead too:
// half of tcp_rmem and tcp_wmem is payload.
func (v tcpSettings) sysctls(n *topology.Node) map[string]string {
	send, recv, scale := v.tcp(n)
	m := map[string]string{
		"net.ipv4.tcp_wmem":           fmt.Sprintf("4096\t%d\t%d", 2*send, 2*send),
		"net.ipv4.tcp_rmem":           fmt.Sprintf("4096\t%d\t%d", 2*recv, 2*recv),
		"net.ipv4.tcp_window_scaling": flag(scale),
		"net.ipv4.tcp_timestamps":     flag(scale),
		// As AIX (tcp_newreno), whatever the machine prefers: one that paces
		// would hide what losses and small windows cost.
		"net.ipv4.tcp_congestion_control": "reno",
		// AIX answers for an address on the interface that has it, and on no
		// other one that is on the same wire.
		"net.ipv4.conf.all.arp_ignore":   "1",
		"net.ipv4.conf.all.arp_announce": "2",
	}
	for option, key := range map[string]string{"sack": "net.ipv4.tcp_sack", "tcp_ecn": "net.ipv4.tcp_ecn"} {
		if x := v.no(n.Name, option, -1); x == 0 || x == 1 {
			m[key] = strconv.Itoa(x)
		}
	}
	return m
}
