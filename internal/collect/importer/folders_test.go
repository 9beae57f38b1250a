package importer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

const (
	portLines = "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n" +
		"    inet 192.0.2.15/24 scope global eth0\n"
	settingLines = "Settings for eth0:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"
	memoryLines  = "sockets: used 290\nTCP: inuse 5 orphan 0 tw 0 alloc 8 mem 2\n"
	bootLines    = "[    0.000000] Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)\n[    1.200000] e1000e 0000:00:1f.6 eth0: Intel(R) PRO/1000\n"
	enLines      = "mtu 1500 Maximum IP Packet Size for This Device True\nmtu_bypass off Enable largesend True\nstate up Current Interface Status True\n"
	tunableLines = "tcp_sendspace = 262144\nrfc1323 = 1\nsb_max = 1048576\n"
	routeLines   = "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\n" +
		"Route Tree for Protocol Family 2 (Internet):\ndefault            192.0.2.1         UG        1      1000 en0      -      -\n"
)

// Hosts' folders in which nothing or one file names the host, and a file of another system, that names its host or none.
func TestFileOfAnotherSystem(t *testing.T) {
	folders := map[string]map[string]string{
		"Linux, unnamed":         {"web7/ip_addr.txt": portLines, "web7/ethtool.txt": settingLines, "web7/sockstat.txt": memoryLines},
		"Linux, one output":      {"vm/ip_addr.txt": portLines},
		"Linux, unnamed and log": {"web7/dmesg.txt": bootLines, "web7/ip_addr.txt": portLines},
		"sosreport":              {"sosreport-db1/sos_commands/networking/ip_addr": portLines, "sosreport-db1/sos_commands/networking/ethtool_eth0": settingLines},
		"AIX, unnamed":           {"lpar1/lsattr_El_en0.txt": enLines, "lpar1/no_a.txt": tunableLines, "lpar1/netstat_rn.txt": routeLines},
		"AIX, named":             {"a/uname.txt": "AIX lpar1 2 7 00C8D2E44C00\n", "a/lsattr_El_en0.txt": enLines, "a/netstat_rn.txt": routeLines},
	}
	others := map[string]map[string]string{
		"Linux": {
			"partition":  "Node Name                                  : lpar9\nPartition Name                             : lpar9\nPartition Number                           : 9\n",
			"a session":  "root@lpar9:/# lsattr -El en0\n" + enLines,
			"attributes": enLines,
		},
		"AIX": {
			"a log":     bootLines,
			"a session": "root@web9:~# ip addr\n" + portLines,
			"settings":  settingLines,
		},
	}
	for name, files := range folders {
		dir := t.TempDir()
		for at, text := range files {
			writeForged(t, filepath.Join(dir, at), []byte(text))
		}
		want := decided(t, dir, unchanged)
		system, _, _ := strings.Cut(strings.Replace(name, "sosreport", "Linux", 1), ",")
		beside := filepath.Dir(slices.Collect(maps.Keys(files))[0])
		for kind, text := range others[system] {
			at := filepath.Join(dir, beside, "zz-extra.txt")
			writeForged(t, at, []byte(text))
			if d := differs(want, decided(t, dir, unchanged), ""); d != "" {
				t.Errorf("%s, with %s of another system: %s", name, kind, d)
			}
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The file that speaks against all others of a host is left out, and said to be; the others stay.
func TestOddFile(t *testing.T) {
	files := map[string]string{"uname.txt": "AIX lpar1 2 7 00C8D2E44C00\n", "lparstat.txt": "Node Name                                  : lpar1\n" +
		"Partition Name                             : lpar1\nPartition Number                           : 3\n", "lsattr_El_en0.txt": enLines,
		"other.txt": "Partition Number                           : 9\nType                                       : Shared-SMT-4\n" +
			"Mode                                       : Uncapped\nEntitled Capacity                          : 1.00\n"}
	dir := t.TempDir()
	for name, text := range files {
		writeForged(t, filepath.Join(dir, "lpar1", name), []byte(text))
	}
	r, err := Import(t.Context(), []string{dir}, filepath.Join(t.TempDir(), "out"), Options{})
	if err == nil || !strings.Contains(err.Error(), "other.txt is left out") || len(r.Hosts) != 1 || r.Hosts[0].Outputs != 3 {
		t.Errorf("got %+v, %v, want lpar1 with three outputs and other.txt left out", r.Hosts, err)
	}
}

// madeFolder is a folder of real outputs of one system.
type madeFolder struct {
	system string
	seed   uint64
}

// A folder of real outputs, of which one names the host, stays that host's beside a real output of another system and
// with one file cut.
func TestMadeFolders(t *testing.T) {
	random := draw.Rand(t)
	texts, bySystem := indexed(t)
	var all []madeFolder
	for range 100 {
		for _, system := range []string{"aix", "linux"} {
			all = append(all, madeFolder{system, random.Uint64()})
		}
	}
	for _, f := range draw.Costly(t, 200, 50, all) {
		f.check(t, texts, bySystem)
	}
}

// indexed are the real outputs by name, and their names by the system that printed them.
func indexed(t *testing.T) (texts map[string]string, bySystem map[string][]string) {
	t.Helper()
	texts, bySystem = map[string]string{}, map[string][]string{}
	for _, l := range codectest.Index(t) {
		system := "linux"
		switch {
		case strings.Contains(l.Fields[2], "HMC"), strings.Contains(l.Fields[2], "VIOS"), strings.Contains(l.Fields[1], "iperf"):
			continue // what could be of a client or of several systems
		case strings.Contains(l.Fields[2], "AIX"):
			system = "aix"
		}
		text := codectest.Text(t, l.Path)
		if len(text) > 16<<10 {
			continue
		}
		name := strings.ReplaceAll(l.Fields[0], "/", "-")
		texts[name] = text
		bySystem[system] = append(bySystem[system], name)
	}
	return texts, bySystem
}

func (f madeFolder) check(t *testing.T, texts map[string]string, bySystem map[string][]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(f.seed, 1))
	pick := func(system string) string { return bySystem[system][random.IntN(len(bySystem[system]))] }
	dir := t.TempDir()
	uname, other := "AIX box7 2 7 00C8D2E44C00\n", "linux"
	if f.system == "linux" {
		uname, other = "Linux box7 6.1.0-18-amd64 #1 SMP Debian x86_64 GNU/Linux\n", "aix"
	}
	writeForged(t, filepath.Join(dir, "box7", "uname.txt"), []byte(uname))
	for n := range 3 + random.IntN(4) {
		name := pick(f.system)
		writeForged(t, filepath.Join(dir, "box7", plainName(name, n)), []byte(texts[name]))
	}
	want := decided(t, dir, unchanged)
	foreign := pick(other)
	trial{"a folder of " + f.system, foreign}.check(t, dir, "box7", texts[foreign], want)
	files := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(file string) bool { return strings.HasSuffix(file, "uname.txt") })
	if len(files) > 0 {
		cutOne(t, f.system, dir, files[random.IntN(len(files))], want, random)
	}
}

var deviceInName = regexp.MustCompile(`\b(?:en|ent|eth)\d+\b`)

// plainName is a file's name that says what a real output is of, and not whose.
func plainName(name string, n int) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(name, "linux-"), "-")
	return fmt.Sprintf("%s_%s_%d.txt", kind, deviceInName.FindString(name), n)
}
