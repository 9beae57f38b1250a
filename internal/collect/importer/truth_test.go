package importer_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
)

// statistics is entstat of a virtual adapter, with a MAC of its own.
func statistics(adapter, mac string) string {
	return "-------------------------------------------------------------\nETHERNET STATISTICS (" + adapter + ") :\n" +
		"Device Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: " + mac + "\nElapsed Time: 1 days 2 hours 3 minutes 4 seconds\n\n" +
		"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\n" +
		"Packets: 10                                   Packets: 20\nBytes: 1000                                   Bytes: 2000\n"
}

// Files of three hosts in one folder, named as people name them.
func TestFileNames(t *testing.T) {
	for _, style := range []string{
		"%s_entstat_%s.txt", "%s_entstat_%s_20261101.txt", "%s.%s.txt", "%s-entstat.%s", "entstat_%[2]s.%[1]s", "20261101-%s-entstat-d-%s.log",
		"entstat-d@%[2]s@%[1]s.out", "%s entstat -d %s.txt", "%s_entstat_%s.xml", "%s-entstat-%s.yml",
		"2026-11-01_12-30_%s_entstat.%s.txt", "%s.example.com_entstat_%s.txt",
	} {
		t.Run(style, func(t *testing.T) {
			files := map[string]string{}
			want := []string{"lpar3", "vios1", "vios2"}
			for i, h := range want {
				ent := fmt.Sprint("ent", 4+i)
				files["flat/"+fmt.Sprintf(style, h, ent)] = statistics(ent, fmt.Sprintf("02:00:00:00:00:0%d", i))
			}
			r, fleet := imported(t, importer.Options{}, put(t, files))
			var got []string
			for _, h := range fleet.Hosts {
				name, _, _ := strings.Cut(h.Name, ".")
				got = append(got, name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("hosts (-want +got):\n%s%+v", diff, r.Hosts)
			}
		})
	}
}

// One folder with files of three hosts, named in six ways, is three hosts.
func TestMixedFileNames(t *testing.T) {
	files, want := map[string]string{}, map[string]int{}
	for i, h := range []string{"lpar3", "vios1", "vios2"} {
		for n, style := range []string{"%s_entstat_%s.txt", "%s.%s.txt", "%s-entstat.%s", "entstat_%[2]s.%[1]s", "20261101-%s-entstat-d-%s.log", "%s entstat -d %s.txt"} {
			ent := fmt.Sprint("ent", n)
			files["flat/"+fmt.Sprintf(style, h, ent)] = statistics(ent, fmt.Sprintf("02:00:00:00:0%d:0%d", i, n))
		}
		files["flat/"+h+"_no_L_use_isno.txt"] = "use_isno = 1\n"
		files["flat/lsattr_Rl_ent0_a_max_buf_huge."+h] = "24...128 (+1)\n"
		want[h] = 6
	}
	r, fleet := imported(t, importer.Options{}, put(t, files))
	got := map[string]int{}
	for _, h := range fleet.Hosts {
		got[h.Name] = len(h.Elements)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("adapters by host (-want +got):\n%s%+v", diff, r.Hosts)
	}
}

// Files of one host whose names say only what is in them stay one host.
func TestOneHostsFolder(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"topics":     {"lpar1/network-options.txt": "tcp_sendspace = 262144\nrfc1323 = 1\nsb_max = 1048576\n", "lpar1/adapter.txt": off, "lpar1/before.txt": statistics("ent0", "02:00:00:00:00:01")},
		"devices":    {"lpar1/ent0.txt": statistics("ent0", "02:00:00:00:00:01"), "lpar1/ent1.txt": statistics("ent1", "02:00:00:00:00:02")},
		"dates":      {"lpar1/entstat_20261101.txt": statistics("ent0", "02:00:00:00:00:01"), "lpar1/lsattr_en0_20261101.txt": off},
		"one prefix": {"x/lpar1_entstat.txt": statistics("ent0", "02:00:00:00:00:01"), "x/lpar1_lsattr_en0.txt": off},
	} {
		t.Run(name, func(t *testing.T) {
			_, fleet := imported(t, importer.Options{}, put(t, files))
			if len(fleet.Hosts) != 1 || fleet.Hosts[0].Name != "lpar1" {
				t.Errorf("got %d hosts, want lpar1 alone: %v", len(fleet.Hosts), fleet.Hosts)
			}
		})
	}
}

