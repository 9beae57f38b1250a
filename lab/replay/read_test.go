package replay

import (
	"math"
	"os/exec"
	"strings"
	"testing"
)

// experiment gives one of the project's by id.
func experiment(t testing.TB, id string) *Experiment {
	t.Helper()
	list, err := Find([]string{id})
	if err != nil {
		t.Fatal(err)
	}
	return &list[0]
}

// figures are those of what the experiment's commands printed, one text each.
func figures(t testing.TB, e *Experiment, before map[string]float64, texts ...string) map[string]float64 {
	t.Helper()
	s := newSamples()
	tr := &trial{stage: &stage{Experiment: e, samples: s}, kase: e.cases("")[0], block: 1}
	got := map[string]float64{}
	for i, text := range texts {
		for f, v := range e.Commands[i].read(text, before) {
			got[f] = v
		}
	}
	tr.keep(got)
	for f, v := range s.values[tr.kase.name] {
		got[f] = v[1]
	}
	return got
}

func expect(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for f, v := range want {
		if math.Abs(got[f]-v) > 1e-6*v {
			t.Errorf("%s: got %v, want %v", f, got[f], v)
		}
	}
}

const tree = `Topas Monitor for host:                vios1 Interval:   2   Sat Nov 21 09:19:12 2026
===============================================================================
Network                                  KBPS   I-Pack   O-Pack    KB-In   KB-Out
ent5 (SEA)                               30.0     60.0     50.0     20.0     10.0
  |\--ent2 (EC PHYS)                     15.0     10.0     45.0      5.0     10.0
  |  |\--ent0 (PRIM)                      8.0      6.0     20.0      3.0      5.0
  |   \--ent1 (PRIM)                      7.0      4.0     25.0      2.0      5.0
  |\--ent6 (VETH CTRL)                    9.0      9.0      9.0      4.5      4.5
   \--ent4 (VETH)                        15.0     50.0      5.0     10.0      5.0
en5                                       1.0      1.0      1.0      1.0      1.0
ent9 (VETH)                                 -        -        -        -        -
lo0                                       0.0      0.0      0.0      0.0      0.0
`

// The tree of topas -E adds up: its awk program reads what topas prints.
func TestTree(t *testing.T) {
	e := experiment(t, "E003-TOPAS-E")
	awk := strings.NewReplacer("sleep 1; topas -E -i 2", "cat", "; sleep 2", "").Replace(e.Commands[1].Run)
	cmd := exec.Command("sh", "-c", awk)
	cmd.Stdin = strings.NewReader(tree)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	expect(t, figures(t, e, nil, "", string(out)), map[string]float64{
		"sea_kbps": 30, "kbps_over_parts": 1, "sea_over_below": 1, "channel_over_members": 1, "below_packets": 110, "members_packets": 55,
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
	e := experiment(t, "E001-FTP-TPROF")
	counted := "\t1000005 bytes sent using largesend\n\t65160 bytes is the biggest largesend\n"
	expect(t, figures(t, e, map[string]float64{"largesend_bytes": 5}, session, counted), map[string]float64{
		"ftp_ticks": 120, "ftp_kernel_ticks": 90, "ticks_per_gb": 120 / 1.005, "kernel_ticks_per_gb": 90 / 1.005,
		"tool_share": 1.2 / 4.02, "bps": 2e9, "largesend_bytes": 1e6, "largesend_biggest": 65160,
	})
	// Counters that are not printed stay unknown, and a size without any large
	// send is an older one's.
	if got := figures(t, e, map[string]float64{}, session, ""); got["bps"] == 0 || len(got) != 8 {
		t.Errorf("without counters: got %v, want no figure of large sends", got)
	}
	if got := figures(t, e, map[string]float64{"largesend_bytes": 1000005}, session, counted); got["largesend_biggest"] != 0 {
		t.Errorf("nothing sent large: got %v, want no size", got)
	}
}

func TestNetperfFigures(t *testing.T) {
	const said = `TCP STREAM TEST to 10.10.10.13
Recv   Send    Send
Socket Socket  Message  Elapsed
Size   Size    Size     Time     Throughput
bytes  bytes   bytes    secs.    10^6bits/sec

 16384  16385  16384    10.00    3713.83
`
	expect(t, figures(t, experiment(t, "E002-NETPERF-16384"), nil, said), map[string]float64{"bps": 3713.83e6, "window": 16385})
}

func FuzzRead(f *testing.F) {
	f.Add(session, 5.0)
	f.Add("1 bytes sent using largesend", math.Inf(1))
	e := experiment(f, "E001-FTP-TPROF")
	f.Fuzz(func(t *testing.T, text string, was float64) {
		for i := range e.Commands {
			for name, v := range e.Commands[i].read(text, map[string]float64{"largesend_bytes": was}) {
				if v < 0 {
					t.Errorf("%s: got %v", name, v)
				}
			}
		}
	})
}
