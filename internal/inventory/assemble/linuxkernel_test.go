package assemble_test

import (
	"fmt"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
)

// What the kernel says of its CPUs, its backlog, its firewall, bonds and links.
func TestLinuxKernel(t *testing.T) {
	cpus := "/sys/devices/system/cpu/"
	figure := func(name string) func(*model.Host) string {
		return func(h *model.Host) string {
			f, ok := h.Figures[name]
			if !ok {
				return "-"
			}
			return fmt.Sprint(f.Value)
		}
	}
	tunable := func(name string) func(*model.Host) string {
		return func(h *model.Host) string {
			if a := h.Tunables[name]; a != nil {
				return show(a.Running)
			}
			return "-"
		}
	}
	attrs := func(names ...string) func(*model.Host) string {
		return func(h *model.Host) string {
			var got []string
			for _, n := range names {
				got = append(got, value(h, "x0", n))
			}
			return strings.Join(got, " ")
		}
	}
	sys := "/sys/class/net/x0/"
	row := func(first string) string { return first + strings.Repeat(" 00000000", 8) + "\n" }
	for _, c := range []struct {
		name, id, device, text string
		get                    func(*model.Host) string
		want                   string
	}{
		{"CPUs in ranges", "sys-cpu", "", cpus + "online:0-3,8,16-17\n", figure(model.OnlineCPUs), "7"},
		{"one CPU", "sys-cpu", "", cpus + "online:0\n", figure(model.OnlineCPUs), "1"},
		{"a range that falls", "sys-cpu", "", cpus + "online:3-0\n", figure(model.OnlineCPUs), "-"},
		{"no list", "sys-cpu", "", cpus + "online:all\n", figure(model.OnlineCPUs), "-"},
		{"governor", "sys-cpu", "", cpus + "cpu0/cpufreq/scaling_governor:schedutil\n", tunable("cpufreq.scaling_governor"), "schedutil"},
		{"no clock to set", "sys-cpu", "", cpus + "online:0-1\n", tunable("cpufreq.scaling_governor"), "-"},
		{"the deepest idle state", "sys-cpu", "", cpus + "cpu0/cpuidle/state0/name:POLL\n" + cpus + "cpu0/cpuidle/state0/latency:0\n" +
			cpus + "cpu0/cpuidle/state0/disable:0\n" + cpus + "cpu0/cpuidle/state1/name:C1\n" + cpus + "cpu0/cpuidle/state1/latency:2\n" +
			cpus + "cpu0/cpuidle/state1/disable:0\n" + cpus + "cpu0/cpuidle/state2/name:C6\n" + cpus + "cpu0/cpuidle/state2/latency:133\n" +
			cpus + "cpu0/cpuidle/state2/disable:1\n", figure(model.IdleLatency), "2"},
		{"an idle state that may be disabled", "sys-cpu", "", cpus + "cpu0/cpuidle/state2/latency:133\n", figure(model.IdleLatency), "-"},
		{"netstat -s", "netstat-s-linux", "", "Tcp:\n    7 segments retransmitted\n",
			func(h *model.Host) string { return fmt.Sprint(h.Protocols) }, "map[Tcp.RetransSegs:7]"},
		{"netstat -s is named", "netstat-s-linux", "", "Tcp:\n    7 segments retransmitted\n",
			func(h *model.Host) string { return h.ProtocolsBy }, "netstat-s-linux"},
		{"the kernel's table is not", "proc-net-snmp", "", "Tcp: InSegs RetransSegs\nTcp: 9 7\n",
			func(h *model.Host) string { return h.ProtocolsBy }, ""},
		{"tracked connections", "sysctl", "", "net.netfilter.nf_conntrack_count = 812\nnet.netfilter.nf_conntrack_max = 262144\n",
			figure(model.Conntrack), "812"},
		{"which nobody sets", "sysctl", "", "net.netfilter.nf_conntrack_count = 812\nnet.netfilter.nf_conntrack_max = 262144\n",
			func(h *model.Host) string { return fmt.Sprint(len(h.Tunables)) }, "1"},
		{"not a number", "sysctl", "", "net.netfilter.nf_conntrack_count = many\n", figure(model.Conntrack), "-"},
		{"backlog", "softnet-stat", "", row("0000000a 00000002 00000001") + row("00000001 00000003 00000000"),
			func(h *model.Host) string { return fmt.Sprint(h.Protocols) }, "map[softnet.busiest:10 softnet.dropped:5 softnet.flow_limit:0 softnet.processed:11 softnet.time_squeeze:1]"},
		{"interrupts of both nodes", "irq-affinity", "x0", sys + "device/numa_node:0\n" + sys + "device/local_cpulist:0-3,8-11\n" +
			"/proc/irq/40/effective_affinity_list:2\n/proc/irq/41/effective_affinity_list:9\n/proc/irq/42/effective_affinity_list:4-7\n",
			attrs("irqs", "irqs-off-node", "irqs-cpu"), "3 1 several"},
		{"a machine of one node", "irq-affinity", "x0", sys + "device/numa_node:-1\n" + sys + "device/local_cpulist:0-3\n" +
			"/proc/irq/40/effective_affinity_list:9\n", attrs("irqs", "irqs-off-node", "irqs-cpu"), "1 0 9"},
		{"interrupts of one CPU", "irq-affinity", "x0", "/proc/irq/40/effective_affinity_list:0\n/proc/irq/41/effective_affinity_list:0\n",
			attrs("irqs-cpu"), "0"},
		{"interrupts of many", "irq-affinity", "x0", "/proc/irq/40/effective_affinity_list:0-3\n/proc/irq/41/effective_affinity_list:0-3\n",
			attrs("irqs-cpu"), "several"},
		{"no interrupt of its own", "irq-affinity", "x0", sys + "device/numa_node:0\n" + sys + "device/local_cpulist:0-3\n",
			attrs("irqs", "irqs-off-node"), "- -"},
		{"a list that is none", "irq-affinity", "x0", sys + "device/numa_node:0\n" + sys + "device/local_cpulist:0-3\n" +
			"/proc/irq/40/effective_affinity_list:\n", attrs("irqs"), "-"},
		{"a saved bond", "proc-net-bonding", "x0", "Ethernet Channel Bonding Driver: v6.1.0\n\nBonding Mode: fault-tolerance (active-backup)\n" +
			"Primary Slave: eth1 (primary_reselect always)\nCurrently Active Slave: eth2\nMII Status: up\nMII Polling Interval (ms): 0\n",
			attrs("bonding-mode", "primary", "active_slave", "miimon"), "active-backup eth1 eth2 0"},
		{"LACP", "sys-class-net", "x0", sys + "bonding/mode:802.3ad 4\n" + sys + "bonding/ad_partner_mac:00:00:00:00:00:00\n" +
			sys + "bonding/ad_num_ports:1\n" + sys + "bonding/arp_interval:0\n",
			attrs("bonding-mode", "ad_partner_mac", "ad_num_ports", "arp_interval", "primary"), "802.3ad 00:00:00:00:00:00 1 0 -"},
		{"a backup", "sys-class-net", "x0", sys + "bonding/mode:active-backup 1\n" + sys + "bonding/primary:eth0\n" + sys + "bonding/active_slave:eth1\n",
			attrs("primary", "active_slave"), "eth0 eth1"},
		{"link changes", "sys-class-net", "x0", sys + "carrier_changes:7\n",
			func(h *model.Host) string { return fmt.Sprint(h.Elements["x0"].Counters) }, "map[carrier_changes:7]"},
		{"duplex from sysfs", "sys-class-net", "x0", sys + "duplex:half\n", attrs("duplex"), "half"},
		{"unknown duplex", "sys-class-net", "x0", sys + "duplex:unknown\n" + sys + "mtu:1500\n", attrs("duplex"), "-"},
		{"duplex from ethtool", "ethtool", "x0", "Settings for x0:\n\tDuplex: Full\n", attrs("duplex"), "full"},
		{"no duplex", "ethtool", "x0", "Settings for x0:\n\tDuplex: Unknown! (255)\n", attrs("duplex"), "-"},
		{"adaptive", "ethtool-c", "x0", "Coalesce parameters for x0:\nAdaptive RX: on  TX: off\nrx-usecs: 8\n", attrs("adaptive-rx", "coalescing"), "on 8"},
		{"adaptive not there", "ethtool-c", "x0", "Coalesce parameters for x0:\nAdaptive RX: n/a  TX: n/a\nrx-usecs: n/a\n",
			attrs("adaptive-rx", "coalescing"), "- -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.get(host(model.Linux, text(c.id, c.device, c.text))); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
