package assemble_test

import (
	"fmt"
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

const measuredPort = "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n" +
	"    inet 192.0.2.41/24 scope global eth0\n"

// What somebody measured on a host and saved becomes facts about it, each with the line that shows it.
func TestMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		id, command, text string
		figure            string
		want              float64
	}{
		"iperf3": {"iperf", "iperf3 -c 192.0.2.42", "[  5] local 192.0.2.41 port 1 connected to 192.0.2.42 port 5201\n" +
			"[ ID] Interval           Transfer     Bitrate         Retr\n[  5]   0.00-10.00  sec  1.1 GBytes  940 Mbits/sec   12             sender\n",
			"eth0 one_stream_mbit", 940},
		"mtr": {"mtr", "mtr -rw 198.51.100.7", "HOST: p9    Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1.|-- gw   0.0%   100  0.3   0.4   0.2   1.1   0.1\n" +
			"  2.|-- core1  4.0%  100  0.6   0.7   0.4   5.1   0.5\n", "trace_loss_percent", 4},
		"no loss": {"mtr", "mtr -rw 198.51.100.7", "HOST: p9    Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1.|-- gw   0.0%   100  0.3   0.4   0.2   1.1   0.1\n",
			"trace_loss_percent", 0},
		"a capture": {"tcpdump", "tcpdump -vvni eth0", "09:12:44.1 IP 192.0.2.13.1 > 192.0.2.11.4789: [bad udp cksum 0xffff -> 0x51e2!] VXLAN\n", "tunnel_bad_checksums", 1},
		"netperf": {"netperf", "netperf -H 192.0.2.42", "MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.0.2.42 () port 0 AF_INET\n" +
			"Recv   Send    Send\nSocket Socket  Message  Elapsed\nSize   Size    Size     Time     Throughput\nbytes  bytes   bytes    secs.    10^6bits/sec\n\n" +
			"131072  16384  16384    10.00     941.20\n", "eth0 one_stream_mbit", 941.2},
		"netperf, requests": {"netperf", "netperf -H 192.0.2.42 -t TCP_RR", "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.0.2.42 () port 0 AF_INET : demo\n" +
			"Local /Remote\nSocket Size   Request  Resp.   Elapsed  Trans.\nSend   Recv   Size     Size    Time     Rate\nbytes  Bytes  bytes    bytes   secs.    per sec\n\n" +
			"16384  131072 1        1       10.00    2000.00\n16384  131072\n", "eth0 rtt_ms", 0.5},
		"qperf": {"qperf", "qperf 192.0.2.42 tcp_lat", "tcp_lat:\n    latency  =  250 us\n", "eth0 rtt_ms", 0.5},
		"sar": {"sar-net", "sar -n EDEV 1 1", "10:01:12     IFACE   rxerr/s   txerr/s    coll/s  rxdrop/s\n10:01:13      eth0      0.00      0.00      0.00   1800.00\n",
			"eth0 received_drops_per_s", 1800},
		"nmon":          {"nmon-net", "nmon", "NETERROR,Network Errors p9,eth0-ierrs,eth0-idrop,\nNETERROR,T0001,0.0,1800.1,\n", "eth0 received_drops_per_s", 1800.1},
		"node_exporter": {"node-exporter", "curl n:9100/metrics", "node_nf_conntrack_entries 261900\n", "conntrack_flows", 261900},
		"ss, small segments": {"ss", "ss -tin", "State Recv-Q Send-Q Local Address:Port Peer Address:Port\nESTAB 0 0 192.0.2.41:22 192.0.2.42:41000\n" +
			"\t cubic rto:204 mss:536 pmtu:576 rcvmss:1400 advmss:1448 cwnd:10\nESTAB 0 0 127.0.0.1:22 127.0.0.1:41001\n\t cubic mss:88 cwnd:10\n" +
			"FIN-WAIT-1 0 1 192.0.2.41:22 192.0.2.42:41002\n\t cubic mss:64 cwnd:1\n", "least_mss", 536},
		"a ping without a route": {"ping", "ping 192.0.2.42", "PING 192.0.2.42: (192.0.2.42): 56 data bytes\n0821-069 ping: sendto: Cannot reach the destination network.\n" +
			"ping: wrote 192.0.2.42 64 chars, ret=-1\n", "unrouted_ping", 1},
		"a ping": {"ping", "ping -c 1 192.0.2.42", "PING 192.0.2.42 (192.0.2.42) 56(84) bytes of data.\n64 bytes from 192.0.2.42: icmp_seq=1 ttl=54 time=68.1 ms\n\n" +
			"1 packets transmitted, 1 received, 0% packet loss, time 0ms\nrtt min/avg/max/mdev = 68.1/68.1/68.1/0.0 ms\n", "eth0 rtt_ms", 68.1},
	} {
		h := assemble.Host(assemble.About{Name: "p9", Platform: model.Linux}, []assemble.Output{
			{ID: "ip-addr-text", Command: "ip addr", Text: []byte(measuredPort)}, {ID: c.id, Command: c.command, Text: []byte(c.text)}})
		got, there := h.Figures[c.figure]
		if !there || got.Value != c.want || !strings.HasPrefix(got.From.Command+got.From.Text, strings.Fields(c.command)[0]) {
			t.Errorf("%s: %s is %+v of %v, want %v", name, c.figure, got, h.Figures, c.want)
		}
	}
}

