package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
)

// planting is one wrong setting or one fault of a Linux host, drawn by a seed.
type planting struct {
	name string
	make func(*rand.Rand, *linuxHost) (at string) // the element that a finding must name
	rule string
	// What is measured, as collect does between hosts that it reads together.
	facts map[string]float64
}

func some[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// between is a number of a range; small ones are as frequent as large ones.
func between(r *rand.Rand, low, high int) int {
	n := low
	for n < high && r.IntN(3) > 0 {
		n += 1 + r.IntN(n+1)
	}
	return min(n, high)
}

var (
	fast = []string{"eth0", "eth2", "eth3"}
	all  = []string{"eth0", "eth1", "eth2", "eth3", "eth4"}
	real = []string{"eth0", "eth2", "eth3", "eth4"}
)

func feature(name string) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		at := some(r, all...)
		h.nics[at].off = append(h.nics[at].off, name)
		return at
	}
}

func sysctl(name string, values ...string) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		h.sysctl[name] = some(r, values...)
		return "sysctl"
	}
}

// machine changes an element of the virtual machine's XML.
func machine(element string, values ...string) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		h.machine[element] = some(r, values...)
		return "vnet0"
	}
}

// grows raises counters of a protocol by a share of its traffic.
func grows(table, counter, of string, least float64) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		h.snmp[table][counter] += int(float64(traffic(h, of))*least) + between(r, 12, 5000)
		return "host"
	}
}

// traffic returns what passes between the two readings, of each counter of packets.
func traffic(h *linuxHost, of string) int {
	table, key, _ := strings.Cut(of, ".")
	return h.snmp[table][key] / 10
}

func drops(ports []string, counters map[string]bool) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		at := some(r, ports...)
		n := h.nics[at]
		for counter, ofDriver := range counters {
			if _, ok := n.driverCounters[counter]; ofDriver && ok {
				n.driverCounters[counter] += between(r, 12, 5000)
				return at
			}
		}
		for counter, ofDriver := range counters {
			if !ofDriver {
				n.statistics[counter] += n.statistics["tx_packets"]/10/2000 + between(r, 12, 5000)
			}
		}
		return at
	}
}

func bond(file string, values ...string) func(*rand.Rand, *linuxHost) string {
	return func(r *rand.Rand, h *linuxHost) string {
		h.nics["bond0"].bonding[file] = some(r, values...)
		return "bond0"
	}
}

var long = map[string]float64{"deb1 rtt_ms": 30, "deb1 line_mbit": 10000}

