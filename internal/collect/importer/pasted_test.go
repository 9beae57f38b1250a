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
