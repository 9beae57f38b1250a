package linewise

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	moduleSFP = `	Identifier                                : 0x03 (SFP)
	Extended identifier                       : 0x04 (GBIC/SFP defined by 2-wire interface ID)
	Transceiver type                          : 10G Ethernet: 10G Base-LR
	Vendor name                               : ACME
	Laser output power                        : 0.5100 mW / -2.92 dBm
	Receiver signal average optical power     : 0.0151 mW / -18.21 dBm
	Module temperature                        : 41.20 degrees C / 106.16 degrees F
	Alarm/warning flags implemented           : Yes
	Laser rx power low alarm                  : Off
	Laser rx power low warning                : Off
	Laser rx power high alarm threshold       : 1.5849 mW / 2.00 dBm
	Laser rx power low alarm threshold        : 0.0200 mW / -16.99 dBm
	Laser rx power low warning threshold      : 0.0316 mW / -15.00 dBm
	Module temperature high alarm threshold   : 80.00 degrees C / 176.00 degrees F
	Module temperature low alarm threshold    : -5.00 degrees C / 23.00 degrees F
`
	moduleQSFP = `	Identifier                                : 0x11 (QSFP28)
	Rcvr signal avg optical power(Channel 1)  : 0.7700 mW / -1.14 dBm
	Rcvr signal avg optical power(Channel 2)  : 0.0400 mW / -13.98 dBm
	Laser rx power low alarm   (Chan 1)       : Off
	Laser rx power low warning (Chan 2)       : On
	Laser bias current low alarm   (Chan 1)   : On
`
	moduleLies = `	Identifier                                : 0x03 (SFP)
	Receiver signal average optical power     : 0.6486 mW / -1.88 dBm
	Laser rx power low alarm                  : On
	Laser rx power low alarm threshold        : 0.0389 mW / -14.10 dBm
`
	xfrmSample = "XfrmInError             \t0\nXfrmInNoStates          \t7300\nXfrmInStateSeqError     \t12\nXfrmOutPolBlock         \t0\n"

	datapathSample = "system@ovs-system:\n  lookups: hit:90511 missed:1900 lost:21\n  flows: 1204\n  masks: hit:400100 total:9 hit/pkt:4.32\n" +
		"  caches:\n    masks-cache: size:256\n  port 0: ovs-system (internal)\n  port 3: bond7\n" +
		"netdev@ovs-netdev:\n  lookups: hit:9 missed:100 lost:4\n"

	filterList = `Chain INPUT (policy DROP 120 packets, 9000 bytes)
 pkts bytes target     prot opt in     out     source               destination         
  12M   34G ACCEPT     all  --  *      *       0.0.0.0/0            0.0.0.0/0            ctstate RELATED,ESTABLISHED
 811K   33M DROP       all  --  *      *       0.0.0.0/0            0.0.0.0/0            ctstate INVALID
   41  2296 DROP       icmp --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 4
  900 75600 DROP       icmp --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 8
    7   420 DROP       icmp --  *      *       0.0.0.0/0            0.0.0.0/0           
   77  4620 REJECT     tcp  --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:443 #conn src/32 > 40 reject-with tcp-reset
 5000  300K DROP       tcp  --  eth1   *       198.51.100.0/24      0.0.0.0/0            tcp dpt:22
    3   180            all  --  *      *       0.0.0.0/0            0.0.0.0/0           

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
 pkts bytes target     prot opt in     out     source               destination         
`
	filterSaves = `*filter
:INPUT ACCEPT [12:900]
[811000:33000000] -A INPUT -m conntrack --ctstate INVALID -j DROP
[41:2296] -A INPUT -p icmp -m icmp --icmp-type 3/4 -j DROP
[7:420] -A INPUT -p icmp -j DROP
[77:4620] -A INPUT -p tcp -m hashlimit --hashlimit-above 40/sec --hashlimit-name web -j DROP
[5:300] -A INPUT -p tcp --dport 22 -j ACCEPT
-A OUTPUT -j ACCEPT
COMMIT
`
	filterRuleset = `table inet filter {
	chain input {
		type filter hook input priority filter; policy accept;
		ct state established,related counter packets 912 bytes 81100 accept
		ct state invalid counter packets 811000 bytes 33000000 drop
		icmp type destination-unreachable counter packets 41 bytes 2296 log prefix "icmp " drop
		ip protocol icmp counter packets 7 bytes 420 drop
		tcp dport 443 limit rate over 40/second counter packets 77 bytes 4620 drop
		tcp dport 23 drop
	}
}
`
)

