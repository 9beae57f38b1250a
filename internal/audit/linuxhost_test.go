package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// linuxHost is a Linux host that says what the commands of collect print: as
// Debian 12 sets a host up that has one port of 25 Gbit/s, one virtual adapter of
// a Power partition, a bond of two ports and a bridge for guests.
type linuxHost struct {
	nics      map[string]*nic
	sysctl    map[string]string
	snmp      map[string]map[string]int // the tables of /proc/net/snmp and netstat
	softnet   [3]int                    // processed, dropped, squeezed
	boot      []string                  // of files that are read at boot
	governor  string
	clockedBy string
	machine   map[string]string // of the virtual machine on vnet0: model, driver, vcpu
	offload   string            // hw-offload of Open vSwitch, which then br0 is; empty: a bridge of Linux
}

type nic struct {
	driver, kind, master, address string
	mtu, txqueue, speed           int
	duplex                        string
	off                           []string // features that are off
	ring, mostRing                int
	queues, mostQueues            int
	usecs                         int
	timer, deferred               int // gro_flush_timeout, napi_defer_hard_irqs
	adaptive                      string
	statistics                    map[string]int // /sys/class/net
	driverCounters                map[string]int // ethtool -S
	carrierChanges                int
	irqs, offNode                 int // its interrupts, and those on the other NUMA node
	bonding                       map[string]string
}

func port(driver string, speed int) *nic {
	return &nic{driver: driver, mtu: 1500, txqueue: 1000, speed: speed, duplex: "full", off: []string{"large-receive-offload", "hw-tc-offload"},
		irqs: 16, ring: 1024, mostRing: 8192, queues: 8, mostQueues: 8, usecs: 8, adaptive: "on", carrierChanges: 2, statistics: map[string]int{
			"rx_packets": 90000000, "tx_packets": 70000000, "rx_missed_errors": 0, "rx_fifo_errors": 0, "rx_crc_errors": 0,
			"rx_length_errors": 0, "tx_dropped": 0, "collisions": 0}}
}

func debian() *linuxHost {
	h := &linuxHost{nics: map[string]*nic{}, governor: "schedutil", clockedBy: "acpi-cpufreq", softnet: [3]int{90000000, 0, 20},
		boot: []string{"/proc/1/comm:systemd", "/sys/class/net/eth0/ifindex:2", "/etc/network/interfaces:iface eth0 inet static",
			"/usr/lib/sysctl.d/50-default.conf:net.core.default_qdisc = fq_codel", "/etc/sysctl.conf:net.ipv4.ip_forward=1"},
		sysctl: map[string]string{
			"net.core.rmem_max": "212992", "net.core.wmem_max": "212992", "net.core.netdev_max_backlog": "1000", "net.core.netdev_budget": "300",
			"net.core.somaxconn": "4096", "net.core.default_qdisc": "fq_codel", "net.ipv4.tcp_rmem": "4096\t131072\t6291456",
			"net.ipv4.tcp_wmem": "4096\t16384\t4194304", "net.ipv4.tcp_congestion_control": "cubic", "net.ipv4.tcp_window_scaling": "1",
			"net.ipv4.tcp_timestamps": "1", "net.ipv4.tcp_sack": "1", "net.ipv4.tcp_mtu_probing": "0", "net.ipv4.tcp_moderate_rcvbuf": "1",
			"net.ipv4.ip_forward": "0", "net.netfilter.nf_conntrack_count": "812", "net.netfilter.nf_conntrack_max": "262144"},
		snmp: map[string]map[string]int{
			"Ip":  {"InReceives": 80000000, "ReasmReqds": 1000, "ReasmFails": 0},
			"Tcp": {"PassiveOpens": 400000, "InSegs": 70000000, "OutSegs": 90000000, "RetransSegs": 300},
			"Udp": {"InDatagrams": 9000000, "RcvbufErrors": 0},
			"TcpExt": {"ListenOverflows": 0, "ListenDrops": 0, "RcvPruned": 0, "OfoPruned": 0, "PruneCalled": 0, "TCPMemoryPressures": 0,
				"TCPAbortOnMemory": 0, "TCPReqQFullDoCookies": 0, "TCPReqQFullDrop": 0, "TCPBacklogDrop": 0, "TCPTimeouts": 20,
				"TCPOFOQueue": 900, "TCPLossProbes": 100, "TCPSpuriousRTOs": 0},
		}}
	eth0, eth1 := port("mlx5_core", 25000), port("ibmveth", 1000)
	eth0.address, eth1.address = "192.0.2.10/24", "198.51.100.10/24"
	eth0.driverCounters = map[string]int{"rx_out_of_buffer": 0, "rx_prio0_pause": 0, "rx_prio3_pause": 0}
	eth1.irqs = 0
	eth1.queues = 0
	eth1.mostQueues = 0
	eth1.ring = 0
	eth1.mostRing = 0
	eth1.adaptive = ""
	eth1.driverCounters = map[string]int{"replenish_no_mem": 0, "replenish_add_buff_failure": 0, "rx_no_buffer": 0, "tx_map_failed": 0,
		"tx_send_failed": 0}
	h.nics["eth0"], h.nics["eth1"] = eth0, eth1
	for _, name := range []string{"eth2", "eth3"} {
		h.nics[name] = port("i40e", 10000)
		h.nics[name].master = "bond0"
	}
	h.nics["bond0"] = &nic{driver: "bonding", kind: "bond", address: "203.0.113.10/24", mtu: 1500, txqueue: 1000, bonding: map[string]string{
		"mode": "802.3ad 4", "xmit_hash_policy": "layer3+4 1", "lacp_rate": "slow 0", "miimon": "100", "arp_interval": "0",
		"ad_partner_mac": "02:00:00:00:09:01", "ad_num_ports": "2"}}
	h.nics["eth4"] = port("tg3", 1000)
	h.nics["eth4"].master = "br0"
	h.nics["br0"] = &nic{driver: "bridge", kind: "bridge", address: "10.9.0.1/24", mtu: 1500, txqueue: 1000}
	h.nics["vnet0"] = &nic{driver: "tun", kind: "tun", master: "br0", mtu: 1500, txqueue: 1000}
	h.machine = map[string]string{"model": "<model type='virtio'/>", "driver": "", "vcpu": "1"}
	return h
}

