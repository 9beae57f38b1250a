package replay

import (
	"math"
	"testing"
)

const tree = `Topas Monitor for host:                vios1 Interval:   2   Sat Nov 21 09:19:12 2026
===============================================================================
Network                                  KBPS   I-Pack   O-Pack    KB-In   KB-Out
ent5 (SEA)                               30.0     60.0     50.0     20.0     10.0
  |\--ent2 (EC PHYS)                     15.0     10.0     45.0      5.0     10.0
  |  |\--ent0 (PRIM)                      8.0      6.0     20.0      3.0      5.0
  |   \--ent1 (PRIM)                      7.0      4.0     25.0      2.0      5.0
  |\--ent6 (VETH CTRL)                    9.0      9.0      9.0      4.5      4.5
   \--ent4 (VETH)                        15.0     50.0      5.0     10.0      5.0
en5                                       0.0      0.0      0.0      0.0      0.0
ent9 (VETH)                                 -        -        -        -        -
lo0                                       0.0      0.0      0.0      0.0      0.0
`

func TestTree(t *testing.T) {
	rows := parseTree(tree)
	if len(rows) != 8 {
		t.Fatalf("got %d rows, want 8: one has no numbers", len(rows))
	}
	for i, want := range []int{0, 1, 2, 2, 1, 1, 0, 0} {
		if rows[i].depth != want {
			t.Errorf("%s: got depth %d, want %d", rows[i].name, rows[i].depth, want)
		}
	}
	got := treeFigures(rows)
	for f, want := range map[string]float64{
		"kbps_over_parts": 1, "sea_over_below": 1, "channel_over_members": 1,
		"below_in_pack": 60, "below_out_pack": 50, "members_in_pack": 10, "sea_kbps": 30,
	} {
		if math.Abs(got[f]-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", f, got[f], want)
		}
	}
	if got := treeFigures(parseTree("en0 1 2 3 4 5\n")); got != nil {
		t.Errorf("without an SEA: got %v, want nothing", got)
	}
}

func FuzzTree(f *testing.F) {
	f.Add(tree)
	f.Add("ent5 (SEA) -1 2 3 4 5")
	f.Fuzz(func(t *testing.T, text string) {
		for f, v := range treeFigures(parseTree(text)) {
			if v < 0 || math.IsNaN(v) {
				t.Errorf("%s: got %v of numbers that are not below 0", f, v)
			}
		}
	})
}

const session = `226 Transfer complete.
1005000000 bytes sent in 4.02 seconds (2.441e+05 Kbytes/s)
local: | dd if=/dev/zero bs=3350000 count=300 remote: /dev/null
Total Samples = 900

Process                                FREQ  Total Kernel   User Shared  Other
=======                                ====  ===== ======   ==== ======  =====
wait                                      2    700    700      0      0      0
/usr/bin/ftp                              1    120     90     20     10      0
/usr/bin/dd                               1     80     60     20      0      0
`

func TestFTPFigures(t *testing.T) {
	before := map[string]float64{largesendBytes: 5, largesendMost: 100}
	after := map[string]float64{largesendBytes: 1000005, largesendMost: 65160}
	got, err := ftpFigures(session, before, after)
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[string]float64{
		ftpTicks: 120, ftpKernelTicks: 90, ftpUserTicks: 30, ticksPerGB: 120 / 1.005, kernelPerGB: 90 / 1.005, ftpShare: 1.2 / 4.02,
		"bps": 2e9, largesendBytes: 1e6, largesendMost: 65160,
	} {
		if math.Abs(got[f]-want) > 1e-6*want {
			t.Errorf("%s: got %v, want %v", f, got[f], want)
		}
	}
	// Counters that are not printed stay unknown, and a size without any large
	// send is an older one's.
	got, err = ftpFigures(session, map[string]float64{}, map[string]float64{})
	if _, there := got[largesendBytes]; err != nil || there {
		t.Errorf("without counters: got %v, %v; want no figure of large sends", got, err)
	}
	got, err = ftpFigures(session, after, after)
	if _, there := got[largesendMost]; err != nil || there {
		t.Errorf("nothing sent large: got %v, %v; want no size", got, err)
	}
	for _, bad := range []string{"", "1 bytes sent in x seconds\n", session[:200]} {
		if got, err := ftpFigures(bad, before, after); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
}

func FuzzFTPFigures(f *testing.F) {
	f.Add(session)
	f.Add("1 bytes sent in 0 seconds\nProcess FREQ Total Kernel\nftp 1 2 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ftpFigures(text, nil, nil)
		if err == nil && (got[ftpKernelTicks] > got[ftpTicks] || got[ftpUserTicks] < 0) {
			t.Errorf("got %v: more kernel ticks than ticks", got)
		}
	})
}
