package importer_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// What people put between and around outputs decides whose they are, and what is none of a host's.
func TestPastedTexts(t *testing.T) {
	const ring = "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nTX:\t\t4096\nCurrent hardware settings:\nRX:\t\t512\nTX:\t\t512\n"
	const memory = "net.core.rmem_max = 212992\nnet.core.wmem_max = 212992\n"
	for _, c := range []struct {
		name, text string
		want       []string // host: kind, of each output that is evaluated
	}{
		{"the same lines below words that name another host",
			"root@web1:~# sysctl -a | grep mem_max\n" + memory + "\nOn web2 it is:\nnet.core.rmem_max = 67108864\nnet.core.wmem_max = 67108864\n",
			[]string{"web1: sysctl", "web2: sysctl"}},
		{"the same lines below words that name none",
			"root@web1:~# netstat -s\nTcp:\n    85 active connection openings\n    5887 segments retransmitted\n\n" +
				"On the other server it looks like this:\n    9 segments retransmitted\n",
			[]string{"web1: netstat -s (Linux)"}},
		{"settings that words advise", "root@web1:~# sysctl -a | grep mem_max\n" + memory +
			"\nYou should set:\n\nnet.ipv4.tcp_mtu_probing = 1\nnet.core.default_qdisc = fq\n",
			[]string{"web1: sysctl"}},
		{"settings that somebody made", "root@web1:~# uname -r\n5.14.0-70.el9.x86_64\n\nMy current settings:\n\nnet.ipv4.tcp_mtu_probing = 1\n" +
			"net.core.default_qdisc = fq\n",
			[]string{"web1: uname -r", "web1: sysctl"}},
		{"two headings of one program", "Settings for eth0:\n\tSpeed: 1000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n\n" + ring,
			[]string{"box9: ethtool", "box9: ethtool -g"}},
		{"stanzas of one output, and a note", "eth0      Link encap:Ethernet  HWaddr 52:54:00:12:34:56\n          inet addr:10.0.0.5  " +
			"Bcast:10.0.0.255  Mask:255.255.255.0\n          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n" +
			"lo        Link encap:Local Loopback\n          inet addr:127.0.0.1  Mask:255.0.0.0\n\n------------------\n\nAnd this is the other end :-\n",
			[]string{"box9: ifconfig -a (Linux)"}},
		{"a log of nodes, which a command heads", nodeLog("pve1", "10.0.0.1") + "\\n--- CMD: cat /etc/motd ---\nwelcome\n" + nodeLog("pve2", "10.0.0.2"),
			[]string{"pve1: ip route", "pve2: ip route"}},
		{"outputs above the only words that name a host", "System Model: IBM,9110-51A\nMachine Serial Number: 0612345\n" +
			"Processor Type: PowerPC_POWER5\nNumber Of Processors: 4\n\nExample of aixprd7:\n\nlparstat -i\n" +
			"Mode                                       : Capped\nEntitled Capacity                          : 2.00\n",
			[]string{"first-host: prtconf", "aixprd7: lparstat -i"}},
		{"a heading that means another machine", "ubuntu@vm2:~$ ip -br a\nens3             UP             10.0.0.38/24\n\n" +
			"### Host interface (bridge)\n\nbr0              UP             10.0.0.1/24\n",
			[]string{"vm2: ip -br"}},
		{"a list of adapters behind another output", "SVEA   Physloc\n------ --------------------------------------------\n" +
			"ent2   U9117.MMD.1234567-V2-C2-T1\n\nSEA                   ent6\nBacking device        ent0\nStatus                Available\n" +
			"Physloc               U78AA.001.WZS1234-P1-C1-T1\n\nent2             Available   Virtual I/O Ethernet Adapter (l-lan)\n" +
			"ent3             Available   Virtual I/O Ethernet Adapter (l-lan)\n",
			[]string{"box9: lsmap -all -net", "box9: lsdev -Cc adapter"}},
		{"a mail's body as it was sent", "# ifconfig eth0\neth0: flags=3D4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 9000\n" +
			"        ether 52:54:00:12:34:56  txqueuelen 1000  (Ethernet)\n        RX packets 10  bytes 1000 (1.0 KB)\n",
			[]string{"box9: ifconfig -a (Linux)"}},
		{"a subcommand is no host", "core@node2 ~ $ docker run -it --rm images/ethtool -g eth0\n" + ring,
			[]string{"node2: ethtool -g"}},
		{"marks of a comment", "[root@db1 ~]# ethtool -g eth0\n/*\n" + ring + "*/\n",
			[]string{"db1: ethtool -g"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := put(t, map[string]string{"box9.md": c.text})
			x, _ := imported(t, importer.Options{}, filepath.Join(dir, "box9.md"))
			var got []string
			for _, p := range x.Files[0].Parts {
				if p.Understood > 0 {
					got = append(got, fmt.Sprintf("%s: %s", p.Host, p.Kind))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), strings.Join(c.want, ", "))
			}
		})
	}
}