// A file of another host beside those that name theirs is not taken for theirs.
func TestFileNamesBesideNames(t *testing.T) {
	_, fleet := imported(t, importer.Options{}, put(t, map[string]string{
		"d/lpar1_uname.txt": node("lpar1"), "d/lpar1_lsattr_en0.txt": off, "d/lpar2_lsattr_en0.txt": on,
	}))
	got := map[string]string{}
	for _, h := range fleet.Hosts {
		got[h.Name] = *h.Elements["en0"].Attrs["mtu_bypass"].NextBoot
	}
	if diff := cmp.Diff(map[string]string{"lpar1": "off", "lpar2": "on"}, got); diff != "" {
		t.Errorf("mtu_bypass by host (-want +got):\n%s", diff)
	}
}

// One file that names its host does not name those of files beside it that are
// called after others; what shares its file name's host is its.
func TestFileNamesBesideAnAlias(t *testing.T) {
	_, fleet := imported(t, importer.Options{}, put(t, map[string]string{
		"d/lpar7_uname.txt": node("db-prod"), "d/lpar7-lsattr-en0.txt": off, "d/vios1_entstat_ent4.txt": statistics("ent4", "02:00:00:00:00:01"),
		"d/vios1-netstat_in.txt": routes, "d/vios2.ent5.txt": statistics("ent5", "02:00:00:00:00:02"), "d/netstat_rn.vios2": routes,
	}))
	var got []string
	for _, h := range fleet.Hosts {
		got = append(got, h.Name)
	}
	if diff := cmp.Diff([]string{"db-prod", "vios1", "vios2"}, got); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

const routes = "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\n" +
	"Route Tree for Protocol Family 2 (Internet):\ndefault            10.1.1.1          UG        0      1234 en0      -      -\n"

// report is a log of a script that heads each output.
func report(host, at, value string) string {
	var b strings.Builder
	for _, o := range [][2]string{{"lsattr -El en0", value}, {"entstat -d ent0", statistics("ent0", "02:00:00:00:00:01")}} {
		fmt.Fprintf(&b, "%[1]s\nTimestamp : %[2]s\nHost      : %[3]s\nPurpose   : state\nCommand   : %[4]s\n%[1]s\n%[5]s\n", strings.Repeat("=", 66), at, host, o[0], o[1])
	}
	return b.String()
}

// Two times of one host are two snapshots, the later of which is the host's.
func TestTwoTimes(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"headings":   {"a.txt": report("lpar1", "2026-09-17 16:17:49", off), "b.txt": report("lpar1", "2026-09-17 16:21:56", on)},
		"one log":    {"log.txt": report("lpar1", "2026-09-17 16:17:49", off) + report("lpar1", "2026-09-17 16:21:56", on)},
		"file names": {"lpar1_lsattr_en0_20260917-1617.txt": off, "lpar1_lsattr_en0_20260917-1621.txt": on},
		"folders":    {"lpar1_2026-09-17/lsattr-en0.txt": off, "lpar1_2026-09-17/u.txt": node("lpar1"), "lpar1_2026-09-18/lsattr-en0.txt": on, "lpar1_2026-09-18/u.txt": node("lpar1")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			r, err := importer.Import(context.Background(), []string{put(t, files)}, dir, importer.Options{})
			if err != nil || len(r.Hosts) != 2 {
				t.Fatalf("got %+v, %v, want two snapshots", r.Hosts, err)
			}
			for i, want := range []string{"off", "on"} {
				at := dir
				if i == 0 {
					at = filepath.Dir(r.Hosts[0].Dir)
				}
				fleet, err := collect.Inventories(t.Context(), at)
				if err != nil || len(fleet.Hosts) != 1 || fleet.Hosts[0].Name != "lpar1" {
					t.Fatalf("%s: got %v, %v, want lpar1", at, fleet.Hosts, err)
				}
				if got := *fleet.Hosts[0].Elements["en0"].Attrs["mtu_bypass"].NextBoot; got != want {
					t.Errorf("reading %d: mtu_bypass %s, want %s", i, got, want)
				}
				if !fleet.Hosts[0].Taken.Equal(r.Hosts[i].Taken) || i == 1 && !r.Hosts[1].Taken.After(r.Hosts[0].Taken) {
					t.Errorf("times: got %s and %s", r.Hosts[0].Taken, r.Hosts[1].Taken)
				}
			}
		})
	}
}