// Values decide before flags, each lane counts, and flags where no limit is known.
func TestModule(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		degree int
		line   int
	}{
		"light below the alarm":     {moduleSFP, AlarmLimit, 6},
		"a lane that warns":         {moduleQSFP, WarningLimit, 5},
		"a flag against the values": {moduleLies, WithinLimits, 2},
	} {
		m, err := ParseModule([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		degree, line, known := m.Worst()
		if !known || degree != c.degree || line != c.line || len(m.Unknown) > 0 {
			t.Errorf("%s: got degree %d of line %d, %v, unknown %v", name, degree, line, known, m.Unknown)
		}
	}
	m, err := ParseModule([]byte("	Identifier : 0x03 (SFP)\n	Laser rx power low alarm : On\n	Alarm/warning flags implemented : No\n"))
	if _, _, known := m.Worst(); err != nil || known {
		t.Errorf("flags that a module lacks were judged: %+v, %v", m, err)
	}
	if _, err := ParseModule([]byte("	Identifier : 0x03 (SFP)\n	Vendor name : ACME\n")); err == nil {
		t.Error("a cable that measures nothing was taken for a reading")
	}
}

func TestXfrmStatistics(t *testing.T) {
	x, err := ParseXfrmStatistics([]byte(xfrmSample))
	want := map[string]uint64{"xfrm.XfrmInError": 0, "xfrm.XfrmInNoStates": 7300, "xfrm.XfrmInStateSeqError": 12, "xfrm.XfrmOutPolBlock": 0}
	if err != nil || len(x.Unknown) > 0 {
		t.Fatalf("got %+v, %v", x, err)
	}
	if diff := cmp.Diff(want, x.Counters()); diff != "" {
		t.Error(diff)
	}
}

// The datapaths of a host are one switch to it.
func TestDatapaths(t *testing.T) {
	d, err := ParseDatapaths([]byte(datapathSample))
	want := map[string]uint64{"ovs.lookups_hit": 90520, "ovs.lookups_missed": 2000, "ovs.lookups_lost": 25}
	if err != nil || len(d.Unknown) > 0 {
		t.Fatalf("got %+v, %v", d, err)
	}
	if diff := cmp.Diff(want, d.Counters()); diff != "" {
		t.Error(diff)
	}
}

// What a firewall drops is known by kind in each of its three lists; what a rule without a counter drops is not known.
func TestPacketFilter(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		total uint64
	}{
		"iptables -L -v -n": {filterList, 811000 + 41 + 900 + 7 + 77 + 5000},
		"iptables-save -c":  {filterSaves, 811000 + 41 + 7 + 77},
		"nft list ruleset":  {filterRuleset, 811000 + 41 + 7 + 77},
	} {
		f, err := ParsePacketFilter([]byte(c.text))
		if err != nil || len(f.Unknown) > 0 {
			t.Errorf("%s: got %+v, %v", name, f, err)
			continue
		}
		want := map[string]uint64{"firewall.dropped": c.total, "firewall.dropped_invalid": 811000, "firewall.dropped_icmp": 48, "firewall.dropped_limit": 77}
		if diff := cmp.Diff(want, f.Counters()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := ParsePacketFilter([]byte("table inet filter {\n\tchain input {\n\t\ttcp dport 23 drop\n\t}\n}\n")); err == nil {
		t.Error("a list without counters was taken for one with zeros")
	}
}

// The size of segments is that which a connection sends, not what it announces or takes.
func TestSegmentSize(t *testing.T) {
	s, err := ParseSockets([]byte("State Recv-Q Send-Q Local Address:Port Peer Address:Port\nESTAB 0 0 192.0.2.1:22 192.0.2.9:41000\n" +
		"\t cubic wscale:7,7 rto:204 rtt:1.2/0.4 mss:536 pmtu:576 rcvmss:1400 advmss:1448 cwnd:10\n"))
	if err != nil || s.Sockets[0].MSS == nil || *s.Sockets[0].MSS != 536 {
		t.Errorf("got %+v, %v", s, err)
	}
}