// nodeLog is what a script of somebody's prints of a node.
func nodeLog(name, address string) string {
	return "\\n=== NODE: " + address + " ===\n\\n--- CMD: hostnamectl ---\n Static hostname: " + name +
		"\n       Icon name: computer-desktop\n          Kernel: Linux 6.8.12-1-pve\n\\n--- CMD: ip route ---\n" +
		"default via 10.0.0.254 dev vmbr0 proto kernel onlink\n10.0.0.0/24 dev vmbr0 proto kernel scope link src " + address + "\n"
}

// Posts of several people in one folder do not say of which host the others are, and lists of other ports are not of one host.
func TestPostsAndListsInAFolder(t *testing.T) {
	const driver = "driver: be2net\nversion: 10.6.0.3\nbus-info: 0000:09:00.0\n"
	const stanza = ": flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        inet 10.0.0.%d  netmask 255.255.255.0  broadcast 10.0.0.255\n" +
		"        ether 52:54:00:12:34:0%d  txqueuelen 1000  (Ethernet)\n"
	const lo = "lo: flags=73<UP,LOOPBACK,RUNNING>  mtu 65536\n        inet 127.0.0.1  netmask 255.0.0.0\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		hosts int // into which outputs are written
		left  int // outputs that are left out
	}{
		{"posts", map[string]string{
			"first.md": "My connections hang since the update.\nThis is what I see here:\n\nann@node2:~$ ethtool -g eth0\nRing parameters for eth0:\n" +
				"Pre-set maximums:\nRX:\t\t4096\nCurrent hardware settings:\nRX:\t\t512\n",
			"second.md": "We have the same problem with another card.\nThe driver is not the newest one, as you can see:\n\n$ ethtool -i eth0\n" + driver,
		}, 2, 0},
		{"lists of ports", map[string]string{"ifconfig-a.txt": "enp0s25" + fmt.Sprintf(stanza, 18, 1) + "\n" + lo,
			"theirs-7.txt": "eth0" + fmt.Sprintf(stanza, 19, 2) + "\n" + lo}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := put(t, c.files)
			x, err := importer.Import(t.Context(), []string{dir}, filepath.Join(t.TempDir(), "out"), importer.Options{})
			if (err != nil) != (c.left > 0) {
				t.Fatalf("the error is %v, and %d outputs should be left out", err, c.left)
			}
			left := 0
			for _, f := range x.Files {
				for _, p := range f.Parts {
					if p.Read > 0 && !p.Stored {
						left++
					}
				}
			}
			if len(x.Hosts) != c.hosts || left != c.left {
				t.Errorf("got %d hosts and %d outputs left out, want %d and %d: %+v", len(x.Hosts), left, c.hosts, c.left, x.Hosts)
			}
		})
	}
}
