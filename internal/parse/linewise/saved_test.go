package linewise

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
)

const (
	interruptSample = "           CPU0       CPU1\n 56:  312400000          7   PCI-MSI 5767168-edge      ens192-rxtx-0\nLOC:         12         13   Local timer interrupts\nERR:          0\n"
	conntrackSample = "cpu=0   \tfound=5292 invalid=189 insert_failed=1650 drop=1650\ncpu=1   \tfound=8 invalid=1 insert_failed=30 drop=30\n"
	captureSample   = "tcpdump: listening on eth0, link-type EN10MB\n09:12:44.101220 IP (tos 0x0, ttl 64, id 1, offset 0, flags [none], proto UDP (17), length 102)\n" +
		"    192.0.2.13.31770 > 192.0.2.11.4789: [bad udp cksum 0xffff -> 0x51e2!] VXLAN, flags [I] (0x08), vni 4096\n" +
		"09:12:44.2 IP 192.0.2.13.40121 > 192.0.2.11.53: 8166+ A? db.example. (28)\n2 packets captured\n"
	traceSample = "Start: 2025-11-12T10:01:12+0100\nHOST: p9                Loss%   Snt   Last   Avg  Best  Wrst StDev\n" +
		"  1.|-- gw.example.com   0.0%   100    0.3   0.4   0.2   1.1   0.1\n  2.|-- core1             20.0%   100    0.6   0.7   0.4   5.1   0.5\n" +
		"  3.|-- ???              100.0   100    0.0   0.0   0.0   0.0   0.0\n  4.|-- edge              4.0%   100    1.6   1.7   1.4   9.1   0.9\n" +
		"  5.|-- 198.51.100.7      5.0%   100   12.6  12.7  12.4  19.1   0.9\n"
	sarSample = "Linux 5.14.21 (n) \t11/12/2025 \t_ppc64le_\t(16 CPU)\n\n10:01:12 AM     IFACE   rxpck/s   txpck/s\n10:01:13 AM      eth0  81231.00  41231.00\n\n" +
		"10:01:12        IFACE   rxerr/s  rxdrop/s\n10:01:13         eth0      0.00   1800,50\nAverage:        IFACE   rxerr/s  rxdrop/s\nAverage:         eth0      0.00   900.00\n"
	nmonSample = "NET,Network I/O p9,lo-read-KB/s,eth0-read-KB/s,\nNETERROR,Network Errors p9,lo-ierrs,eth0-ierrs,lo-idrop,eth0-idrop,\n" +
		"NET,T0001,0.0,812000.2,\nNETERROR,T0001,0.0,0.0,0.0,1800.1,\n"
	socketSample = "State    Recv-Q    Send-Q       Local Address:Port       Peer Address:Port    Process\nESTAB    0         36           192.0.2.41:22            192.0.2.42:51234\n" +
		"\t cubic wscale:7,7 rto:204 rtt:0.5/0.2 mss:1448 cwnd:10 minrtt:0.21\nTIME-WAIT 0      0            192.0.2.41:80            192.0.2.42:51235\n"
	nodeSample = "# TYPE node_uname_info gauge\nnode_uname_info{machine=\"ppc64le\",nodename=\"n\"} 1\nnode_netstat_TcpExt_ListenOverflows 48000\n" +
		"node_network_receive_packets_total{device=\"eth0\"} 9.1e+08\nnode_load1 NaN\n"
)

