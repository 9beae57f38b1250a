package registry

import (
	"seaworthy/dialect/linux/ethtool"
	"seaworthy/dialect/linux/uname"
)

// recognised are outputs that feed nothing. They are listed for what they are,
// and not taken for something else. Most have no codec: then the mark must be
// on most of their lines, or an unmistakable heading on the first.
func recognised() []*Entry {
	out := []*Entry{
		{
			ID: "uname-a", Command: "uname -a", Family: Linux, Parse: reads(uname.Parse), Least: 0.9,
			Mark: mark(`^Linux \S+ \d+\.\d+\S* .*$`), Host: mark(`^Linux (\S+) \d`), HostFrom: "node name of uname -a",
		},
		{ // statistics that lost their title
			ID: "ethtool-S", Command: "ethtool -S", Family: Linux, Parse: reads(ethtool.Parse), Device: true, Counters: true, Least: 0.95,
			Mark: mark(`^[ \t]*[a-z\[][^:]*(?::[^:\d]*)?: \d+[ \t]*$`), Not: mark(`^NIC statistics:`),
		},
		{
			ID: "fcstat", Command: "fcstat", Family: AIX, Repeats: true, Device: true, Call: call("fcstat"),
			Mark: mark(`.`), Head: mark(`\A\s*FIBRE CHANNEL STATISTICS REPORT`), Not: mark(`^ETHERNET STATISTICS`), Element: mark(`REPORT: (\S+)`),
		},
		{ID: "hostname", Command: "hostname", Call: call("hostname")},
	}
	for _, x := range []struct {
		family            Family
		id, command, head string
		mark              string // empty: the heading says it all
		least             float64
	}{
		{AIX, "mpstat", "mpstat", `^(?:System configuration: lcpu=|cpu +(?:min|cs) )`,
			`^(?:System configuration: lcpu=|cpu +(?:min|cs) |[ \t]*(?:\d+|U|ALL)(?:[ \t]+(?:[\d.]+|-)){8,}[ \t]*$|-{10,}$)`, 0},
		{AIX, "mpstat", "mpstat -v", `^vcpu +lcpu `, ``, 0},
		{AIX, "vmstat", "vmstat", `^(?:System configuration: lcpu=\S+ mem=|kthr +memory| r +b +avm| *\d+ (?:total address trans|memory pages))`,
			`^(?:System configuration: lcpu=\S+ mem=|kthr +memory| r +b +avm|[ \t]*\d+ [a-z][A-Za-z /-]*$|[\d. ]+(?:total|percentage|pages?|pins?|` +
				`filesystem|paging|client|external|pending|file|large|memory|disk|compressed)\b.*$)`, 0},
		{AIX, "vmstat", "vmstat -I", `^ +kthr +memory +page +faults +cpu`, ``, 0},
		{AIX, "lssrad", "lssrad", `^REF1 +SRAD`, `^(?:REF1 +SRAD|\d+$|[ \t]+\d+ +\d+\.\d+ )`, 0.9},
		{VIOS, "lsseas", "lsseas", `^running lssea on `, ``, 0},
		{AIX, "lsmcode", "lsmcode", ``, `^(?:sys\d+!system:\S+|[a-z]+\d+!\S+\.\S+)`, 0.8},
		{AIX, "smtctl", "smtctl", `\A\s*This system (?:is SMT capable|supports up to)`, ``, 0},
		{AIX, "netstat-an", "netstat -an", `\A\s*Active Internet connections|\A\s*(?:PCB/ADDR +)?Proto +Recv-Q +Send-Q`, ``, 0},
		{HMC, "hmc-lshmc", "lshmc -V", ``, `^[ \t]*"?(?:Version|Release|Service Pack|Build level|HMC Build level|base_version|MH\d+)\b`, 0.8},
		{HMC, "hmc-lshwres-io", "lshwres -r io --rsubtype slot", ``, `^U[0-9A-Z]{4}\.\w+\.\w+-P\d+[\w-]*,[0-9A-F]{8},`, 0.8},
		{HMC, "hmc-lpar-netboot", "lpar_netboot", `\A\s*# Connecting to `, ``, 0},
		{Any, "iperf", "iperf", `^(?:Client connecting to|Server listening on) .*\b(?:TCP|UDP) port \d`, ``, 0},
		{Linux, "dmesg", "dmesg", ``, `^(?:\[ *\d+(?:\.\d+)?\] |ibmv(?:nic|eth) [0-9a-f]+(?: \w+)?: )`, 0.6},
		{Linux, "ethtool-S", "ethtool -S", ``, `^no stats available$`, 1},
		{Linux, "ethtool-m", "ethtool -m", `\A\s*Identifier +: 0x`, ``, 0},
		{Linux, "bridge-vlan", "bridge vlan", `\A\s*port[ \t]+vlan`, ``, 0},
		{Linux, "bridge-link", "bridge link", ``, `^\d+: \S+: <[A-Z0-9_,-]*> mtu \d+ master \S+|^[ \t]+hairpin o`, 0.9},
		{Linux, "ifconfig-linux", "ifconfig -a (Linux)", `\A\s*\S+ +Link encap:|\A\s*\S+: flags=\d+<[^>]*> +mtu `, ``, 0},
		{Linux, "lparstat-linux", "lparstat (Linux)", `\A\s*System Configuration\ntype=`, ``, 0},
		{Linux, "lscpu", "lscpu", `^CPU\(s\): +\d+$`, `^[A-Z][\w() /-]*:(?: +\S|[ \t]*$)|^#|^\d+(?:,[\d-]*)+$`, 0.9},
		{Linux, "netstat-i-linux", "netstat -i (Linux)", `\A\s*Kernel Interface table|\A\s*Iface +MTU`, ``, 0},
		{Linux, "netstat-s-linux", "netstat -s (Linux)", `^(?:Ip|Tcp|Udp):[ \t]*$`, `^(?:[A-Z][A-Za-z0-9]+:|[ \t]+\S.*)[ \t]*$`, 0.9},
		{Linux, "nmcli", "nmcli device", `\A\s*(?:DEVICE +TYPE +STATE|GENERAL\.DEVICE:)`, ``, 0},
		{Linux, "nstat", "nstat", `\A\s*#kernel`, `^(?:#|[A-Z]\w+ +\d+ +[\d.]+[ \t]*$)`, 0.9},
		{Linux, "numactl", "numactl --hardware", `\A\s*available: \d+ nodes`, ``, 0},
		{Linux, "ovs-appctl", "ovs-appctl bond/show", `\A\s*---- \S+ ----\nbond_mode: |^ovs-appctl: `, ``, 0},
		{Linux, "ovs-ofctl", "ovs-ofctl", `\A\s*OFPST_\w+ reply`, ``, 0},
		{Linux, "ovs-vsctl", "ovs-vsctl show", `\A\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n {4}(?:Manager|Bridge) `, ``, 0},
		{Linux, "proc-interrupts", "cat /proc/interrupts", `\A +CPU0\b`, `^[ \t]*(?:CPU0|\w+:[ \t]+\d)`, 0.9},
		{Linux, "proc-net-bonding", "cat /proc/net/bonding", `\A\s*Ethernet Channel Bonding Driver:`, ``, 0},
		{Linux, "proc-net-dev", "cat /proc/net/dev", `\A\s*Inter-\| +Receive`, ``, 0},
		{Linux, "softnet-stat", "cat /proc/net/softnet_stat", ``, `^(?:[0-9a-f]{8}[ \t]*){9,}$`, 1},
		{Linux, "ss", "ss", `\A\s*(?:Netid +)?State +Recv-Q +Send-Q`, ``, 0},
		{Linux, "tc-qdisc", "tc -s qdisc", `\A\s*qdisc \w+ \w+: `, ``, 0},
	} {
		e := &Entry{ID: x.id, Command: x.command, Family: x.family, Mark: mark(`.`), Least: x.least}
		if x.mark != "" {
			e.Mark = mark(x.mark)
		}
		if x.head != "" {
			e.Head = mark(x.head)
		}
		e.Repeats = x.id == "lsmcode"
		if x.family == AIX {
			e.Call = call(x.id)
		}
		out = append(out, e)
	}
	return out
}
