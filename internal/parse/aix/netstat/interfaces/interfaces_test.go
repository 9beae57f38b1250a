package interfaces_test

import (
	"errors"
	"flag"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[interfaces.Table]{
	Parse:  interfaces.Parse,
	Report: func(t *interfaces.Table) *parse.Report { return &t.Report },
}

const sample = `Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll
en0   9000  link#2      0.9.6b.2e.5.ff    562325     3    60252     1     0
en0   9000  192.0.2     192.0.2.30        562325     3    60252     1     0
en1*  1500  link#3      2.0.0.a.b.c            0     0        0     0     0
en2   1500  fe80::a1b2:c3d4:e5f6:7788%4 1234567890 0 98765432109 0 0
lo0   16896 link#1                         36891     0    36891     0     0
lo0   16896 127         127.0.0.1          36891     0    36891     0     0
lo0   16896 ::1%1                          36891     0    36891     0     0
`

const withDrop = `Name   Mtu   Network      Address                   Ipkts     Ierrs          Opkts     Oerrs  Coll   Drop
en0    1500  link#2       fa.16.3e.0.0.1         99162325         0          60252         0     0     17
en0    1500  10.32.77     10.32.77.30            99162325         0          60252         0     0     17
                          239.255.255.250
                          224.0.0.1
                          1.0.5e.0.0.1
`

func TestParse(t *testing.T) {
	v := codec.Read(t, sample)
	if len(v.Unknown) > 0 || len(v.Rows) != 7 {
		t.Fatalf("got %d rows, unknown %v, want 7 rows and nothing unknown", len(v.Rows), v.Unknown)
	}
	for _, c := range []struct {
		row                int
		name, mac, ip, net string
		down               bool
		ipkts              uint64
	}{
		{0, "en0", "00:09:6b:2e:05:ff", "", "link#2", false, 562325},
		{1, "en0", "", "192.0.2.30", "192.0.2", false, 562325},
		{2, "en1", "02:00:00:0a:0b:0c", "", "link#3", true, 0},
		{3, "en2", "", "fe80::a1b2:c3d4:e5f6:7788%4", "fe80::a1b2:c3d4:e5f6:7788%4", false, 1234567890},
		{4, "lo0", "", "", "link#1", false, 36891},
		{6, "lo0", "", "::1%1", "::1%1", false, 36891},
	} {
		r := v.Rows[c.row]
		n := r.Counters["Ipkts"]
		if r.Name != c.name || r.MAC() != c.mac || r.IP() != c.ip || r.Network != c.net || r.Down != c.down || n != c.ipkts {
			t.Errorf("row %d: got %+v mac %q ip %q, want %+v", c.row, r, r.MAC(), r.IP(), c)
		}
	}
}

func TestDropAndMulticast(t *testing.T) {
	v := codec.Read(t, withDrop)
	if n := v.Rows[0].Counters["Drop"]; n != 17 {
		t.Errorf("Drop: got %d, want 17", n)
	}
	if got := len(v.Rows[1].Multicast); got != 3 || len(v.Unknown) > 0 {
		t.Errorf("multicast: got %d, unknown %v, want 3 and none", got, v.Unknown)
	}
}

// A row whose columns cannot be separated is kept, not guessed.
func TestNotGuessed(t *testing.T) {
	for _, row := range []string{
		"en0   1500  10.32.77    10.32.77.30162325     0    60252     0     0", // address ran into the counter
		"en0   1500  10.32.77    10.32.77.30  162325     0    60252     0",
		"en0   1500  10.32.77    10.32.77.30  162325     0    60252     0   1,5",
		"en0   1500  a b c       10.32.77.30  162325     0    60252     0     0",
		"en0   1500  link#2      a.c6.24      -162325     0    60252     0     0",
	} {
		head := "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n"
		v := codec.Read(t, head+row+"\n")
		if len(v.Rows) != 0 || len(v.Unknown) != 1 {
			t.Errorf("%q: got rows %+v, want it kept as unknown", row, v.Rows)
		}
	}
	for _, text := range []string{"", "netstat: not found\n", "Kernel Interface table\n"} {
		if _, err := interfaces.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestFrench(t *testing.T) {
	v := codec.Read(t, "Nom   Mtu   Réseau      Adresse           Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      0.9.6b.2e.5.ff    16    0        6       0     0\n")
	if n := v.Rows[0].Counters["Opkts"]; n != 6 {
		t.Errorf("Opkts under a French heading: got %d, want 6", n)
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "netstat_in/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample); codec.Damaged(t, withDrop) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample, withDrop) }

const zoned = `Name  Mtu   Network     Address            ZoneID    Ipkts Ierrs    Opkts Oerrs  Coll
en5   1500  link#2      98.be.94.1.2.3              123456     0    12312     0     0
en5   1500  192.0.2     192.0.2.11                  123456     0    12312     0     0
en5   1500  fe80::9abe  fe80::9abe:94ff:1         2 123456     0    12312     0     0
en6*  1500  link#3      98.be.94.1.2.4            -      7     0        0     0     0
lo0   16896 link#1                                     434     0      434     0     0
`

// The column of IPv6 zones is empty on most rows and never a counter.
func TestZones(t *testing.T) {
	v := codec.Read(t, zoned)
	if len(v.Unknown) > 0 || len(v.Rows) != 5 {
		t.Fatalf("got %d rows, unknown %v, want 5 and nothing unknown", len(v.Rows), v.Unknown)
	}
	for i, want := range []struct {
		address, zone string
		ipkts, coll   uint64
	}{
		{"98.be.94.1.2.3", "", 123456, 0}, {"192.0.2.11", "", 123456, 0}, {"fe80::9abe:94ff:1", "2", 123456, 0},
		{"98.be.94.1.2.4", "-", 7, 0}, {"", "", 434, 0},
	} {
		r := v.Rows[i]
		if r.Address != want.address || r.Zone != want.zone || r.Counters["Ipkts"] != want.ipkts || r.Counters["Coll"] != want.coll {
			t.Errorf("row %d: got %+v, want %+v", i, r, want)
		}
	}
}