// One CPU that takes nearly all interrupts of a port's queues is seen in /proc/interrupts; few of them show nothing.
func TestInterrupts(t *testing.T) {
	for counts, want := range map[string]string{"312400000 0": "0", "200000 190000": "several", "12 0": ""} {
		h := assemble.Host(assemble.About{Name: "vm1", Platform: model.Linux}, []assemble.Output{
			{ID: "ethtool-i", Element: "ens192", Command: "ethtool -i ens192", Text: []byte("driver: vmxnet3\nversion: 1.7\n")},
			{ID: "proc-interrupts", Command: "cat /proc/interrupts", Text: []byte(" 56: " + counts + " PCI-MSI 5767168-edge ens192-rxtx-0\n")}})
		e := h.Elements["ens192"]
		if got := e.Attrs["irqs-cpu"].Current(); got != want {
			t.Errorf("%s: got %q, want %q", counts, got, want)
		}
		if n := h.Figures[model.OnlineCPUs].Value; n != 2 {
			t.Errorf("%s: %v CPUs, want 2", counts, n)
		}
	}
}

// The packets of each receive queue are summed, under whatever names a driver counts them.
func TestQueues(t *testing.T) {
	for _, names := range [][2]string{{"rx_queue_0_packets", "rx_queue_1_packets"}, {"rx0_packets", "rx1_packets"}, {"rx-0.packets", "rx-1.packets"}, {"queue_0_rx_cnt", "queue_1_rx_cnt"}} {
		h := assemble.Host(assemble.About{Name: "apu", Platform: model.Linux}, []assemble.Output{
			{ID: "ethtool-S", Element: "eth0", Command: "ethtool -S eth0", Text: []byte("NIC statistics:\n     " + names[0] + ": 900\n     " + names[1] + ": 100\n")}})
		sum, _ := h.Elements["eth0"].Counters.Get("rx_queues_packets")
		most, _ := h.Elements["eth0"].Counters.Get("rx_busiest_queue_packets")
		if sum != 1000 || most != 900 {
			t.Errorf("%q: %d of them, %d on one, want 1000 and 900", names, sum, most)
		}
	}
}

// node_exporter has the kernel's counters under names of its own.
func TestNodeExporter(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "n", Platform: model.Linux}, []assemble.Output{{ID: "node-exporter", Command: "metrics", Text: []byte(
		"node_netstat_TcpExt_ListenOverflows 48000\nnode_nf_conntrack_entries_limit 262144\nnode_network_receive_drop_total{device=\"eth0\"} 7\n" +
			"node_network_mtu_bytes{device=\"eth0\"} 9000\nnode_network_speed_bytes{device=\"eth0\"} 1.25e+09\nnode_network_receive_packets_total{device=\"lo\"} 5\n")}})
	n, _ := h.Protocols.Get("TcpExt.ListenOverflows")
	e := h.Elements["eth0"]
	drops, _ := e.Counters.Get("rx_dropped+missed")
	if n != 48000 || h.Tunables["net.netfilter.nf_conntrack_max"].Current() != "262144" || drops != 7 || e.Attrs["mtu"].Current() != "9000" ||
		e.SpeedMb == nil || *e.SpeedMb != 10000 || h.Elements["lo"] != nil {
		t.Errorf("got %d, %v and %+v", n, h.Tunables, e)
	}
}

