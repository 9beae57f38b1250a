package importer_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/inventory/model"
)

const (
	linuxNode = "Linux web7 6.1.0-18-amd64 #1 SMP Debian x86_64 GNU/Linux\n"
	loopback  = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n" +
		"    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n"
	driver   = "driver: igb\nversion: 6.1.0\nfirmware-version: 1.2\nbus-info: 0000:03:00.0\n"
	counters = "NIC statistics:\n     rx_packets: 9000\n     tx_packets: 8000\n     rx_missed_errors: %MISSED\n"
)

// address is ip addr of a port.
func address(device, ip string) string {
	return loopback + "2: " + device + ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP group default qlen 1000\n" +
		"    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n    inet " + ip + "/24 scope global " + device + "\n"
}

// link is ip -s link of a port.
func link(device string) string {
	return "2: " + device + ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000\n" +
		"    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n    RX: bytes  packets  errors  dropped missed  mcast\n" +
		"    800000000  700000   0       0       0       0\n    TX: bytes  packets  errors  dropped carrier collsns\n" +
		"    300000000  400000   0       0       0       0\n"
}

func missed(n string) string { return strings.ReplaceAll(counters, "%MISSED", n) }

// An output that could be of another system never decides against one that names the system.
func TestPlatform(t *testing.T) {
	host := map[string]string{"web7/uname.txt": linuxNode, "web7/log.txt": "# ip addr\n" + address("eth0", "192.0.2.15")}
	for name, text := range map[string]string{
		"cpuacct.usage":  "184400044073\n",
		"interface.yaml": "name: backup-store\nsummary: connects a host to its store\nversion: 1\nmaintainer: storage team\n",
		"sockets.txt": "Active Internet connections (servers and established)\nProto Recv-Q Send-Q Local Address  Foreign Address  State\n" +
			"tcp  0  0 0.0.0.0:22  0.0.0.0:*  LISTEN\n",
		"lsattr_en0.txt": off,
	} {
		files := maps.Clone(host)
		files["web7/"+name] = text
		r, fleet := imported(t, importer.Options{}, put(t, files))
		if len(r.Hosts) != 1 || r.Hosts[0].Platform != "linux" || fleet.Hosts[0].Elements["eth0"] == nil {
			t.Errorf("%s: got %v, want web7 of Linux with its eth0", name, found(r))
		}
		if got := chosen(r.Hosts[0], importer.OfPlatform); got.Name != "linux" || got.Weight == 0 || got.Evidence[0].Sign != "uname -a" {
			t.Errorf("%s: %+v does not say why it is Linux", name, got)
		}
	}
	r, _ := imported(t, importer.Options{Platform: "aix"}, put(t, host))
	if r.Hosts[0].Platform != "aix" {
		t.Errorf("--platform aix: got %s", r.Hosts[0].Platform)
	}
	if _, err := importer.Import(t.Context(), []string{put(t, host)}, t.TempDir(), importer.Options{Platform: "beos"}); err == nil {
		t.Error("--platform beos is taken")
	}
}

// What else lies in a host's folder changes nothing else about the host.
func TestForeignFile(t *testing.T) {
	host := map[string]string{
		"web7/uname.txt": linuxNode, "web7/ip_addr.txt": address("eth0", "192.0.2.15"), "web7/ethtool_i_eth0.txt": "# ethtool -i eth0\n" + driver,
		"web7/ethtool_S_eth0.txt": missed("70000"), "web7/log.txt": "root@web7:~# ip -s link\n" + link("eth0"),
	}
	_, fleet := imported(t, importer.Options{}, put(t, host))
	want := fleet.Hosts[0]
	for name, text := range map[string]string{
		"number": "184400044073\n", "lsattr": off, "prose": "call the network team\n", "lpar3.txt": node("lpar3"),
		"other.log": "root@db2:~# ip addr\n" + address("ens4", "192.0.2.99"), "entstat": statistics("ent0", "02:00:00:00:00:01"),
		"list.yaml": "name: store\nversion: 1\nsummary: text of a program\n",
	} {
		files := maps.Clone(host)
		files["web7/"+name] = text
		_, fleet := imported(t, importer.Options{}, put(t, files))
		i := slices.IndexFunc(fleet.Hosts, func(h *model.Host) bool { return h.Name == want.Name })
		if i < 0 {
			t.Errorf("%s: %s is not among %d hosts", name, want.Name, len(fleet.Hosts))
			continue
		}
		if diff := cmp.Diff(want, fleet.Hosts[i], same); diff != "" {
			t.Errorf("%s changes the host (-without +with):\n%s", name, diff)
		}
	}
}

