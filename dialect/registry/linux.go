package registry

import (
	"slices"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/linux/envfile"
	"seaworthy/dialect/linux/ethtool"
	"seaworthy/dialect/linux/iplink"
	"seaworthy/dialect/linux/procarp"
	"seaworthy/dialect/linux/procnet"
	"seaworthy/dialect/linux/sysctl"
	"seaworthy/dialect/linux/sysfs"
)

func once(line string) []Ask { return []Ask{{On: OnLinux, Line: line, Limit: Quick}} }

func linux() []*Entry {
	return slices.Concat([]*Entry{
		{
			ID: "os-release", Command: "cat /etc/os-release", Family: Linux, Parse: reads(envfile.Parse), Least: 0.9,
			Asks: once("cat /etc/os-release"),
			Mark: mark(`^(?:NAME|ID|VERSION_ID|PRETTY_NAME)=`), Head: mark(`^(?:ID|PRETTY_NAME)=`),
		},
		{
			ID: "ip-addr", Command: "ip -j addr", Family: Linux, Parse: reads(iplink.Parse), Settings: true,
			Call: call("ip", ` a`), Asks: []Ask{{On: OnLinux, Line: "ip -j -d addr", Limit: Normal}},
			Mark: jsonMark, Head: mark(`"addr_info"`), Fits: fits(func(l *iplink.Links) bool { return len(l.Links) > 0 }),
		},
		{
			ID: "ip-route", Command: "ip -j route", Family: Linux, Parse: reads(iplink.ParseRoutes),
			Call: call("ip", ` r`), Asks: []Ask{{On: OnLinux, Line: "ip -j route", Limit: Normal}},
			Mark: jsonMark, Head: mark(`"dst"`), Fits: fits(func(r *iplink.Routes) bool { return len(r.Routes) > 0 }),
		},
		{
			ID: "ip-link", Command: "ip -j link", Family: Linux, Parse: reads(iplink.Parse), Counters: true, Settings: true,
			Call: call("ip"), Asks: []Ask{{On: OnLinux, Line: "ip -j -d link", Limit: Normal}},
			Mark: jsonMark, Head: mark(`"ifname"`), Not: mark(`"addr_info"`), Fits: fits(func(l *iplink.Links) bool { return len(l.Links) > 0 }),
		},
		{
			ID: "ip-addr-text", Command: "ip addr", Family: Linux, Parse: reads(iplink.ParseText), Settings: true,
			Asks: []Ask{{On: OnLinux, Of: Instead, Line: "ip -d addr", Limit: Normal}},
			Mark: mark(`^(?:\d+: \S+: <[A-Z0-9_,-]*>.* mtu \d+|[ \t]+(?:link/|inet6? |valid_lft|altname|RX:|TX:|\d+ ).*)`),
			Head: mark(`^\d+: \S+: <`),
		},
		{
			ID: "sysctl", Command: "sysctl", Family: Linux, Parse: reads(sysctl.Parse), Settings: true,
			Call: call("sysctl"), Asks: once("sysctl -e " + strings.Join(sysctls, " ")),
			Mark: mark(`^[ \t]*(?:net|kernel|vm|fs)\.[\w./-]+ ?= ?`), Start: mark(`^net\.[\w.]+ = `),
		},
		{
			ID: "proc-sys-net", Command: "grep . /proc/sys/net", Family: Linux, Parse: reads(sysfs.Parse), Settings: true, Least: 0.9,
			Asks: []Ask{{On: OnLinux, Of: Instead, Line: "grep -s . /proc/sys/" + strings.ReplaceAll(strings.Join(sysctls, " /proc/sys/"), ".", "/"),
				Limit: Quick, Partial: true}},
			Mark: mark(`^/proc/sys/\S+:`),
		},
		{
			ID: "cpuinfo", Command: "cat /proc/cpuinfo", Family: Linux, Least: 0.95,
			Asks: once(`grep -E '^(processor|cpu|model name|model|machine|platform|revision|siblings|cpu cores)[[:blank:]]*:' /proc/cpuinfo`),
			Mark: mark(`^[a-zA-Z][\w ()]*\t*\s*: ?.*$`), Head: mark(`^processor\s*:`),
		},
		{
			ID: "proc-net-snmp", Command: "cat /proc/net/snmp", Family: Linux, Parse: reads(procnet.Parse), Counters: true, Least: 0.9,
			Asks: once("cat /proc/net/snmp"), Mark: mark(`^(?:Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite): `), Not: mark(`^TcpExt: `),
		},
		{
			ID: "proc-net-netstat", Command: "cat /proc/net/netstat", Family: Linux, Parse: reads(procnet.Parse), Counters: true, Least: 0.9,
			Asks: once("cat /proc/net/netstat"), Mark: mark(`^(?:TcpExt|IpExt|MPTcpExt): `),
		},
		{
			ID: "lparcfg", Command: "cat /proc/ppc64/lparcfg", Family: Linux, Parse: reads(envfile.Parse), Least: 0.8,
			Asks: []Ask{{On: OnLinux, Of: OnPower, Line: "cat /proc/ppc64/lparcfg", Limit: Quick}}, Mark: mark(`^lparcfg \d`),
		},
		{
			ID: "proc-net-arp", Command: "cat /proc/net/arp", Family: Linux, Parse: reads(procarp.Parse),
			Mark: mark(`^IP address +HW type +Flags +HW address`),
		},
		{
			ID: "sys-class-net-list", Command: "ls /sys/class/net", Family: Linux,
			Asks: []Ask{{On: OnLinux, Of: Instead, Line: "ls /sys/class/net", Limit: Quick}},
		},
		{
			ID: "sys-class-net", Command: "grep . /sys/class/net", Family: Linux, Parse: reads(sysfs.Parse), Device: true, Settings: true,
			Least: 0.9,
			Asks:  []Ask{{On: OnLinux, Of: OfNetdev, Line: sysNet(), Limit: Quick, Partial: true}},
			Mark:  mark(`^/sys/class/net/[^/]+/\S+:`), Element: mark(`^/sys/class/net/([^/]+)/`),
		},
	}, ethtools())
}

