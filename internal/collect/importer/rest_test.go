package importer_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// Outputs of a text that name no host are left out alone where another system printed them than those of the host that is named.
func TestUnnamedOfAnotherSystem(t *testing.T) {
	text := "$ lsmap -vadapter vhost25\nSVSA            Physloc                                      Client Partition ID\n" +
		"--------------- -------------------------------------------- ------------------\nvhost25         U8233.E8B.0637D5P-V1-C181                    0x0000001a\n\n" +
		"VTD                   linuxos_1\nStatus                Available\nLUN                   0x8200000000000000\nBacking device        linuxos_lv\n\n" +
		"[root@web7 ~]# uname -a\n" + linuxNode
	in := put(t, map[string]string{"a/log.txt": text})
	r, err := importer.Import(t.Context(), []string{in}, filepath.Join(t.TempDir(), "out"), importer.Options{})
	if len(r.Hosts) != 1 || r.Hosts[0].Platform != "linux" || err == nil || !strings.Contains(err.Error(), "no prompt and no heading") {
		t.Errorf("got %+v, %v, want the Linux host and the reason", r.Hosts, err)
	}
}

// What follows an output below one prompt is an output, too, or a note.
func TestSeveralBelowOnePrompt(t *testing.T) {
	port := "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        ether 02:00:00:00:00:01  txqueuelen 1000  (Ethernet)\n" +
		"        RX packets 450085  bytes 287538677 (274.2 MiB)\n        RX errors 0  dropped 0  overruns 0  frame 0\n"
	driver := "driver: bnx2x\nversion: 5.10.0\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a second output":         {"root@web7:~# ethtool -i eth0\n" + driver + "\nThe port shows errors:\n\n" + port, []string{"ethtool -i", "ifconfig -a (Linux)"}},
		"code of a program":       {"root@web7:~# ifconfig eth0\n" + port + "Some of it comes from\n/proc/net/dev, like\nerrors and\nseq_printf(seq)\n", []string{"ifconfig -a (Linux)"}},
		"an output in a log":      {"[77.1] tg3 0000:01:00.0 eth0: Link is down\n[78.1] tg3 0000:01:00.0 eth0: Link is up\n\n" + port, []string{"dmesg", "ifconfig -a (Linux)"}},
		"rows of iperf3 are none": {"root@web7:~# ethtool -i eth0\n" + driver + "root@web7:~# x\n[  4]   0.00-5.00   sec  38.8 MBytes  65.1 Mbits/sec\n", []string{"ethtool -i"}},
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"a/log.txt": c.text}))
		var got []string
		for _, p := range r.Files[0].Parts {
			if p.Kind != "note" && !strings.HasPrefix(p.Kind, "other") {
				got = append(got, p.Kind)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Commands whose outputs are kept and not read say which system has them, as far as the shell found them.
func TestSystemOfPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"root@lpar7:/# errpt -a\nwhat nobody knows\n":                                                      "aix",
		"root@lpar7:/# lsvg -l rootvg\nrootvg:\nhd5 boot 1 1 1\nroot@lpar7:/# oslevel -q\nthe levels\n":    "aix",
		"root@web7:~# lsvg\nbash: lsvg: command not found\nroot@web7:~# ip route\n192.0.2.0/24 dev eth0\n": "linux",
		"root@web7:~# frobnicate status\nall is well\nroot@web7:~# ip addr\nwords\n":                       "unknown",
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"a/log.txt": text}))
		if len(r.Hosts) != 1 || r.Hosts[0].Platform != want {
			t.Errorf("%q: got %+v, want one host of platform %s", text, r.Hosts, want)
		}
	}
}

// What no output is recognised in is kept beside one that is: an answer that is not read as its command's, other lines as a note.
// Alone it is not understood, unless a prompt says of which host it is.
func TestRestIsKept(t *testing.T) {
	const unread, words = "Rxxg parametxrs fxr eth0\nPrx-set maxxmums\n", "7f 11 zz\nqq 12 yy\n"
	for name, c := range map[string]struct {
		text string
		want importer.Counts
		kind string
	}{
		"an unread answer": {"root@web7:~# uname -a\n" + linuxNode + "root@web7:~# ethtool -g eth0\n" + unread,
			importer.Counts{Lines: 3, Understood: 1, Kept: 2}, "unread answer"},
		"lines of nobody": {"=== one ===\n" + words + "=== uname -a ===\n" + linuxNode,
			importer.Counts{Lines: 4, Understood: 1, Kept: 3, Notes: 3}, "note"},
		"alone, of a host":  {"root@web7:~# ethtool -g eth0\n" + unread, importer.Counts{Lines: 2, Kept: 2}, "unread answer"},
		"alone, of no host": {"# ethtool -g eth0\n" + unread, importer.Counts{Lines: 2, Unknown: 2}, importer.Unrecognised},
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"a/log.txt": c.text}))
		kinds := map[string]bool{}
		for _, f := range r.Files {
			for _, p := range f.Parts {
				kinds[p.Kind] = true
				if p.Kind == c.kind && len(p.Warnings) == 0 {
					t.Errorf("%s: nothing says that %s is kept and not evaluated", name, p.Kind)
				}
			}
		}
		if r.Counts != c.want || !kinds[c.kind] {
			t.Errorf("%s: got %+v of %v, want %+v with %s", name, r.Counts, kinds, c.want, c.kind)
		}
	}
}
