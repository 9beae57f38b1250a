package detect

import (
	"strings"
	"testing"

	"seaworthy/internal/parse/registry"
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
		{"ping -D", "", "PING b (192.0.2.9) 56(84) bytes of data.\n" +
			"[1764300000.123456] 64 bytes from 192.0.2.9: icmp_seq=1 ttl=64 time=0.4 ms\n" +
			"[1764300001.123456] 64 bytes from 192.0.2.9: icmp_seq=2 ttl=64 time=0.5 ms\n", "ping"},
		{"ports of a bridge", "", "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 master br0 state forwarding priority 32 cost 4\n" +
			"4: tap7: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 master br0 state forwarding priority 32 cost 2\n", "bridge-link"},
		{"ports below a bridge", "", "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq master br0 state UP qlen " +
			"1000\n    link/ether 02:00:00:00:00:01\n", "ip-addr-text"},
		{"a script's table of adapters", "", "#ADAPTER  STATE     SLOT HBA   WWPN\n" +
			"vfchost0  Available C10  fcs0  100000000000000A  3 lpar7\n", ""},
		{"its rows alone", "", "vfchost0  Available C10  fcs0  100000000000000A  3 lpar7\n" +
			"vfchost1  Available C11  fcs1  100000000000000B  4 lpar8\n", ""},
		{"the kernel's version", "", "Linux version 5.14.0-70.el9.x86_64 (builder@host) (gcc (GCC) 11.2.1) #1 SMP PREEMPT Thu " +
			"Feb 24\n", "proc-version"},
		{"the frequencies of lparstat", "", "System configuration: type=Shared mode=Uncapped smt=4 lcpu=8 mem=4096MB ent=0.50 " +
			"Power=Disabled\n\n" +
			"Physical Processor Utilisation:\n\n --------Actual--------              ------Normalised------\n" +
			" user   sys  wait  idle      freq    user   sys  wait  idle\n" +
			"0.015 0.012 0.000 0.472 3.5GHz[100%] 0.015 0.012 0.000 0.472\n", "lparstat-E"},
		{"a disk", "", "hdisk7 Available 00-01-02 MPIO Other FC SCSI Disk Drive\n", "lsdev-Cc-other"},
		{"a disk asked for", "lsdev -l hdisk7", "hdisk7 Available  Other FC SCSI Disk Drive\n", "lsdev-Cc-other"},
		{"an adapter asked for", "lsdev -l ent7", "ent7 Available  Virtual I/O Ethernet Adapter (l-lan)\n", "lsdev-Cc-adapter"},
		{"an interface asked for", "lsdev -l en7", "en7 Available  Standard Ethernet Network Interface\n", "lsdev-Cc-if"},
		{"processors", "", "proc0 Available 00-00 Processor\nproc4 Available 00-04 Processor\n", "lsdev-Cc-other"},
		{"slots of a system", "lshwres -r io --rsubtype slot -m S1 -F drc_name,drc_index,description",
			"U78D2.001.WZS0001-P1-C2,21010021,Empty slot\nU78D2.001.WZS0001-P1-C3,21010022,Some Adapter\n", "hmc-lshwres-io"},
		{"a disk of another maker", "", "  hdisk0           some_disk-pci:0000:00:02.0-LW_0  MPIO Other Disk Drive\n" +
			"        Manufacturer................SOME\n", "lscfg"},
		{"devices of NetworkManager", "nmcli", "eth0: connected to eth0\n\t\"Some Adapter\"\n" +
			"\tethernet (some), 02:00:00:00:00:01, hw, mtu 1500\n", "nmcli-overview"},
		{"fields of its devices", "nmcli device show", "GENERAL.DEVICE:                         eth0\n" +
			"GENERAL.TYPE:                           ethernet\n", "nmcli-device-show"},
		{"iostat of Linux", "", "Linux 5.14.0 (web7) \t11/28/2026 \t_x86_64_\t(1 CPU)\n\n" +
			"avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n" +
			"           8.59    0.11    3.13    1.52    0.00   86.65\n\n" +
			"Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n" +
			"sda              94.34       108.57         0.00       9923          0\n", "iostat"},
		{"a radio", "", "lo        no wireless extensions.\n\nwlan0     IEEE 802.11  ESSID:\"home\"  \n" +
			"          Mode:Managed  Frequency:5.18 GHz\n          Power Management:on\n", "iwconfig"},
		{"svmon with a unit", "", "Unit: MB\n----------------------------------------\n" +
			"               size       inuse        free         pin     virtual\n" +
			"memory      8192.00     4096.00     4096.00     1024.00     2048.00\n", "svmon"},
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

// systeminfo of Windows has lines that look like those of prtconf: no prtconf begins within it.
func TestPrtconfBegins(t *testing.T) {
	prtconf := registry.Find("prtconf")
	for line, want := range map[string]bool{"System Model: IBM,9009-42A": true, "System Model:              Model 5": false} {
		if got := prtconf.Start.MatchString(line); got != want {
			t.Errorf("%q begins prtconf: %t, want %t", line, got, want)
		}
	}
}

// The rings of a device below its settings are an output of their own; the settings of two devices are one.
func TestRingsBelowSettings(t *testing.T) {
	settings := "Settings for eth0:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"
	rings := "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nTX:\t\t4096\nCurrent hardware settings:\nRX:\t\t512\nTX:\t\t512\n"
	for text, want := range map[string]bool{
		settings: true, rings: true, settings + rings: false, settings + strings.ReplaceAll(settings, "eth0", "eth1"): true,
	} {
		if f, ok := Text([]byte(text), Hint{}); ok != want {
			t.Errorf("%q: got %+v, want it recognised: %v", text, f, want)
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