// Outputs about the same devices add up, and those about different ones are all kept.
func TestNothingIsLost(t *testing.T) {
	_, fleet := imported(t, importer.Options{}, put(t, map[string]string{
		"gw/log.txt": "# ip addr\n" + address("eth0", "192.0.2.10") + "# ip -s link\n" + link("eth0") + "# ip link show bond0.20\n" +
			"9: bond0.20@bond0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000\n" +
			"    link/ether 00:00:5e:00:53:18 brd ff:ff:ff:ff:ff:ff\n",
	}))
	h := fleet.Hosts[0]
	e := h.Elements["eth0"]
	if e == nil || len(e.Addrs) != 1 || e.Counters.Len() == 0 || h.Elements["bond0.20"] == nil {
		t.Errorf("got %+v among %v, want eth0 with its address and counters, and bond0.20", e, slices.Collect(maps.Keys(h.Elements)))
	}
}

// Two readings of a device are two readings of its host.
func TestBeforeAndAfter(t *testing.T) {
	r, _ := imported(t, importer.Options{}, put(t, map[string]string{
		"srv/ip_addr.txt": "$ ip addr\n" + address("eth0", "192.0.2.12"), "srv/ethtool_i.txt": "$ ethtool -i eth0\n" + driver,
		"srv/ethtool-S-before.txt": missed("5000"), "srv/ethtool-S-after.txt": missed("100000"),
	}))
	if len(r.Hosts) != 2 || r.Hosts[0].Host != "srv" || r.Hosts[1].Host != "srv" || !strings.Contains(r.Hosts[0].Dir, "earlier") {
		t.Fatalf("got %+v, want an earlier and a later reading of srv", r.Hosts)
	}
	for _, f := range r.Files {
		for _, p := range f.Parts {
			if !p.Stored || p.ID == "ethtool-S" && p.Element != "eth0" {
				t.Errorf("%s: stored %t, of %q; want it stored and of eth0", f.File, p.Stored, p.Element)
			}
		}
	}
}

// A sosreport is of one host: its files are named after commands and devices. A prompt names no host beside it, and
// what ran in a network namespace is not the host's own.
func TestWhose(t *testing.T) {
	sos := "sosreport-web7-2026-01-31-abcdefg/sos_commands/networking/"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a sosreport": {map[string]string{sos + "ethtool_-S_ens3": missed("1"), sos + "ethtool_-S_ens4": missed("2"), sos + "ip_-d_address": address("ens3", "192.0.2.14"),
			sos + "ethtool_-i_ens3": driver, sos + "ethtool_-i_ens4": driver, sos + "ip_netns_exec_q-1_ip_-d_address": address("ens9", "203.0.113.1")}, []string{"web7"}},
		"a sibling folder": {map[string]string{"pi/log.txt": "user@pi:~$ ip addr\n" + address("eth0", "192.0.2.1"), "client7/log.txt": "$ ip addr\n" + address("eth0", "192.0.2.2")},
			[]string{"client7", "pi"}},
		"names of devices": {map[string]string{"apu/ip_addr.txt": address("enp1s0", "192.0.2.13"), "apu/log.txt": "# ip -d link show ppp0\n" + link("ppp0"),
			"apu/ethtool_i_enp1s0.txt": "# ethtool -i enp1s0\n" + driver, "apu/ethtool_S_enp2s0.txt": missed("3")}, []string{"apu"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, fleet := imported(t, importer.Options{}, put(t, c.files))
			var got []string
			for _, h := range fleet.Hosts {
				got = append(got, h.Name)
				if h.Elements["ens9"] != nil {
					t.Error("the device of a network namespace is among the host's own")
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("hosts (-want +got):\n%s", diff)
			}
		})
	}
}