var jsonMark = dialect.Lazy(`^\s*\[\s*\{`)

// ethtools are the outputs of ethtool, by flag; the first shows whether the
// command is there.
func ethtools() []*Entry {
	var out []*Entry
	for _, x := range []struct {
		flag, heading      string
		settings, counters bool
	}{
		{"", `Settings for (\S+):`, true, false}, {"k", `Features for (\S+):`, true, false}, {"i", `driver: `, false, false},
		{"S", `NIC statistics:`, false, true}, {"g", `Ring parameters for (\S+):`, true, false},
		{"l", `Channel parameters for (\S+):`, true, false},
		{"c", `Coalesce parameters for (\S+):`, true, false}, {"a", `Pause parameters for (\S+):`, true, false},
	} {
		id, command, args := "ethtool", "ethtool", `^[^-]*$`
		if x.flag != "" {
			id, command, args = "ethtool-"+x.flag, "ethtool -"+x.flag, `^ -`+x.flag
		}
		e := &Entry{
			ID: id, Command: command, Family: Linux, Parse: reads(ethtool.Parse), Device: true, Settings: x.settings, Counters: x.counters,
			Call: call("ethtool", args), Asks: []Ask{{On: OnLinux, Of: OfNetdev, Line: command + " {}", Limit: Quick}},
			Mark: mark(`^` + x.heading), Start: mark(`^` + x.heading), Again: true,
		}
		if strings.Contains(x.heading, "(") {
			e.Element = e.Mark
		}
		out = append(out, e)
	}
	return out
}

// sysctls are the kernel settings that bear on a path's throughput.
var sysctls = []string{
	"net.core.rmem_max", "net.core.wmem_max", "net.core.rmem_default", "net.core.wmem_default", "net.core.optmem_max",
	"net.core.netdev_max_backlog", "net.core.netdev_budget", "net.core.netdev_budget_usecs", "net.core.somaxconn",
	"net.core.default_qdisc", "net.core.busy_poll", "net.core.busy_read", "net.core.rps_sock_flow_entries",
	"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem", "net.ipv4.tcp_mem", "net.ipv4.tcp_congestion_control",
	"net.ipv4.tcp_available_congestion_control", "net.ipv4.tcp_window_scaling", "net.ipv4.tcp_timestamps",
	"net.ipv4.tcp_sack", "net.ipv4.tcp_ecn", "net.ipv4.tcp_mtu_probing", "net.ipv4.tcp_moderate_rcvbuf",
	"net.ipv4.tcp_no_metrics_save", "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_autocorking",
	"net.ipv4.tcp_limit_output_bytes", "net.ipv4.tcp_notsent_lowat", "net.ipv4.tcp_min_tso_segs",
	"net.ipv4.tcp_adv_win_scale", "net.ipv4.tcp_max_syn_backlog", "net.ipv4.udp_mem", "net.ipv4.udp_rmem_min",
	"net.ipv4.udp_wmem_min", "net.ipv4.ip_forward", "net.ipv4.ip_local_port_range",
}

// sysNet reads what the kernel shows of a netdev without ethtool. grep -s
// passes over entries that cannot be read, as speed of a port that is down.
func sysNet() string {
	line := "grep -s ."
	for _, f := range strings.Fields("address carrier duplex flags gro_flush_timeout mtu operstate speed threaded tx_queue_len type " +
		"uevent device/uevent " +
		"device/pool*/num bonding/mode bonding/xmit_hash_policy bonding/lacp_rate bonding/miimon queues/rx-*/rps_cpus statistics/*") {
		line += " /sys/class/net/{}/" + f
	}
	return line
}