// What somebody measured and saved is read with its values, and a line that is none of it is not understood.
func TestSavedMeasurements(t *testing.T) {
	noReport := cmpopts.IgnoreTypes(parse.Report{})
	for name, c := range map[string]struct {
		read func() (any, error)
		want any
	}{
		"interrupts": {func() (any, error) {
			v, err := ParseInterrupts([]byte(interruptSample))
			return v.Rows, err
		}, []*Interrupt{{"56", []uint64{312400000, 7}, "PCI-MSI 5767168-edge      ens192-rxtx-0", 2}, {"LOC", []uint64{12, 13}, "Local timer interrupts", 3},
			{"ERR", []uint64{0}, "", 4}}},
		"conntrack": {func() (any, error) {
			v, err := ParseConntrack([]byte(conntrackSample))
			return v.Counters(), err
		}, map[string]uint64{"conntrack.found": 5300, "conntrack.invalid": 190, "conntrack.insert_failed": 1680, "conntrack.drop": 1680}},
		"capture": {func() (any, error) {
			v, err := ParseCapture([]byte(captureSample))
			return v.BadTunnels(), err
		}, []int{3}},
		"sar": {func() (any, error) {
			v, err := ParseSar([]byte(sarSample))
			return v.Rows, err
		}, []*SarLine{{"10:01:13 AM", "eth0", map[string]float64{"rxpck/s": 81231, "txpck/s": 41231}, 4},
			{"10:01:13", "eth0", map[string]float64{"rxerr/s": 0, "rxdrop/s": 1800.5}, 7}, {"Average:", "eth0", map[string]float64{"rxerr/s": 0, "rxdrop/s": 900}, 9}}},
		"ss": {func() (any, error) {
			v, err := ParseSockets([]byte(socketSample))
			return *v.Sockets[0].LeastRTT, err
		}, 0.21},
		"nmon": {func() (any, error) {
			v, err := ParseNmonNetwork([]byte(nmonSample))
			return v.Samples[1].Values, err
		}, map[string]float64{"lo-ierrs": 0, "eth0-ierrs": 0, "lo-idrop": 0, "eth0-idrop": 1800.1}},
		"node_exporter": {func() (any, error) {
			v, err := ParseNodeMetrics([]byte(nodeSample))
			return v.Metrics[2], err
		}, &NodeMetric{"node_network_receive_packets_total", map[string]string{"device": "eth0"}, 9.1e8, 4}},
	} {
		got, err := c.read()
		if diff := cmp.Diff(c.want, got, noReport); diff != "" || err != nil {
			t.Errorf("%s: %v; (-want +got):\n%s", name, err, diff)
		}
	}
}

// Loss counts from the hop behind which everybody who answers loses packets too, and not less than there.
func TestLossy(t *testing.T) {
	whole, err := ParseTrace([]byte(traceSample))
	if err != nil {
		t.Fatal(err)
	}
	first, percent := whole.Lossy()
	if first == nil || first.Number != 2 || percent != 4 {
		t.Errorf("from %+v on, at least %v %%, want from hop 2 on, 4 %%", first, percent)
	}
	whole.Hops[len(whole.Hops)-1].Loss = 0
	if first, _ := whole.Lossy(); first != nil {
		t.Errorf("the far end loses none, and %+v is blamed", first)
	}
}

// A ping says to which address, with how large packets, and by which MTU they were refused.
func TestPingSizes(t *testing.T) {
	for text, want := range map[string]*PingReplies{
		"PING b (192.0.2.27) 8972(9000) bytes of data.\n\n--- b ping statistics ---\n3 packets transmitted, 0 received, 100% packet loss, time 2050ms\n": {
			To: "b", Address: "192.0.2.27", Data: new(8972), Sent: new(3), Received: new(0)},
		"PING b (192.0.2.27): 1472 data bytes\n1480 bytes from 192.0.2.27: icmp_seq=0 ttl=255 time=0 ms\n": {
			To: "b", Address: "192.0.2.27", Data: new(1472), Times: []float64{0}, Whole: true},
		"PING 192.0.2.27 (192.0.2.27) 8972(9000) bytes of data.\nFrom 192.0.2.1 icmp_seq=1 Frag needed and DF set (mtu = 1500)\n" +
			"1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms\n": {
			To: "192.0.2.27", Address: "192.0.2.27", Data: new(8972), Sent: new(1), Received: new(0), TooLarge: new(1500), Refused: "192.0.2.1"},
		"PING 192.0.2.27 (192.0.2.27) 8973(9001) bytes of data.\nping: local error: Message too long, mtu=9000\n1 packets transmitted, 0 received, +1 errors\n": {
			To: "192.0.2.27", Address: "192.0.2.27", Data: new(8973), Sent: new(1), Received: new(0), TooLarge: new(9000)},
	} {
		got, err := ParsePing([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreTypes(parse.Report{}), cmpopts.IgnoreUnexported(PingReplies{}), cmpopts.EquateEmpty()); diff != "" || len(got.Unknown) > 0 {
			t.Errorf("%q: not understood %v; (-want +got):\n%s", text, got.Unknown, diff)
		}
	}
}
