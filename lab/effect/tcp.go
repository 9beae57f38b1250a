package effect

import (
	"fmt"
	"strconv"

	"seaworthy/lab/topology"
)

// kernelSpace is the largest window whose buffer the kernel takes: twice it
// has to fit an int32.
const kernelSpace = 1<<30 - 1

// TCP are the defaults a node's sockets get, and where each came from.
type TCP struct {
	SendSpace, RecvSpace int  // bytes of payload window
	RFC1323              bool // window scaling and timestamps
	From                 map[string]string
	Notes                []string // interfaces that would differ, and sb_max where it capped
}

func (v *view) tcp(n *topology.Node) TCP {
	t := TCP{From: map[string]string{}}
	no := func(option string, def int) int {
		x, _ := v.Tunable(n.Name, option)
		if i, err := strconv.Atoi(x); err == nil {
			return i
		}
		return def
	}
	t.SendSpace, t.From["tcp_sendspace"] = no("tcp_sendspace", 16384), "no"
	t.RecvSpace, t.From["tcp_recvspace"] = no("tcp_recvspace", 16384), "no"
	t.RFC1323, t.From["rfc1323"] = no("rfc1323", 0) == 1, "no"
	decided := ""
	for _, a := range n.Adapters {
		en := iface(a.Name)
		if !v.Available(n.Name, en) || len(v.Addresses(n.Name, en)) == 0 || no("use_isno", 1) != 1 {
			continue
		}
		send, recv, scale := v.isno(n.Name, en, &a)
		if decided != "" {
			if send != t.SendSpace || recv != t.RecvSpace || scale != t.RFC1323 {
				t.Notes = append(t.Notes, fmt.Sprintf("%s: its own tcp_sendspace %d, tcp_recvspace %d, rfc1323 %s are not in force: "+
					"a namespace has one set, and %s decides", en, send, recv, flag(scale), decided))
			}
			continue
		}
		decided = en
		t.SendSpace, t.RecvSpace, t.RFC1323 = send, recv, scale
		for _, k := range []string{"tcp_sendspace", "tcp_recvspace", "rfc1323"} {
			t.From[k] = en
		}
	}
	for name, space := range map[string]*int{"tcp_sendspace": &t.SendSpace, "tcp_recvspace": &t.RecvSpace} {
		if limit := no("sb_max", 1<<20); *space > limit {
			t.Notes = append(t.Notes, fmt.Sprintf("%s %d is capped by sb_max %d", name, *space, limit))
			*space, t.From[name] = limit, "sb_max"
		}
		if *space > kernelSpace {
			t.Notes = append(t.Notes, fmt.Sprintf("%s %d is capped at %d: the kernel counts buffers in 31 bits", name, *space, kernelSpace))
			*space, t.From[name] = kernelSpace, "kernel"
		}
	}
	return t
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// isno is what an interface gives its connections: the ODM's values, and for
// those not set AIX's table by kind of adapter (IBM-ISNO-NET, and ifconfig
// samples for virtual adapters).
func (v *view) isno(node, en string, a *topology.Adapter) (send, recv int, scale bool) {
	send, recv, scale = 262144, 262144, true
	if a.Kind == topology.Physical && a.LineRate < 10e9 {
		if v.number(node, en, "mtu", ethernetMTU) <= ethernetMTU {
			no, _ := v.Tunable(node, "rfc1323")
			send, recv, scale = 131072, 65536, no == "1"
		} else {
			recv = 131072
		}
	}
	send = v.number(node, en, "tcp_sendspace", send)
	recv = v.number(node, en, "tcp_recvspace", recv)
	if x, _ := v.Running(node, en, "rfc1323"); x != "" {
		scale = x == "1"
	}
	return send, recv, scale
}

// sysctls of a node's namespace. The kernel counts a buffer's overhead too:
// half of tcp_rmem and tcp_wmem is payload.
func (v *view) sysctls(n *topology.Node) map[string]string {
	t := v.tcp(n)
	m := map[string]string{
		"net.ipv4.tcp_wmem":           fmt.Sprintf("4096\t%d\t%d", 2*t.SendSpace, 2*t.SendSpace),
		"net.ipv4.tcp_rmem":           fmt.Sprintf("4096\t%d\t%d", 2*t.RecvSpace, 2*t.RecvSpace),
		"net.ipv4.tcp_window_scaling": flag(t.RFC1323),
		"net.ipv4.tcp_timestamps":     flag(t.RFC1323),
		// As AIX (tcp_newreno), whatever the machine prefers: one that paces
		// would hide what losses and small windows cost.
		"net.ipv4.tcp_congestion_control": "reno",
		// AIX answers for an address on the interface that has it, and on no
		// other one that is on the same wire.
		"net.ipv4.conf.all.arp_ignore":   "1",
		"net.ipv4.conf.all.arp_announce": "2",
	}
	for option, key := range map[string]string{"sack": "net.ipv4.tcp_sack", "tcp_ecn": "net.ipv4.tcp_ecn"} {
		if x, ok := v.Tunable(n.Name, option); ok && (x == "0" || x == "1") {
			m[key] = x
		}
	}
	return m
}