var features = []string{"hw-tc-offload", "rx-checksumming", "tx-checksumming", "scatter-gather", "tcp-segmentation-offload",
	"generic-segmentation-offload", "generic-receive-offload", "large-receive-offload"}

// read is the host as audit sees it.
func (h *linuxHost) read() *model.Host {
	var out []assemble.Output
	say := func(id, element, text string) {
		out = append(out, assemble.Output{ID: id, Element: element, Command: id + " " + element, Text: []byte(text)})
	}
	var links, addresses []string
	for _, name := range slices.Sorted(maps.Keys(h.nics)) {
		n := h.nics[name]
		more := ""
		if n.master != "" {
			more = fmt.Sprintf(`,"master":%q`, n.master)
		}
		if n.kind != "" {
			more += fmt.Sprintf(`,"linkinfo":{"info_kind":%q}`, n.kind)
		}
		link := fmt.Sprintf(`{"ifname":%q,"flags":["UP","LOWER_UP"],"mtu":%d,"txqlen":%d,"link_type":"ether"%s`, name, n.mtu, n.txqueue, more)
		links = append(links, link+"}")
		if ip, length, ok := strings.Cut(n.address, "/"); ok {
			link += fmt.Sprintf(`,"addr_info":[{"family":"inet","local":%q,"prefixlen":%s,"scope":"global"}]`, ip, length)
		}
		addresses = append(addresses, link+"}")
		say("ethtool-i", name, "driver: "+n.driver+"\nversion: 6.1.0\n")
		files := fmt.Sprintf("mtu:%d\ntx_queue_len:%d\ncarrier_changes:%d\ngro_flush_timeout:%d\nnapi_defer_hard_irqs:%d\n", n.mtu, n.txqueue,
			n.carrierChanges, n.timer, n.deferred)
		for _, file := range slices.Sorted(maps.Keys(n.bonding)) {
			files += "bonding/" + file + ":" + n.bonding[file] + "\n"
		}
		for _, counter := range slices.Sorted(maps.Keys(n.statistics)) {
			files += fmt.Sprintf("statistics/%s:%d\n", counter, n.statistics[counter])
		}
		at := "/sys/class/net/" + name + "/"
		say("sys-class-net", name, at+strings.ReplaceAll(strings.TrimSuffix(files, "\n"), "\n", "\n"+at)+"\n")
		if n.kind != "" && n.kind != "tun" {
			continue
		}
		text := "Features for " + name + ":\n"
		for _, f := range features {
			state := "on"
			if slices.Contains(n.off, f) {
				state = "off"
			}
			text += f + ": " + state + "\n"
		}
		say("ethtool-k", name, text)
		if n.kind != "" {
			continue
		}
		duplex := strings.ToUpper(n.duplex[:1]) + n.duplex[1:]
		say("ethtool", name, fmt.Sprintf("Settings for %s:\n\tSpeed: %dMb/s\n\tDuplex: %s\n\tLink detected: yes\n", name, n.speed, duplex))
		if n.irqs > 0 {
			text := at + "device/numa_node:0\n" + at + "device/local_cpulist:0-7\n"
			for i := range n.irqs {
				cpu := i % 8
				if i < n.offNode {
					cpu += 8
				}
				text += fmt.Sprintf("/proc/irq/%d/effective_affinity_list:%d\n", 100+i, cpu)
			}
			say("irq-affinity", name, text)
		}
		if n.mostRing > 0 {
			say("ethtool-g", name, fmt.Sprintf("Ring parameters for %s:\nPre-set maximums:\nRX:\t\t%d\nTX:\t\t%d\n"+
				"Current hardware settings:\nRX:\t\t%d\nTX:\t\t%d\n", name, n.mostRing, n.mostRing, n.ring, n.ring))
			say("ethtool-l", name, fmt.Sprintf("Channel parameters for %s:\nPre-set maximums:\nRX:\t\tn/a\nTX:\t\tn/a\n"+
				"Other:\t\tn/a\nCombined:\t%d\n"+
				"Current hardware settings:\nRX:\t\tn/a\nTX:\t\tn/a\nOther:\t\tn/a\nCombined:\t%d\n", name, n.mostQueues, n.queues))
			say("ethtool-c", name, fmt.Sprintf("Coalesce parameters for %s:\nAdaptive RX: %s  TX: off\nrx-usecs:\t%d\n", name, n.adaptive, n.usecs))
		}
		text = "NIC statistics:\n"
		for _, counter := range slices.Sorted(maps.Keys(n.driverCounters)) {
			text += fmt.Sprintf("     %s: %d\n", counter, n.driverCounters[counter])
		}
		say("ethtool-S", name, text)
	}
	say("ip-link", "", "["+strings.Join(links, ",")+"]\n")
	say("ip-addr", "", "["+strings.Join(addresses, ",")+"]\n")
	text := ""
	for _, name := range slices.Sorted(maps.Keys(h.sysctl)) {
		text += name + " = " + h.sysctl[name] + "\n"
	}
	say("sysctl", "", text)
	say("virsh-dumpxml", "", fmt.Sprintf("<domain type='kvm' id='1'>\n  <name>web</name>\n  <vcpu placement='static'>%s</vcpu>\n  <devices>\n"+
		"    <interface type='bridge'>\n      <mac address='52:54:00:00:00:01'/>\n      <source bridge='br0'/>\n      <target dev='vnet0'/>\n"+
		"      %s%s\n    </interface>\n  </devices>\n</domain>\n", h.machine["vcpu"], h.machine["model"], h.machine["driver"]))
	if h.offload != "" {
		say("ovs-vsctl-list", "", fmt.Sprintf(`{"data":[["3.1.0",["map",[["hw-offload",%q]]]]],"headings":["ovs_version","other_config"]}`, h.offload)+"\n"+
			`{"data":[["br0",["set",[["uuid","a"],["uuid","b"]]]]],"headings":["name","ports"]}`+"\n"+
			`{"data":[[["uuid","a"],"eth4",["uuid","c"]],[["uuid","b"],"vnet0",["uuid","d"]]],"headings":["_uuid","name","interfaces"]}`+"\n"+
			`{"data":[[["uuid","c"],"eth4","","up"],[["uuid","d"],"vnet0","","up"]],"headings":["_uuid","name","type","link_state"]}`+"\n")
	}
	say("boot-files", "", strings.Join(h.boot, "\n")+"\n")
	say("proc-net-snmp", "", h.tables("Ip", "Tcp", "Udp"))
	say("proc-net-netstat", "", h.tables("TcpExt"))
	say("softnet-stat", "", fmt.Sprintf("%08x %08x %08x%s\n", h.softnet[0], h.softnet[1], h.softnet[2], strings.Repeat(" 00000000", 10)))
	cpu := "/sys/devices/system/cpu/"
	say("sys-cpu", "", cpu+"online:0-15\n"+cpu+"cpu0/cpufreq/scaling_driver:"+h.clockedBy+"\n"+
		cpu+"cpu0/cpufreq/scaling_governor:"+h.governor+"\n")
	return assemble.Host(assemble.About{Name: "deb1", Platform: model.Linux, User: "root"}, out)
}

func (h *linuxHost) tables(names ...string) (text string) {
	for _, table := range names {
		head, values := table+":", table+":"
		for _, key := range slices.Sorted(maps.Keys(h.snmp[table])) {
			head += " " + key
			values += fmt.Sprintf(" %d", h.snmp[table][key])
		}
		text += head + "\n" + values + "\n"
	}
	return text
}