// What TCP measured of a connection is kept for the path to its far end, and says nothing of others.
func TestConnections(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "p9", Platform: model.Linux}, []assemble.Output{{ID: "ip-addr-text", Command: "ip addr", Text: []byte(measuredPort)},
		{ID: "ss", Command: "ss -ti", Text: []byte("ESTAB 0 36 192.0.2.41:22 192.0.2.42:51234\n\t cubic wscale:7,7 rto:204 rtt:0.5/0.2 cwnd:10 minrtt:0.21\n")}})
	if len(h.Pings) != 1 || h.Pings[0].To.String() != "192.0.2.42" || *h.Pings[0].LeastMS != 0.21 || len(h.Figures) != 1 || h.Figures[model.UnreadBytes].Value != 0 {
		t.Errorf("got %+v and %v, want the round trip to 192.0.2.42 alone", h.Pings, h.Figures)
	}
}

// What hosts did while somebody looked becomes figures, with the line of the busiest; the kernel's own processes are
// no programs.
func TestActivityFigures(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "n", Platform: model.AIX}, []assemble.Output{
		{ID: "netstat-an", Command: "netstat -an", Text: []byte("tcp4 91000 0 192.0.2.12.5001 192.0.2.11.40112 ESTABLISHED\ntcp4 99000 0 127.0.0.1.5001 127.0.0.1.40112 ESTABLISHED\n")},
		{ID: "processes", Command: "topas -P", Text: []byte("Name   PID CPU% PgSp Owner\nwait   514 99.0 0.1 root\nagent  812 93.5 4.0 bck\n")},
		{ID: "vmstat-rows", Command: "vmstat 1 2", Text: []byte("System configuration: lcpu=4 mem=1024MB\n r b avm fre pi po wa\n 1 0 10 10 0 0 0\n 9 3 10 10 71 90 41\n")},
	})
	want := map[string]float64{model.UnreadBytes: 91000, model.BusyProgram: 93.5, model.ThreadsReady: 9, model.ThreadsBlocked: 3, model.DiskWait: 41,
		model.OnlineCPUs: 4, model.PagedIn: 71, model.PagedOut: 90}
	for name, n := range want {
		if got := h.Figures[name]; got.Value != n || got.From.Text == "" {
			t.Errorf("%s: got %+v, want %g", name, got, n)
		}
	}
}

// Whole packets that nobody answers, beside smaller ones that are answered, are noted with both sizes; a ping that was
// refused by the host itself is not.
func TestVanishedPing(t *testing.T) {
	ping := func(size int, said string) assemble.Output {
		return assemble.Output{ID: "ping", Command: fmt.Sprintf("ping -M do -c 2 -s %d 198.51.100.9", size),
			Text: fmt.Appendf(nil, "PING 198.51.100.9 (198.51.100.9) %d(%d) bytes of data.\n\n--- 198.51.100.9 ping statistics ---\n%s\n", size, size+28, said)}
	}
	const lost, passed = "2 packets transmitted, 0 received, 100% packet loss, time 1010ms", "2 packets transmitted, 2 received, 0% packet loss, time 1001ms"
	for _, tt := range []struct {
		outputs []assemble.Output
		want    float64
	}{
		{[]assemble.Output{ping(1472, lost), ping(1352, passed)}, 1500},
		{[]assemble.Output{ping(1472, lost), ping(1352, lost)}, 0},
		{[]assemble.Output{ping(1472, passed), ping(1352, passed)}, 0},
	} {
		h := assemble.Host(assemble.About{Name: "n", Platform: model.Linux}, tt.outputs)
		if got := h.Figures[model.VanishedPing].Value; got != tt.want {
			t.Errorf("%s: got %g, want %g", tt.outputs[0].Text, got, tt.want)
		}
	}
}

