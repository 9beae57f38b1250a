package detect

import (
	"strings"
	"testing"
)

// Texts that look like an output of another kind, and outputs in a form that is seldom seen.
func TestLookalikes(t *testing.T) {
	for _, c := range []struct {
		name, command, text, want string // the id; empty: nothing that is known
	}{
		{"ports that are down", "", "en1 en3 en5 en7\n", ""},
		{"ifconfig -l", "", "en0 en1 lo0\n", "ifconfig-l"},
		{"a script's table", "", "DEVICE   LOCATION CODE                    TYPE     LPAR-ID SLOT   PORT DESCRIPTION\n" +
			"ent0     U8284.22A.21ABCDE-V3-C2-T1       VIRTUAL  3       2      1    Virtual I/O Ethernet Adapter (l-lan)\n", ""},
		{"lscfg -v", "", "  DEVICE            LOCATION          DESCRIPTION\n\n  ent0              U8284.22A.21ABCDE-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n", "lscfg"},
		{"one route", "ip route get 192.0.2.9", "192.0.2.9 via 192.0.2.1 dev eth0 src 192.0.2.3 uid 0\n    cache\n", "ip-route-get"},
		{"one route, no command", "", "192.0.2.9 via 192.0.2.1 dev eth0 src 192.0.2.3 uid 0\n    cache\n", "ip-route-get"},
		{"the routing table", "ip route", "default via 192.0.2.1 dev eth0\n192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.3\n", "ip-route-text"},
		{"lssyscfg without an answer", "lssyscfg -r frame", "No results were found.\n", "hmc-lssyscfg"},
		{"lshwres without an answer", "lshwres -r sriov", "No results were found.\n", "hmc-lshwres"},
		{"the kernel's name and release", "uname -sr", "Linux 5.14.0-687.10.1.el9_8.x86_64\n", "uname-sr"},
		{"mpstat of old sysstat", "mpstat", "Linux 2.4.21-32.ELsmp (web7)        07/04/07\n\n" +
			"10:26:54     CPU   %user   %nice %system %iowait    %irq   %soft   %idle    intr/s\n10:26:54     all    0.07    0.00    0.16    8.48    0.00    0.09   91.18    165.49\n", "mpstat-linux"},
		{"ping that nothing answers", "ping 192.0.2.9", "PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\nFrom 192.0.2.1 icmp_seq=1 Destination Host Unreachable\n", "ping"},
		{"ping that has just begun", "ping b", "PING b (192.0.2.9) 56(84) bytes of data.\n", "ping"},
		{"words about ping", "", "PING is short for packet internet groper.\n", ""},
		{"ifconfig without its blanks", "", "em1: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\ninet 192.0.2.60  netmask 255.255.255.0  broadcast 192.0.2.255\n" +
			"ether 02:00:00:00:00:01  txqueuelen 1000  (Ethernet)\nRX packets 318352  bytes 25  (25.0 B)\n", "ifconfig-linux"},
	} {
		f, ok := Text([]byte(c.text), Hint{Command: c.command})
		switch {
		case c.want == "" && ok:
			t.Errorf("%s: taken for %s", c.name, f.Kind)
		case c.want != "" && (!ok || f.ID != c.want || len(f.Report.Unknown) > 0):
			t.Errorf("%s: got %+v, want %s, all of it understood", c.name, f, c.want)
		}
	}
}

// Where other text follows an output, that is the reason and not a change of the output.
func TestUnreadAnswer(t *testing.T) {
	uname := "Linux web7 5.14.0-427.el9.x86_64 #1 SMP Tue Apr 16 x86_64 GNU/Linux\n"
	for _, c := range []struct{ command, text, want string }{
		{"uname -a", uname + strings.Repeat("Words of somebody.\n", 9), "other text follows"},
		{"netstat -in", "Nombre  Mtu  Red\nen0 1500 enlace\n", "another language"},
	} {
		if got := UnreadAnswer(c.command, []byte(c.text)); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.command, got, c.want)
		}
	}
}

// A text in which the output of another command begins is no single output, however long the first one is.
func TestAnotherOutputFollows(t *testing.T) {
	entstat := "ETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: 02:00:00:00:00:01\n\n" +
		"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\n" +
		"Packets: 5                                    Packets: 7\n" + strings.Repeat("Bytes: 5                                      Bytes: 7\n", 40)
	netstat := "Name  Mtu   Network     Address         ZoneID    Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      2.0.0.0.0.1               12     0     34     0     0\n"
	ifconfig := "en0: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST>\n\tinet 192.0.2.7 netmask 0xffffff00 broadcast 192.0.2.255\n"
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"alone", entstat, true},
		{"with netstat -in", entstat + netstat, false},
		{"with ifconfig -a", entstat + ifconfig, false},
		{"with words", entstat + "That is all.\nThank you.\n", true},
		{"with one line of another", entstat + "en0: flags=1e084863,480<UP>\n", true},
	} {
		if f, ok := Text([]byte(c.text), Hint{}); ok != c.want {
			t.Errorf("%s: got %+v, want it recognised: %v", c.name, f, c.want)
		}
	}
}