// Outputs that cannot be of one host are not merged, and the reason is given.
func TestTwoIdentities(t *testing.T) {
	partition := func(n int) string {
		return fmt.Sprintf("Node Name                                  : lpar\nPartition Name                             : lpar\nPartition Number                           : %d\n", n)
	}
	for name, c := range map[string]struct {
		files  map[string]string
		reason string
	}{
		"MACs":              {map[string]string{"h/a.txt": statistics("ent0", "02:00:00:00:00:01"), "h/b.txt": "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      2.0.0.0.0.2              8     0        7     0     0\n"}, "MAC of ent0"},
		"partition numbers": {map[string]string{"x/lparstat.txt": partition(3), "y/lparstat2.txt": partition(4) + "Mode : Uncapped\n"}, "partition's number"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			r, err := importer.Import(context.Background(), []string{put(t, c.files)}, dir, importer.Options{Host: "h"})
			if err == nil || !strings.Contains(err.Error(), c.reason) || !strings.Contains(err.Error(), "two hosts") {
				t.Errorf("got %v, want it refused for the %s", err, c.reason)
			}
			if len(r.Hosts) != 0 || len(r.Problems) != 1 {
				t.Errorf("got hosts %+v, problems %v, want none written and one problem", r.Hosts, r.Problems)
			}
		})
	}
}

// --host is the host whatever files and texts say.
func TestHostWins(t *testing.T) {
	files := map[string]string{"vios1_lsattr_en0.txt": off, "u.txt": node("lpar9"), "log.txt": report("lpar1", "2026-09-17 16:17:49", off)}
	_, fleet := imported(t, importer.Options{Host: "lpar7"}, put(t, files))
	if len(fleet.Hosts) != 1 || fleet.Hosts[0].Name != "lpar7" {
		t.Errorf("got %v, want lpar7 alone", fleet.Hosts)
	}
}

// Lines are understood, kept, or not understood, and only the first are 100 %.
func TestCounts(t *testing.T) {
	r, _ := imported(t, importer.Options{}, put(t, map[string]string{
		"a/u.txt": node("lpar1"), "a/kept.txt": "REF1   SRAD        MEM      CPU\n0\n          0    1000.00      0-7\n", "a/prose.txt": "one\ntwo\n",
		"a/cut.txt": "en0: flags=1e084863,480<UP,BROADC",
	}))
	if r.Understood != 1 || r.Lines != 7 || r.Kept != 3 || r.Unknown != 3 {
		t.Errorf("got %d of %d understood, %d kept, %d not understood; want 1 of 7, 3, 3", r.Understood, r.Lines, r.Kept, r.Unknown)
	}
	for _, f := range r.Files {
		if strings.HasSuffix(f.File, "kept.txt") && f.Coverage != nil {
			t.Errorf("%s: coverage %v, want none: nothing was evaluated", f.File, *f.Coverage)
		}
	}
}

// What is read and then used for nothing counts as kept: another platform's output, one of a device that is not of the
// network, one that no rule uses. What a later reading replaces counts as not used.
func TestUnderstoodIsEvaluated(t *testing.T) {
	disk := "queue_depth   20   Queue DEPTH   True\nreserve_policy   no_reserve   Reserve Policy   True\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  importer.Counts
	}{
		"evaluated":          {map[string]string{"a/u.txt": node("lpar1"), "a/lsattr_en0.txt": on}, importer.Counts{Lines: 3, Understood: 3}},
		"another platform's": {map[string]string{"a/u.txt": linuxNode, "a/lsattr_en0.txt": on}, importer.Counts{Lines: 3, Understood: 1, Kept: 2}},
		"a disk's":           {map[string]string{"a/log.txt": "# uname -a\n" + node("lpar1") + "# lsattr -El hdisk0\n" + disk}, importer.Counts{Lines: 3, Understood: 1, Kept: 2}},
		"no rule's":          {map[string]string{"a/log.txt": "# uname -a\n" + node("lpar1") + "# ifconfig -l\nen0 lo0\n"}, importer.Counts{Lines: 2, Understood: 1, Kept: 1}},
		"a namespace's":      {map[string]string{"a/log.txt": "# uname -a\n" + linuxNode + "# ip netns exec q-1 ip -s link\n" + link("eth0")}, importer.Counts{Lines: 7, Understood: 1, Kept: 6}},
		"an earlier one":     {map[string]string{"a/log.txt": "# uname -a\n" + node("lpar1") + "# lsattr -El en0\n" + off + "# lsattr -El en0\n" + on}, importer.Counts{Lines: 5, Understood: 3, Unused: 2}},
		"an HMC's":           {map[string]string{"hmc/log.txt": "# lshmc -n\nhostname=hmc1,domain=example.com\n"}, importer.Counts{Lines: 1, Kept: 1}},
	} {
		r, _ := imported(t, importer.Options{}, put(t, c.files))
		if diff := cmp.Diff(c.want, r.Counts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
