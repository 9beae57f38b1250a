package interfaces_test

import (
	"errors"
	"flag"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[interfaces.Table]{
	Parse: interfaces.Parse, Format: interfaces.Format,
	Report: func(t *interfaces.Table) *dialect.Report { return &t.Report },
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
	v := codec.RoundTrip(t, []byte(sample))
	if len(v.Unknown) > 0 || len(v.Rows) != 7 {
		t.Fatalf("got %d rows, unknown %v, want 7 rows and nothing unknown", len(v.Rows), v.Unknown)
	}
	for _, c := range []struct {
		row                      int
		name, mac, ip, net, iCol string
		down                     bool
		ipkts                    uint64
	}{
		{0, "en0", "00:09:6b:2e:05:ff", "", "link#2", "Ipkts", false, 562325},
		{1, "en0", "", "192.0.2.30", "192.0.2", "ipkts", false, 562325},
		{2, "en1", "02:00:00:0a:0b:0c", "", "link#3", "Ipkts", true, 0},
		{3, "en2", "", "fe80::a1b2:c3d4:e5f6:7788%4", "fe80::a1b2:c3d4:e5f6:7788%4", "Ipkts", false, 1234567890},
		{4, "lo0", "", "", "link#1", "Ipkts", false, 36891},
		{6, "lo0", "", "::1%1", "::1%1", "Ipkts", false, 36891},
	} {
		r := v.Rows[c.row]
		n := v.Counter(r, c.iCol)
		if r.Name != c.name || r.MAC() != c.mac || r.IP() != c.ip || r.Network != c.net || r.Down != c.down || n == nil || *n != c.ipkts {
			t.Errorf("row %d: got %+v mac %q ip %q, want %+v", c.row, r, r.MAC(), r.IP(), c)
		}
	}
	if n := v.Counter(v.Rows[0], "Drop"); n != nil {
		t.Errorf("Drop: got %d from a table without that column", *n)
	}
}

func TestDropAndMulticast(t *testing.T) {
	v := codec.RoundTrip(t, []byte(withDrop))
	if n := v.Counter(v.ByName("en0"), "Drop"); n == nil || *n != 17 {
		t.Errorf("Drop: got %v, want 17", n)
	}
	if got := len(v.Rows[1].Multicast); got != 3 || len(v.Unknown) > 0 {
		t.Errorf("multicast: got %d, unknown %v, want 3 and none", got, v.Unknown)
	}
}

// A row whose columns cannot be told apart is kept, not guessed.
func TestNotGuessed(t *testing.T) {
	for _, row := range []string{
		"en0   1500  10.32.77    10.32.77.30162325     0    60252     0     0", // address ran into the counter
		"en0   1500  10.32.77    10.32.77.30  162325     0    60252     0",
		"en0   1500  10.32.77    10.32.77.30  162325     0    60252     0   1,5",
		"en0   1500  a b c       10.32.77.30  162325     0    60252     0     0",
		"en0   1500  link#2      a.c6.24      -162325     0    60252     0     0",
	} {
		head := "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n"
		v := codec.RoundTrip(t, []byte(head+row+"\n"))
		if len(v.Rows) != 0 || len(v.Unknown) != 1 {
			t.Errorf("%q: got rows %+v, want it kept as unknown", row, v.Rows)
		}
	}
	for _, text := range []string{"", "netstat: not found\n", "Kernel Interface table\n"} {
		if _, err := interfaces.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestFrench(t *testing.T) {
	v := codec.RoundTrip(t, []byte("Nom   Mtu   Réseau      Adresse           Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      0.9.6b.2e.5.ff    16    0        6       0     0\n"))
	if n := v.Counter(v.ByName("en0"), "Opkts"); n == nil || *n != 6 {
		t.Errorf("Opkts under a French heading: got %v, want 6", n)
	}
}

func TestFormatFresh(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	v := interfaces.New()
	c := []*uint64{n(162325), n(0), n(60252), n(0), n(0)}
	v.Rows = []*interfaces.Row{
		{Name: "en0", MTU: 1500, Network: "link#2", Address: "a.c6.24.39.41.3", Counters: c},
		{Name: "en0", MTU: 1500, Network: "10.1", Address: "10.1.0.11", Counters: c,
			Multicast: []*interfaces.Multicast{{Address: "224.0.0.1"}}},
		{Name: "lo0", MTU: 16896, Network: "::1%1", Counters: c},
	}
	got := interfaces.Format(v)
	codectest.Golden(t, *update, "fresh.golden", got)
	if again := codec.RoundTrip(t, got); len(again.Unknown) > 0 {
		t.Errorf("own output not understood: %v", again.Unknown)
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, "netstat_in/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)); codec.Damaged(t, []byte(withDrop)) }

// A changed column name would be another column, a changed interface name or
// multicast address no such thing.
func TestEveryValue(t *testing.T) {
	codec.EveryValue(t, []byte(sample), ".Columns", ".Name")
	codec.EveryValue(t, []byte(withDrop), ".Columns", ".Name", ".Multicast")
}

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
	v := codec.RoundTrip(t, []byte(zoned))
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
		ipkts, coll := v.Counter(r, "Ipkts"), v.Counter(r, "Coll")
		if r.Address != want.address || r.Zone != want.zone || ipkts == nil || *ipkts != want.ipkts || coll == nil || *coll != want.coll {
			t.Errorf("row %d: got %+v, want %+v", i, r, want)
		}
	}
}