// The state of an SEA that was picked out of its statistics belongs to the SEA that the command line names.
func TestSEAStatePickedOut(t *testing.T) {
	const text = "    State: LIMBO\nLAN State: Operational\n"
	for command, want := range map[string]string{"entstat -all ent7 | grep State": "LIMBO", "grep State saved.txt": ""} {
		h := assemble.Host(assemble.About{Name: "vios9", Platform: model.VIOS}, []assemble.Output{{ID: "entstat-state", Command: command, Text: []byte(text)}})
		got := ""
		if e := h.Elements["ent7"]; e != nil {
			got = e.HAState
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

// The bonding driver prints how often it asks by ARP only where it does; a port is known by its name where nothing but its
// queueing discipline was read.
func TestBondAndDisciplineAlone(t *testing.T) {
	const bond = "Ethernet Channel Bonding Driver: v5.14.0\n\nBonding Mode: fault-tolerance (active-backup)\nMII Status: up\nMII Polling Interval (ms): 0\n"
	const discipline = "qdisc fq_codel 8001: root refcnt 2 limit 10240p flows 1024\n Sent 91233 bytes 71233 pkt (dropped 4123, overlimits 0 requeues 12)\n" +
		" backlog 0b 0p requeues 12\n"
	h := assemble.Host(assemble.About{Name: "n", Platform: model.Linux}, []assemble.Output{
		{ID: "proc-net-bonding", Element: "bond3", Command: "cat /proc/net/bonding/bond3", Text: []byte(bond)},
		{ID: "tc-qdisc", Command: "tc -s qdisc show dev ens7f1", Text: []byte(discipline)},
	})
	if e := h.Elements["bond3"]; e == nil || e.Attrs["arp_interval"].Current() != "0" {
		t.Errorf("bond: got %+v, want no monitoring by ARP", e)
	}
	if e := h.Elements["ens7f1"]; e == nil {
		t.Error("the port of the discipline is not known")
	} else if n, _ := e.Counters.Get("qdisc_drops"); n != 4123 {
		t.Errorf("qdisc: got %d dropped, want 4123", n)
	}
}

// What lists of connections, disks and pings show become figures; one lost packet of many waited for ARP.
func TestFiguresOfLists(t *testing.T) {
	ping := func(said string) assemble.Output {
		return assemble.Output{ID: "ping", Command: "ping -c 20 192.0.2.9", Text: []byte("PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\n" + said)}
	}
	for _, c := range []struct {
		name   string
		output assemble.Output
		want   map[string]float64
	}{
		{"a count of states", assemble.Output{ID: "tcp-states", Text: []byte(" 512 CLOSE_WAIT\n 20 ESTABLISHED\n")}, map[string]float64{model.CloseWait: 512}},
		{"a list of one state", assemble.Output{ID: "ss", Command: "ss -tn state syn-sent",
			Text: []byte("Recv-Q Send-Q Local Address:Port Peer Address:Port\n0 1 192.0.2.8:40000 192.0.2.9:1521\n0 1 192.0.2.8:40002 192.0.2.9:1521\n")},
			map[string]float64{model.SynSent: 2}},
		{"a ping with losses", ping("20 packets transmitted, 15 received, +3 duplicates, 25% packet loss, time 19ms\n"),
			map[string]float64{model.PingLoss: 25, model.PingTwice: 3}},
		{"a ping that lost the first", ping("20 packets transmitted, 19 received, 5% packet loss, time 19ms\n"), map[string]float64{}},
		{"a ping that lost none", ping("20 packets transmitted, 20 received, 0% packet loss, time 19ms\n"), map[string]float64{model.PingLoss: 0}},
		{"a busy disk", assemble.Output{ID: "iostat", Command: "iostat -x",
			Text: []byte("Device r/s r_await w_await %util\nsdc 1.00 12.40 88.25 99.60\nsdd 1.00 300.0 0.1 1.0\n")}, map[string]float64{model.BusyDiskMS: 88.25}},
	} {
		h := assemble.Host(assemble.About{Name: "n", Platform: model.Linux}, []assemble.Output{c.output})
		for _, figure := range []string{model.CloseWait, model.SynSent, model.PingLoss, model.PingTwice, model.BusyDiskMS} {
			got, known := h.Figures[figure]
			want, expected := c.want[figure]
			if known != expected || got.Value != want {
				t.Errorf("%s: %s: got %v %v, want %v %v", c.name, figure, got.Value, known, want, expected)
			}
		}
	}
}

// A shared partition that lparstat -i was not read for is known by the line above the samples.
func TestPartitionOfSamples(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "n", Platform: model.AIX}, []assemble.Output{{ID: "lparstat", Command: "lparstat 5 1",
		Text: []byte("System configuration: type=Shared mode=Capped smt=8 lcpu=8 mem=16384MB psize=24 ent=0.40\n\n" +
			"%user  %sys  %wait  %idle physc %entc  lbusy   app  vcsw phint\n----- ----- ------ ------ ----- ----- ------   --- ----- -----\n" +
			" 41.0  58.1    0.1    0.8  0.40  99.9   61.0   2.1 18121   212\n")}})
	if h.Partition.Entitled == nil || *h.Partition.Entitled != 0.4 || h.Figures[model.CoresLimit].Value != 0.4 {
		t.Errorf("got %+v, %v", h.Partition, h.Figures)
	}
}

// What a transceiver measures is a fact about its port; without the port's name it is about none.
func TestModule(t *testing.T) {
	text := "\tIdentifier : 0x03 (SFP)\n\tReceiver signal average optical power : 0.0151 mW / -18.21 dBm\n" +
		"\tLaser rx power low alarm threshold : 0.0100 mW / -20.00 dBm\n\tLaser rx power low warning threshold : 0.0200 mW / -16.99 dBm\n"
	module := func(element string) map[string]model.Figure {
		return assemble.Host(assemble.About{Name: "p9", Platform: model.Linux}, []assemble.Output{
			{ID: "ethtool-m", Element: element, Command: "ethtool -m " + element, Text: []byte(text)}}).Figures
	}
	if got := module("ens4f0")["ens4f0 module_alarm"]; got.Value != 1 || got.From.Line != 2 {
		t.Errorf("got %+v, want 1 by line 2", got)
	}
	if got := module(""); len(got) > 0 {
		t.Errorf("of no port: got %v", got)
	}
}

// Costs of routes say whether a gateway was given up; an output without costs says nothing of it.
func TestRouteCosts(t *testing.T) {
	head := "Routing tables\nDestination Gateway Flags Wt Policy If Cost Config_Cost\n\nRoute tree for Protocol Family 2 (Internet):\n"
	for text, want := range map[string]float64{
		head + "default 192.0.2.1 UG 1 RND en0 256 0 =>\ndefault 192.0.2.2 UG 1 RND en1 1 1\n": 1,
		head + "default 192.0.2.1 UG 1 - en0 0 0\n":                                            0,
	} {
		h := assemble.Host(assemble.About{Name: "lpar7", Platform: model.AIX}, []assemble.Output{{ID: "netstat-rn", Command: "netstat -Cn", Text: []byte(text)}})
		if got, there := h.Figures["raised_route_costs"]; !there || got.Value != want || h.Routes == nil {
			t.Errorf("%q: got %+v of %v, routes %v, want %g", text, got, h.Figures, h.Routes, want)
		}
	}
	h := assemble.Host(assemble.About{Name: "lpar7", Platform: model.AIX}, []assemble.Output{{ID: "netstat-rn", Command: "netstat -rn",
		Text: []byte("Routing tables\nDestination Gateway Flags Refs Use If Exp Groups\n\nRoute tree for Protocol Family 2 (Internet):\ndefault 192.0.2.1 UG 1 123 en0 - -\n")}})
	if _, there := h.Figures["raised_route_costs"]; there {
		t.Error("netstat -rn shows no costs")
	}
}

// ip -br addr tells the addresses of a port and whether it is up; of one that is down it does not tell why.
func TestBrief(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "p9", Platform: model.Linux}, []assemble.Output{{ID: "ip-brief", Command: "ip -br addr",
		Text: []byte("lo UNKNOWN 127.0.0.1/8\neth0 UP 192.0.2.41/24\neth1 DOWN\n")}})
	up, down := h.Elements["eth0"], h.Elements["eth1"]
	if up == nil || len(up.Addrs) != 1 || up.LinkUp == nil || !*up.LinkUp || down == nil || down.Up != nil || down.LinkUp != nil || h.Elements["lo"] != nil {
		t.Errorf("got %+v and %+v of %v", up, down, h.Elements)
	}
}
