package detect

import (
	"testing"

	"seaworthy/internal/parse/registry"
)

// An output that only a system prints that is not read is that system's, whatever the command line says; what AIX, a VIOS and
// Linux print in the same shape is theirs.
func TestForeignSystems(t *testing.T) {
	for _, c := range []struct {
		name, command, text string
		want                registry.Family
	}{
		{"macOS ifconfig", "ifconfig -a", "lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000\n" +
			"en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500\n\tether 02:00:00:00:00:01\n\tinet 192.0.2.7 netmask 0xffffff00 broadcast 192.0.2.255\n", registry.MacOS},
		{"macOS ifconfig of an interface", "", "en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500\n\tether 02:00:00:00:00:01\n", registry.MacOS},
		{"FreeBSD ifconfig", "ifconfig", "em0: flags=8843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500\n\tether 02:00:00:00:00:01\n", registry.BSD},
		{"macOS netstat -ib", "netstat -i", "Name  Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll\n" +
			"lo0   16384 <Link#1>                        252623     0  368415571   252623     0  368415571     0\n" +
			"en0   1500  <Link#4>    02:00:00:00:00:01 20328868     0 13309516362 14810885     0 11363839527     0\n", registry.BSD},
		{"macOS netstat -s", "netstat -s", "tcp:\n\t226578 packets sent\n\t\t0 resends initiated by MTU discovery\n\t\t0 checksummed in software\n", registry.BSD},
		{"macOS routes", "netstat -rn", "Routing tables\n\nInternet:\nDestination        Gateway            Flags        Netif Expire\ndefault            192.0.2.1          UGSc           en0\n", registry.BSD},
		{"macOS arp", "arp -an", "? (192.0.2.1) at 2:0:0:0:0:1 on en0 ifscope [ethernet]\n", registry.BSD},
		{"Darwin", "uname -a", "Darwin mac7 23.5.0 Darwin Kernel Version 23.5.0: root:xnu-10063 RELEASE_ARM64 arm64\n", registry.MacOS},
		{"HP-UX netstat -s", "netstat -s", "tcp:\n6693 packets sent\n291 connection accepts\nsctp:\n0 current established associations\n15 active established\n", registry.HPUX},
		{"HP-UX ifconfig", "ifconfig lan0", "lan0: flags=1843<UP,BROADCAST,RUNNING,MULTICAST,CKO>\n        inet 192.0.2.7 netmask ffffff00 broadcast 192.0.2.255\n", registry.HPUX},
		{"HP-UX netstat -in", "", "Name      Mtu  Network         Address         Ipkts   Ierrs Opkts   Oerrs Coll\nlan0      1500 192.0.2.0       192.0.2.7       1012345 0     1234    0     0\n", registry.HPUX},
		{"HP-UX uname", "", "HP-UX hp7 B.11.31 U ia64 0123456789 unlimited-user license\n", registry.HPUX},
		{"Solaris ifconfig", "", "net0: flags=1000843<UP,BROADCAST,RUNNING,MULTICAST,IPv4> mtu 1500 index 2\n        inet 192.0.2.7 netmask ffffff00 broadcast 192.0.2.255\n", registry.Solaris},
		{"Solaris mpstat", "mpstat", "CPU minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl\n  0    0   0    0   329  121  169    6    0    0    0   406    0   1   0  98\n", registry.Solaris},
		{"Solaris vmstat", "vmstat 5", " kthr      memory            page            disk          faults      cpu\n r b w   swap  free  re  mf pi po fr de sr s0 s1 -- --   in   sy   cs us sy id\n", registry.Solaris},
		{"Solaris uname", "", "SunOS sun7 5.11 11.4.0.15.0 sun4v sparc sun4v\n", registry.Solaris},
		{"Windows ping", "", "\nPinging 192.0.2.1 with 32 bytes of data:\nReply from 192.0.2.1: bytes=32 time<1ms TTL=64\n", registry.Windows},
		{"Windows systeminfo", "systeminfo", "\nHost Name:                 PC7\nOS Name:                   Microsoft Windows 11 Pro\n" +
			"System Model:              Model 5\nProcessor(s):              1 Processor(s) Installed.\n" +
			"                           [01]: Some Family 6\n", registry.Windows},
		{"FreeBSD netstat -an", "netstat -an", "Active Internet connections (including servers)\n" +
			"Proto Recv-Q Send-Q Local Address          Foreign Address        (state)\n" +
			"tcp4       0      0 192.0.2.7.22           192.0.2.9.50000        ESTABLISHED\n", registry.BSD},

		{"AIX netstat -an", "netstat -an", "Active Internet connections (including servers)\n" +
			"Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)\n" +
			"tcp4       0      0  192.0.2.7.22          192.0.2.9.50000        ESTABLISHED\n\nActive UNIX domain sockets\n", registry.AIX},
		{"AIX prtconf", "prtconf", "System Model: IBM,9009-42A\nMachine Serial Number: 10FFFFA\n" +
			"Processor Type: PowerPC_POWER9\n", registry.AIX},
		{"AIX ifconfig", "", "en0: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,CHECKSUM_OFFLOAD(ACTIVE),CHAIN>\n\tinet 192.0.2.7 netmask 0xffffff00 broadcast 192.0.2.255\n", registry.AIX},
		{"AIX netstat -in", "", "Name  Mtu   Network     Address         ZoneID    Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      2.0.0.0.0.1               1012345     0     1234     0     0\n", registry.AIX},
		{"AIX mpstat", "", "\nSystem configuration: lcpu=8 ent=1.0 mode=Uncapped\n\ncpu  min  maj  mpc  int   cs\n  0    8    0    0  182  336\n", registry.AIX},
		{"Linux ifconfig", "", "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        inet 192.0.2.7  netmask 255.255.255.0  broadcast 192.0.2.255\n", registry.Linux},
		{"Linux arp", "", "? (192.0.2.1) at 02:00:00:00:00:01 [ether] on eth0\n", registry.Linux},
	} {
		f, ok := Text([]byte(c.text), Hint{Command: c.command})
		if !ok || f.Family != c.want || c.want.Title() != "" && f.Known {
			t.Errorf("%s: got %+v, want one of %s", c.name, f, c.want)
		}
	}
}