var plantings = []planting{
	{name: "TSO off", make: feature("tcp-segmentation-offload"), rule: "R110"},
	{name: "GRO off", make: feature("generic-receive-offload"), rule: "R110"},
	{name: "transmit checksums off", rule: "R110", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, all...) // the kernel takes TSO with it
		h.nics[at].off = append(h.nics[at].off, "tx-checksumming", "tcp-segmentation-offload", "generic-segmentation-offload")
		return at
	}},
	{name: "scatter-gather off", rule: "R110", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, all...)
		h.nics[at].off = append(h.nics[at].off, "scatter-gather", "tcp-segmentation-offload", "generic-segmentation-offload")
		return at
	}},
	{name: "receive checksums off", make: feature("rx-checksumming"), rule: "R147"},
	{name: "GSO off", make: feature("generic-segmentation-offload"), rule: "R148"},
	{name: "LRO on a router", rule: "R146", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, all...)
		h.sysctl["net.ipv4.ip_forward"] = "1"
		h.nics[at].off = nil
		return at
	}},
	{name: "LRO below a bridge", rule: "R146", make: func(_ *rand.Rand, h *linuxHost) string { h.nics["eth4"].off = nil; return "eth4" }},
	{name: "half duplex", rule: "R149", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, real...)
		h.nics[at].duplex = "half"
		return at
	}},
	{name: "100 Mbit/s", rule: "R150", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, real...)
		h.nics[at].speed = some(r, 10, 100)
		return at
	}},
	{name: "short transmit queue", rule: "R151", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, all...)
		h.nics[at].txqueue = between(r, 1, 200)
		return at
	}},
	{name: "one queue of many", rule: "R152", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, real...)
		h.nics[at].queues = 1
		return at
	}},
	{name: "an interrupt a packet", rule: "R167", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, fast...)
		h.nics[at].usecs, h.nics[at].adaptive = 0, "off"
		return at
	}},
	{name: "late interrupts", rule: "R168", facts: map[string]float64{"deb1 latency_critical": 1},
		make: func(r *rand.Rand, h *linuxHost) string {
			at := some(r, fast...)
			h.nics[at].usecs = between(r, 60, 1000)
			return at
		}},
	{name: "a timer instead of interrupts", rule: "R168", facts: map[string]float64{"deb1 latency_critical": 1},
		make: func(r *rand.Rand, h *linuxHost) string {
			at := some(r, append([]string{"eth1"}, fast...)...)
			h.nics[at].timer, h.nics[at].deferred = between(r, 60000, 1000000), between(r, 1, 100)
			return at
		}},
	{name: "rings overrun", make: drops(real, map[string]bool{"rx_missed_errors": false}), rule: "R115"},
	{name: "receive FIFO overruns", make: drops(real, map[string]bool{"rx_fifo_errors": false}), rule: "R115"},
	{name: "out of buffers, as the driver counts", make: drops([]string{"eth0"}, map[string]bool{"rx_out_of_buffer": true}), rule: "R115"},
	{name: "pools of ibmveth empty", make: drops([]string{"eth1"}, map[string]bool{"rx_no_buffer": true}), rule: "R111"},
	{name: "ibmveth without memory", make: drops([]string{"eth1"}, map[string]bool{"replenish_no_mem": true}), rule: "R111"},
	{name: "the hypervisor refuses", make: drops([]string{"eth1"}, map[string]bool{"tx_send_failed": true}), rule: "R156"},
	{name: "transmit drops", make: drops(real, map[string]bool{"tx_dropped": false}), rule: "R154"},
	{name: "frames too long", make: drops(real, map[string]bool{"rx_length_errors": false}), rule: "R155"},
	{name: "damaged frames", make: drops(real, map[string]bool{"rx_crc_errors": false}), rule: "R120"},
	{name: "collisions", make: drops(real, map[string]bool{"collisions": false}), rule: "R121"},
	{name: "a link that comes and goes", rule: "R153", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, real...)
		h.nics[at].carrierChanges += 2 * between(r, 1, 20)
		return at
	}},
	{name: "a bridge's port with a smaller MTU", rule: "R162", make: func(r *rand.Rand, h *linuxHost) string {
		h.nics["br0"].mtu = some(r, 4000, 9000)
		return "br0"
	}},
	{name: "a machine's MTU above its bridge's", rule: "R193", make: func(r *rand.Rand, h *linuxHost) string {
		h.nics["vnet0"].mtu = some(r, 4000, 9000)
		return "vnet0"
	}},
	{name: "a tap device without segmentation", rule: "R201", make: func(_ *rand.Rand, h *linuxHost) string {
		h.nics["vnet0"].off = append(h.nics["vnet0"].off, "tcp-segmentation-offload")
		return "vnet0"
	}},
	{name: "an emulated adapter", rule: "R190", make: machine("model", "<model type='e1000'/>", "<model type='rtl8139'/>", "<model type='i82551'/>")},
	{name: "no vhost", rule: "R191", make: machine("driver", "<driver name='qemu'/>", "<driver name='qemu' queues='4'/>")},
	{name: "one queue of a machine", rule: "R192", make: machine("vcpu", "2", "8", "64")},
	{name: "hardware offload half on", rule: "R194", make: func(_ *rand.Rand, h *linuxHost) string {
		h.offload = "true"
		return "eth4"
	}},
	{name: "jumbo frames without MTU probing", rule: "R136", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, "eth0", "eth1", "bond0")
		h.nics[at].mtu = some(r, 4000, 9000)
		return at
	}},
	{name: "links unwatched", make: bond("miimon", "0"), rule: "R157"},
	{name: "no LACP partner", make: bond("ad_partner_mac", "00:00:00:00:00:00"), rule: "R158"},
	{name: "a port outside the aggregation", make: bond("ad_num_ports", "0", "1"), rule: "R159"},
	{name: "round robin", make: bond("mode", "balance-rr 0"), rule: "R161"},
	{name: "hash by MAC", make: bond("xmit_hash_policy", "layer2 0"), rule: "R114"},
	{name: "on the backup", rule: "R160", make: func(_ *rand.Rand, h *linuxHost) string {
		h.nics["bond0"].bonding = map[string]string{"mode": "active-backup 1", "miimon": "100", "primary": "eth2", "active_slave": "eth3",
			"xmit_hash_policy": "layer2 0", "arp_interval": "0"}
		return "bond0"
	}},
	{name: "no window scaling", make: sysctl("net.ipv4.tcp_window_scaling", "0"), rule: "R131"},
	{name: "no SACK", make: sysctl("net.ipv4.tcp_sack", "0"), rule: "R132"},
	{name: "no timestamps", make: sysctl("net.ipv4.tcp_timestamps", "0"), rule: "R133"},
	{name: "fixed receive buffers", make: sysctl("net.ipv4.tcp_moderate_rcvbuf", "0"), rule: "R134"},
	{name: "receive sizes out of order", make: sysctl("net.ipv4.tcp_rmem", "4096\t8388608\t6291456", "262144\t131072\t6291456"), rule: "R135"},
	{name: "send sizes out of order", make: sysctl("net.ipv4.tcp_wmem", "4096\t8388608\t4194304"), rule: "R135"},
	{name: "BBR without fq", make: sysctl("net.ipv4.tcp_congestion_control", "bbr", "bbr3"), rule: "R137"},
	{name: "a low receive ceiling", make: sysctl("net.ipv4.tcp_rmem", "4096\t131072\t1048576", "4096\t87380\t4194304"), rule: "R113",
		facts: long},
	{name: "a low send ceiling", make: sysctl("net.ipv4.tcp_wmem", "4096\t16384\t262144"), rule: "R113", facts: long},
	{name: "socket buffers below the path", make: sysctl("net.core.rmem_max", "212992", "1048576"), rule: "R138", facts: long},
	{name: "listen queue", make: grows("TcpExt", "ListenOverflows", "Tcp.PassiveOpens", 0.001), rule: "R139"},
	{name: "receive queues pruned", make: grows("TcpExt", "RcvPruned", "Tcp.InSegs", 0.00001), rule: "R140"},
	{name: "TCP memory", make: grows("TcpExt", "TCPMemoryPressures", "Tcp.InSegs", 0), rule: "R141"},
	{name: "UDP sockets full", make: grows("Udp", "RcvbufErrors", "Udp.InDatagrams", 0.001), rule: "R142"},
	{name: "fragments lost", make: grows("Ip", "ReasmFails", "Ip.ReasmReqds", 0.01), rule: "R143"},
	{name: "half-open connections", make: grows("TcpExt", "TCPReqQFullDrop", "Tcp.PassiveOpens", 0.001), rule: "R144"},
	{name: "socket held", make: grows("TcpExt", "TCPBacklogDrop", "Tcp.InSegs", 0.00001), rule: "R145"},
	{name: "retransmissions", make: grows("Tcp", "RetransSegs", "Tcp.OutSegs", 0.001), rule: "R124"},
	{name: "out of order", make: grows("TcpExt", "TCPOFOQueue", "Tcp.InSegs", 0.01), rule: "R126"},
	{name: "receive backlog", rule: "R163", make: func(r *rand.Rand, h *linuxHost) string {
		h.softnet[1] += h.softnet[0]/10/1000000 + between(r, 12, 5000)
		return "host"
	}},
	{name: "squeezed turns", rule: "R164", make: func(r *rand.Rand, h *linuxHost) string {
		h.softnet[2] += h.softnet[0]/10/1000 + between(r, 120, 5000)
		return "host"
	}},
	{name: "connection table", rule: "R165", make: func(r *rand.Rand, h *linuxHost) string {
		h.sysctl["net.netfilter.nf_conntrack_count"] = strconv.Itoa(262144 * (82 + r.IntN(18)) / 100)
		return "sysctl"
	}},
	{name: "interrupts on the other node", rule: "R169", make: func(r *rand.Rand, h *linuxHost) string {
		at := some(r, fast...)
		h.nics[at].offNode = 9 + r.IntN(8)
		return at
	}},
	{name: "a paused priority", rule: "R170", make: func(r *rand.Rand, h *linuxHost) string {
		n := h.nics["eth0"]
		n.driverCounters[some(r, "rx_prio0_pause", "rx_prio3_pause")] += n.statistics["tx_packets"]/10/90 + between(r, 12, 5000)
		return "eth0"
	}},
	{name: "a vNIC that fails over", rule: "R171", make: func(r *rand.Rand, h *linuxHost) string {
		h.nics["eth0"].driver = "ibmvnic"
		h.nics["eth0"].carrierChanges += 2 * between(r, 2, 20)
		return "eth0"
	}},
	{name: "an MTU that the next boot changes", rule: "R081", make: func(r *rand.Rand, h *linuxHost) string {
		h.boot = append(h.boot, "/etc/network/interfaces:\tmtu "+some(r, "1300", "1400"))
		// The MTU of the stanza that comes last in the file.
		h.boot = slices.DeleteFunc(h.boot, func(l string) bool { return l == "/etc/network/interfaces:iface eth0 inet static" })
		h.boot = slices.Insert(h.boot, len(h.boot)-1, "/etc/network/interfaces:iface eth0 inet static")
		return "eth0"
	}},
	{name: "a sysctl that the next boot changes", rule: "R081", make: func(r *rand.Rand, h *linuxHost) string {
		file := some(r, "/etc/sysctl.d/local.conf", "/etc/sysctl.d/99-sysctl.conf", "/run/sysctl.d/10-x.conf")
		h.boot = append(h.boot, file+":"+some(r, "net.core.somaxconn=128", "net.ipv4.tcp_rmem = 4096 87380 16777216", "net/core/wmem_max=425984"))
		return "sysctl"
	}},
	{name: "lowest clock", rule: "R166", make: func(_ *rand.Rand, h *linuxHost) string { h.governor = "powersave"; return "sysctl" }},
}