// A file of the kernel that looks like another one is not taken for it.
func TestFilesOfOneFolder(t *testing.T) {
	table := "entries  allocs   destroys hash_grows lookups  hits     res_failed rcv_probes_mcast rcv_probes_ucast periodic_gc_runs " +
		"forced_gc_runs unresolved_discards table_fulls\n" + strings.Repeat("00000004 ", 12) + "00000300\n"
	r, _ := imported(t, importer.Options{}, put(t, map[string]string{
		"node/uname": linuxNode, "node/proc/net/stat/arp_cache": table, "node/proc/net/stat/ndisc_cache": strings.ReplaceAll(table, "300", "000"),
	}))
	got := map[string]string{}
	for _, f := range r.Files {
		got[f.File[strings.LastIndexByte(f.File, '/')+1:]] = f.Parts[0].ID
		if !f.Parts[0].Stored {
			t.Errorf("%s is not stored", f.File)
		}
	}
	if want := map[string]string{"uname": "uname-a", "arp_cache": "arp-cache-stat", "ndisc_cache": "other"}; !maps.Equal(want, got) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// chosen is the candidate of a host that was taken.
func chosen(h importer.Host, of string) importer.Candidate {
	for _, c := range h.Decision {
		if c.Of == of && c.Chosen {
			return c
		}
	}
	return importer.Candidate{Evidence: []importer.Evidence{{}}}
}

// What spoke for another name or platform stands beside what was taken, and what somebody said overrules both.
func TestDecision(t *testing.T) {
	dir := put(t, map[string]string{"store/log.txt": "root@web7:~# uname -a\n" + linuxNode + "root@web7:~# ip addr\n" + address("eth0", "192.0.2.15"),
		"store/db3_log.txt": "# lsattr -El en0\n" + off + "# netstat -rn\n" + routes})
	for name, c := range map[string]struct {
		options importer.Options
		want    []string
	}{
		"as found": {importer.Options{}, []string{"host web7 4 node name of uname -a", "host store 4 folder name", "host db3 2 file name",
			"platform linux 56 uname -a", "platform aix 12 lsattr -El"}},
		"overruled": {importer.Options{Host: "app1", Platform: "aix"}, []string{"host app1 4 --host", "host store 4 folder name",
			"host db3 2 file name", "host web7 2 node name of uname -a", "platform aix 12 --platform", "platform linux 56 uname -a"}},
		"mapped": {importer.Options{Map: []importer.Mapping{{Files: "*", Host: "x"}, {Files: dir, Host: "app2", Platform: "vios"}}},
			[]string{"host app2 4 --map", "host store 4 folder name", "host db3 2 file name", "host web7 2 node name of uname -a",
				"platform vios 12 --map", "platform linux 56 uname -a"}},
	} {
		r, _ := imported(t, c.options, dir)
		var got []string
		for _, x := range r.Hosts[0].Decision {
			got = append(got, fmt.Sprintf("%s %s %d %s", x.Of, x.Name, x.Weight, x.Evidence[0].Sign))
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !r.Hosts[0].Decision[0].Chosen {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// dsh puts a name before each line, also of an output that is only kept.
func TestNamesBeforeKept(t *testing.T) {
	var lines strings.Builder
	for _, host := range []string{"web1", "web2"} {
		for _, l := range []string{"Architecture:        ppc64le", "Byte Order:          Little Endian", "CPU(s):              64", "Model name:          POWER9"} {
			lines.WriteString(host + ": " + l + "\n")
		}
	}
	r, _ := imported(t, importer.Options{}, put(t, map[string]string{"dsh.out": lines.String()}))
	if got := found(r); len(got) != 2 || !strings.HasPrefix(got["web1"], "linux") || !strings.HasPrefix(got["web2"], "linux") {
		t.Errorf("got %v, want web1 and web2 of Linux", got)
	}
}

// A typed command whose answer is in no known form is said to be so, and kept; one in German is asked for in English.
func TestAnswerInAnotherForm(t *testing.T) {
	r, _ := imported(t, importer.Options{Host: "lpar1"}, put(t, map[string]string{"log.txt": "root@lpar1:/# netstat -in\n" +
		"Name  Mtu   Netzwerk    Adresse  Ipkts Ierrs  Opkts Oerrs  Koll\nen0   1500  link#2      fa.c2.11.4c.20.2  8  0  7  0  0\n" +
		"root@lpar1:/# uname -a\n" + node("lpar1")}))
	warnings := r.Files[0].Parts[0].Warnings
	if len(warnings) != 2 || !strings.Contains(warnings[0], "how netstat prints it") || !strings.Contains(warnings[0], "LC_ALL=C") ||
		!strings.HasPrefix(warnings[1], "kept as text") {
		t.Errorf("got %q, want that it is not how netstat prints it, and that it is kept", warnings)
	}
}

// What only ports count makes a port of a device of which ip said no more than that it is there: a file more never hides what
// another one shows.
func TestCountersBesideAddresses(t *testing.T) {
	for name, want := range map[string]model.Kind{"70000": model.Physical, "0": model.Interface} {
		_, fleet := imported(t, importer.Options{}, put(t, map[string]string{"web7/log.txt": "root@web7:~# ip addr\n" + address("eth0", "192.0.2.15") +
			"root@web7:~# ethtool -S eth0\n" + missed(name)}))
		if e := fleet.Hosts[0].Elements["eth0"]; e == nil || e.Kind != want {
			t.Errorf("%s frames missed: got %+v, want a %s", name, e, want)
		}
	}
}
