package collect

import "strings"

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

// linuxBase is what every Linux host is asked.
func linuxBase() []Item {
	return []Item{
		{ID: UnameA, Line: "uname -a", Limit: quick},
		{ID: OSRelease, Line: "cat /etc/os-release", Limit: quick},
		{ID: IPLink, Line: "ip -j -d link", Limit: normal},
		{ID: IPAddr, Line: "ip -j -d addr", Limit: normal},
		{ID: IPRoute, Line: "ip -j route", Limit: normal},
		{ID: Sysctl, Line: "sysctl -e " + strings.Join(sysctls, " "), Limit: quick},
		{ID: CPUInfo, Line: `grep -E '^(processor|cpu|model name|model|machine|platform|revision|siblings|cpu cores)[[:blank:]]*:' /proc/cpuinfo`, Limit: quick},
		{ID: ProcNetSNMP, Line: "cat /proc/net/snmp", Limit: quick},
		{ID: ProcNetNetstat, Line: "cat /proc/net/netstat", Limit: quick},
	}
}

// procSysNet reads the same settings where there is no sysctl command.
func procSysNet() Item {
	var files []string
	for _, s := range sysctls {
		files = append(files, "/proc/sys/"+strings.ReplaceAll(s, ".", "/"))
	}
	return Item{ID: ProcSysNet, Line: "grep -s . " + strings.Join(files, " "), Limit: quick, Partial: true}
}

// ipAddrText is for levels of ip without JSON: RHEL 7, SLES 12.
func ipAddrText() Item { return Item{ID: IPAddrText, Line: "ip -d addr", Limit: normal} }

func sysNetList() Item { return Item{ID: SysNetList, Line: "ls /sys/class/net", Limit: quick} }

func lparcfg() Item {
	return Item{ID: Lparcfg, Line: "cat /proc/ppc64/lparcfg", Limit: quick}
}

func ethtool(name string) []Item {
	var out []Item
	for _, c := range []struct{ id, flag string }{
		{Ethtool, ""}, {EthtoolK, "-k "}, {EthtoolI, "-i "}, {EthtoolS, "-S "},
		{EthtoolG, "-g "}, {EthtoolL, "-l "}, {EthtoolC, "-c "}, {EthtoolA, "-a "},
	} {
		out = append(out, Item{ID: c.id, Element: name, Line: "ethtool " + c.flag + name, Limit: quick})
	}
	return out
}

// sysNet reads what the kernel shows of a netdev without ethtool. Unreadable
// entries (speed of a port that is down) are passed over by -s.
func sysNet(name string) Item {
	d := "/sys/class/net/" + name + "/"
	var files []string
	for _, f := range []string{"address", "carrier", "duplex", "flags", "gro_flush_timeout", "mtu", "operstate", "speed", "threaded", "tx_queue_len", "type", "uevent", "device/uevent",
		"device/pool*/num", "bonding/mode", "bonding/xmit_hash_policy", "bonding/lacp_rate", "bonding/miimon",
		"queues/rx-*/rps_cpus", "statistics/*"} {
		files = append(files, d+f)
	}
	return Item{ID: SysNet, Element: name, Line: "grep -s . " + strings.Join(files, " "), Limit: quick, Partial: true}
}
