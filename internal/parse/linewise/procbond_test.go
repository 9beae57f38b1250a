package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var bondCodec = codectest.Codec[Bond]{Parse: ParseProcBond, Report: func(b *Bond) *parse.Report { return &b.Report }}

const bondSample = `Ethernet Channel Bonding Driver: v6.1.0-18-powerpc64le

Bonding Mode: IEEE 802.3ad Dynamic link aggregation
Transmit Hash Policy: layer3+4 (1)
MII Status: up
MII Polling Interval (ms): 100
Up Delay (ms): 0

802.3ad info
LACP active: on
LACP rate: slow
Active Aggregator Info:
	Aggregator ID: 2
	Number of ports: 1
	Partner Mac Address: 02:00:00:00:09:01

Slave Interface: eth1
MII Status: up
Speed: 10000 Mbps
Duplex: full
Link Failure Count: 3
Aggregator ID: 2
details actor lacp pdu:
    system priority: 65535
    port state: 61
details partner lacp pdu:
    port state: 63

Slave Interface: eth2
MII Status: down
Speed: Unknown
Duplex: Unknown
Link Failure Count: 0
`

func TestParseBond(t *testing.T) {
	b := bondCodec.Read(t, bondSample)
	if len(b.Unknown) > 0 || len(b.Ports) != 2 || b.Ports[0].Name != "eth1" {
		t.Fatalf("got %d ports, unknown %v; want eth1 and eth2, all understood", len(b.Ports), b.Unknown)
	}
	if mode, ok := b.Mode(); mode != "802.3ad" || !ok {
		t.Errorf("mode: got %q, %v", mode, ok)
	}
	for label, want := range map[string]string{"Transmit Hash Policy": "layer3+4", "LACP rate": "slow", "Partner Mac Address": "02:00:00:00:09:01"} {
		if got := BondWord(b.Fields, label); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
	if n := BondNumber(b.Ports[0].Fields, "Link Failure Count"); n == nil || *n != 3 {
		t.Errorf("link failures: got %v, want 3", n)
	}
	if n := BondNumber(b.Ports[1].Fields, "Speed"); n != nil {
		t.Errorf("speed of a port that is down: got %d, want that it is not known", *n)
	}
	for label, want := range map[string]string{"actor port state": "61", "partner port state": "63"} {
		if got := BondWord(b.Ports[0].Fields, label); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
}

func TestBondModes(t *testing.T) {
	for text, want := range map[string]string{"fault-tolerance (active-backup)": "active-backup",
		"fault-tolerance (active-backup) (fail_over_mac active)": "active-backup", "load balancing (round-robin)": "balance-rr",
		"load balancing (xor)": "balance-xor", "something new": ""} {
		b := bondCodec.Read(t, "Ethernet Channel Bonding Driver: v3.7.1\n\nBonding Mode: "+text+"\n")
		if got, ok := b.Mode(); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "Bonding Mode: load balancing (xor)\n", "cat: /proc/net/bonding/bond0: No such file or directory\n"} {
		if _, err := ParseProcBond([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}