// What several systems print says of which it is by the lines that only one prints.
func TestPrintedBy(t *testing.T) {
	for _, c := range []struct {
		command, text string
		want          registry.Family
	}{
		{"ping -c 2 b", "PING b (192.0.2.9) 56(84) bytes of data.\n64 bytes from 192.0.2.9: icmp_seq=1 ttl=64 time=4.11 ms\n", registry.Linux},
		{"ping -c 2 b", "PING b: (192.0.2.9): 56 data bytes\n64 bytes from 192.0.2.9: icmp_seq=0 ttl=255 time=0 ms\n", ""},
		{"iperf3 -s -V", "iperf 3.0.11\nLinux web7 3.13.0-37-generic #64-Ubuntu SMP Mon Sep 22 x86_64\nServer listening on 5201\n", registry.Linux},
		{"iperf3 -s -V", "iperf 3.9\nAIX lpar7 2 7 00F6ABCD4C00\nServer listening on 5201\n", registry.AIX},
		{"lsdev", "ent0     Available  Virtual I/O Ethernet Adapter (l-lan)\nvhost0   Available  Virtual SCSI Server Adapter\n", registry.VIOS},
		{"lsdev -Cc adapter", "ent0     Available  Virtual I/O Ethernet Adapter (l-lan)\nvsa0     Available  LPAR Virtual Serial Adapter\n", registry.AIX},
		{"lsdev -l hdisk7", "hdisk7 Available 00-01-02 MPIO Other FC SCSI Disk Drive\n", registry.AIX},
		{"lsdev", "ent0     Available 03-00 2-Port Adapter\nhdisk0   Available 00-00-00 SAS Disk Drive\n", registry.AIX},
		{"lspci -k", "00:02.0 Ethernet controller: Some Company Adapter\n\tKernel driver in use: some\n", registry.Linux},
		{"entstat -all ent4", "ETHERNET STATISTICS (ent4) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: 02:00:00:00:00:01\n\n" +
			"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\nPackets: 5                                    Packets: 7\n", registry.VIOS},
	} {
		f, ok := Text([]byte(c.text), Hint{Command: c.command})
		if !ok || f.Family != c.want {
			t.Errorf("%q: got %+v, want one of %q", c.text, f, c.want)
		}
	}
}