// later is the host after the traffic of a while, which is as well as before.
func (h *linuxHost) later() {
	for _, n := range h.nics {
		for _, counter := range []string{"rx_packets", "tx_packets"} {
			if n.statistics[counter] > 0 {
				n.statistics[counter] += n.statistics[counter] / 10
			}
		}
	}
	for table, counters := range h.snmp {
		for _, key := range []string{"InReceives", "PassiveOpens", "InSegs", "OutSegs", "InDatagrams", "ReasmReqds"} {
			if n, ok := counters[key]; ok {
				h.snmp[table][key] = n + n/10
			}
		}
	}
	h.softnet[0] += h.softnet[0] / 10
}

// planted audits a host in which one thing is wrong; nil: nothing.
func planted(t *testing.T, set *rule.Set, p *planting, seed uint64) (found []finding.Finding, at string) {
	t.Helper()
	before, now := debian(), debian()
	now.later()
	opts := rule.Options{}
	if p != nil {
		at = p.make(rand.New(rand.NewPCG(seed, 0)), now)
		opts.Measured = p.facts
	}
	opts.Before = &model.Fleet{Hosts: []*model.Host{before.read()}}
	all, err := set.Run(t.Context(), &model.Fleet{Hosts: []*model.Host{now.read()}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return atLeast(all, finding.Info), at
}

// What is wrong on a Linux host is found at its element, whatever its size; a
// host as Debian installs it has no finding. docs/benchmarks.md has the numbers.
func TestPlantedLinuxMisSettings(t *testing.T) {
	set := builtIn(t)
	if found, _ := planted(t, set, nil, 0); len(found) > 0 {
		t.Errorf("a stock host: got %v, want no finding", ids(found))
	}
	seeds := draw.OneIn(t, 5, []uint64{0, 1, 2, 3, 4})
	right, missed, beside := 0, []string{}, map[string]int{}
	for i := range plantings {
		p := &plantings[i]
		for _, seed := range seeds {
			found, at := planted(t, set, p, seed)
			for _, f := range found {
				if f.Rule != p.rule {
					beside[p.name+": "+f.Rule]++
				}
			}
			if slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Rule == p.rule && f.Element.Element == at }) {
				right++
				continue
			}
			missed = append(missed, fmt.Sprintf("%s, seed %d: want %s at %s, got %v", p.name, seed, p.rule, at, ids(found)))
		}
	}
	total := len(plantings) * len(seeds)
	t.Logf("findings beside these, with how often: %v", beside)
	t.Logf("%d kinds of %d seeds: %d of %d found", len(plantings), len(seeds), right, total)
	if len(plantings) < 40 || right*100 < total*95 {
		t.Errorf("got %d of %d found, want 95 of 100 of at least 40 kinds", right, total)
	}
	for _, m := range missed {
		t.Error(m)
	}
}

func ids(found []finding.Finding) (out []string) {
	for _, f := range found {
		out = append(out, f.ID)
	}
	return out
}
