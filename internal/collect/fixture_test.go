package collect

import (
	"context"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

type table = remotetest.Table

// merge joins tables; later ones win.
func merge(tables ...table) table {
	out := table{}
	for _, t := range tables {
		maps.Copy(out, t)
	}
	return out
}

func says(text string) remotetest.Answer { return remotetest.Answer{Stdout: text} }

// statistics is the part of an entstat output that names whose it is.
func statistics(names ...string) remotetest.Answer {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("-------------------------------------------------------------\nETHERNET STATISTICS (" + n + ") :\nDevice Type: Some Adapter\n")
	}
	return says(b.String())
}

// aixHost answers what every AIX answers: one virtual adapter with en0, one
// unused physical port.
func aixHost() table {
	t := table{
		"uname -s": says("AIX\n"), "id -u": says("0\n"), "uname -m": says("00F9C2114C00\n"),
		"uname -a": says("AIX lpar1 2 7 00F9C2114C00\n"), "oslevel -s": says("7200-05-06-2320\n"),
		"lsdev -Cc adapter": says("ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n" +
			"ent1 Available 00-00 PCIe3 4-Port 10GbE SR Adapter\nent2 Defined 00-01 PCIe3 4-Port 10GbE SR Adapter\nvsa0 Available  LPAR Virtual Serial Adapter\n"),
		"lsdev -Cc if": says("en0 Available  Standard Ethernet Network Interface\nen1 Defined 00-00 Standard Ethernet Network Interface\n" +
			"et0 Defined  IEEE 802.3 Ethernet Network Interface\nlo0 Available  Loopback Network Interface\n"),
		"lsattr -El sys0 -a systemid -a modelname": says("systemid  IBM,0221C2114 Hardware system identifier False\nmodelname IBM,9119-MHE   Machine name               False\n"),
		"lsattr -El inet0":                         says("hostname lpar1 Host Name True\n"),
		"hostname":                                 says("lpar1\n"), "arp -an": says("There are 0 entries in the arp table.\n"),
		"lssrc -a":    says("Subsystem         Group            PID          Status\n"),
		"lparstat -i": says("Node Name                                  : lpar1\n"), "ps -o etime= -p 1": says(" 12-03:04:05\n"),
		"lparstat": says("\nSystem configuration: type=Shared mode=Uncapped smt=8 lcpu=16 mem=8192MB psize=8 ent=2.00\n\n" +
			"%user  %sys  %wait  %idle physc %entc\n----- ----- ------ ------ ----- -----\n  5.0  20.0    0.0   75.0  0.50  25.0\n"),
		"ifconfig -a": says("en0: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST>\n" +
			"        inet 10.1.1.11 netmask 0xffffff00 broadcast 10.1.1.255\nlo0: flags=e08084b,1c0<UP>\n"),
		"netstat -in": says("Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  10.1.1      10.1.1.11          1 0 1 0 0\n"),
		"netstat -rn": says("Routing tables\n"), "netstat -s": says("tcp:\n\t1 packet sent\n"),
		"no -a": says("rfc1323 = 0\n"), "no -L": says("rfc1323 0 0 0 0 1 boolean C\n"), "no -L use_isno": says("use_isno 1 1 1 0 1 boolean D\n"),
		"lsdev -Cc adapter -F \"name ddins\"": says("ent0 vioentdd\nent1 vioentdd\n"), "emgr -l": says("There is no efix data on this system.\n"),
		"cat /etc/resolv.conf 2>/dev/null || true": {}, "cat /etc/netsvc.conf 2>/dev/null || true": {},
		"nfsstat -c 2>/dev/null; nfsstat -m 2>/dev/null; true": {},
		"nfso -a 2>/dev/null || true":                          {}, "pmtu display 2>/dev/null || true": {}, askedBy("name-servers"): {},
		"lsmcode -c": says("sys0!system:VL940_050 (t) VL940_041 (p) VL940_050 (t)\n"), "netstat -m": says("0 mbufs in use\n"),
		askedBy("lslpp-Lc"):   says("bos.net.tcp.client:bos.net.tcp.client:7.2.5.4: : :C:F:TCP/IP Client Support: : : : : : :0:0:/:2114\n"),
		"errpt | head -n 200": {}, instfixLine(): {Stdout: "    There was no data for IV35154 in the fix database.\n"},
	}
	for _, n := range []string{"ent0", "ent1", "en0"} {
		t["lsattr -El "+n] = says("alt_addr 0x000000000000 Alternate Ethernet Address True\nuse_alt_addr no Enable it True\n")
		t["lsattr -Dl "+n] = says("alt_addr 0x000000000000 Alternate Ethernet Address True\n")
		if n != "en0" {
			t["lscfg -vl "+n] = says("  " + n + "             U9009.22A.7812345-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n")
		}
	}
	for _, p := range []string{"tiny", "small", "medium", "large", "huge"} {
		t["lsattr -Rl ent0 -a max_buf_"+p] = says("512...4096 (+1)\n")
	}
	for _, n := range []string{"ent0", "ent1"} {
		t["entstat -d "+n] = statistics(n)
	}
	return t
}

// viosHost is a VIOS: ent0 and ent1 physical in EtherChannel ent6, trunk ent2
// and control channel ent3 in SEA ent7, ent4 with en4 for itself, ent5 unused.
func viosHost() table {
	t := merge(aixHost(), table{
		"lsdev -Cc adapter": says("ent0 Available 00-00 PCIe3 10GbE Adapter\nent1 Available 00-01 PCIe3 10GbE Adapter\n" +
			"ent2 Available  Virtual I/O Ethernet Adapter (l-lan)\nent3 Available  Virtual I/O Ethernet Adapter (l-lan)\n" +
			"ent4 Available  Virtual I/O Ethernet Adapter (l-lan)\nent5 Available 00-02 PCIe3 10GbE Adapter\n" +
			"ent6 Available  EtherChannel / IEEE 802.3ad Link Aggregation\nent7 Available  Shared Ethernet Adapter\n"),
		"lsdev -Cc if":                   says("en4 Available  Standard Ethernet Network Interface\nen7 Defined  Standard Ethernet Network Interface\n"),
		"ifconfig -a":                    says("en4: flags=1e084863,480<UP,BROADCAST>\n        inet 10.1.1.2 netmask 0xffffff00 broadcast 10.1.1.255\n"),
		"ioscli ioslevel":                says("3.1.4.21\n"),
		"ioscli lsmap -all -net":         says("SVEA   Physloc\n"),
		"ioscli rules -o diff -s -d":     {},
		"entstat -d ent7":                statistics("ent7", "ent6", "ent0", "ent1", "ent2", "ent3"),
		"entstat -d ent4":                statistics("ent4"),
		"lsattr -El en4":                 says("mtu 1500 Maximum IP Packet Size for This Device True\n"),
		"lsattr -Dl en4":                 says("mtu 1500 Maximum IP Packet Size for This Device True\n"),
		"lsattr -Rl ent2 -a x":           {},
		"lsattr -El ent6":                says("adapter_names  ent0,ent1 EtherChannel Adapters                 True\nbackup_adapter NONE      Adapter used when whole channel fails True\n"),
		"lsattr -El ent7":                says("ctl_chan      ent3     Control Channel adapter for SEA failover          True\nreal_adapter  ent6     Physical adapter associated with the SEA          True\nvirt_adapters ent2     List of virtual adapters associated with the SEA  True\n"),
		"ioscli lsdev":                   says("name             status      description\nent2             Available   Virtual I/O Ethernet Adapter (l-lan)\nent4             Available   Virtual I/O Ethernet Adapter (l-lan)\nent6             Available   PCIe3 10GbE Adapter\nent7             Available   Shared Ethernet Adapter\nen4              Available   Standard Ethernet Network Interface\n"),
		"ioscli optimizenet -list":       says("NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE\n     DEPENDENCIES\n-------\ntcp_sendspace             262144 16384  262144 4K     8E-1   byte           C\n     sb_max\n"),
		"ioscli netstat -state -num":     says("Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen4   1500  10.1.1      10.1.1.2           1 0 1 0 0\n"),
		"ioscli netstat -routtable -num": says("Routing tables\n"),
		"ioscli lsdev -dev sys0 -attr":   says("attribute value description user_settable\n\nmodelname IBM,9009-22A Machine name False\nsystemid IBM,0278AB123 Hardware system identifier False\n"),
		"ioscli lsdev -dev ent7 -attr":   says("attribute     value    description                                       user_settable\n\nreal_adapter  ent6     Physical adapter associated with the SEA          True\nvirt_adapters ent2     List of virtual adapters associated with the SEA  True\n"),
		"ioscli entstat -all ent7":       statistics("ent7", "ent6", "ent2"),
		"ioscli entstat -all ent4":       statistics("ent4"),
	})
	for _, n := range []string{"ent0", "ent1", "ent2", "ent3", "ent4", "ent5"} {
		t["lsattr -El "+n] = says("alt_addr 0x000000000000 Alternate Ethernet Address True\n")
	}
	for _, n := range []string{"ent2", "ent4", "ent6", "en4"} {
		t["ioscli lsdev -dev "+n+" -attr"] = says("attribute value description user_settable\n\nalt_addr 0x000000000000 Alternate Ethernet Address True\n")
	}
	for _, n := range []string{"ent0", "ent1", "ent2", "ent3", "ent4", "ent5", "ent6", "ent7"} {
		t["lsattr -Dl "+n] = says("alt_addr 0x000000000000 Alternate Ethernet Address True\n")
		t["lscfg -vl "+n] = says("  " + n + "             U9009.22A.7812345-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n")
	}
	for _, p := range []string{"tiny", "small", "medium", "large", "huge"} {
		t["lsattr -Rl ent2 -a max_buf_"+p] = says("512...4096 (+1)\n")
	}
	return t
}

// padmin is the restricted shell: only ioscli, unless oem_setup_env is open.
func padmin(open bool) table {
	t := viosHost()
	root := remotetest.Answer{Stderr: "ksh: cannot execute\n", Exit: 126}
	out := table{"oem_setup_env": {Stderr: "oem_setup_env: not authorized\n", Exit: 1}}
	if open {
		out["oem_setup_env"] = remotetest.Answer{}
	}
	for line, a := range t {
		if strings.HasPrefix(line, "ioscli ") {
			out[line] = a
			continue
		}
		out[line] = root
		out["oem_setup_env: "+line] = a
	}
	return out
}

// linuxHost has two ports, one bridge and a veth with a name that is none.
func linuxHost() table {
	t := table{
		"cat /etc/resolv.conf 2>/dev/null || true": {}, "cat /etc/nsswitch.conf 2>/dev/null || true": {},
		"nfsstat -c 2>/dev/null; nfsstat -m 2>/dev/null; true": {},
		"uname -s": says("Linux\n"), "id -u": says("1000\n"), "uname -m": says("ppc64le\n"),
		"uname -a": says("Linux l1 6.4.0 #1 SMP ppc64le GNU/Linux\n"), "cat /etc/os-release": says("NAME=\"Some Linux\"\n"),
		"ip -j -d addr": says(`[{"ifname":"lo","link_type":"loopback"},{"ifname":"eth0","link_type":"ether","operstate":"UP"},
			{"ifname":"br0","link_type":"ether","linkinfo":{"info_kind":"bridge"}},{"ifname":"bond0","link_type":"ether","linkinfo":{"info_kind":"bond"}},
			{"ifname":"$(reboot)","link_type":"ether"},{"ifname":"-x","link_type":"ether"},{"ifname":"eth1","link_type":"ether"}]`),
		"ip -j route":        says("[]\n"),
		"cat /proc/net/snmp": says("Tcp: 1\n"), "cat /proc/net/netstat": says("TcpExt: 1\n"), "cat /proc/ppc64/lparcfg": says("lparcfg 1.9\n"),
	}
	for _, it := range items(registry.OnLinux, registry.OfHost, "") {
		switch it.ID {
		case "sysctl", "cpuinfo":
			t[it.Line] = says("net.core.rmem_max = 212992\n")
		case "boot-files": // some of the files are nowhere
			t[it.Line] = remotetest.Answer{Stdout: "/proc/1/comm:systemd\n/sys/class/net/eth0/ifindex:2\n", Exit: 2}
		case "bridge-fdb", "name-servers", "nmcli", "ovs-vsctl-list", "tc-qdisc", "virsh-dumpxml":
			t[it.Line] = says("")
		case "ethtool-path":
			t[it.Line] = says("/usr/sbin/ethtool\n")
		case "softnet-stat":
			t[it.Line] = says("0000000a" + strings.Repeat(" 00000000", 10) + "\n")
		case "sys-cpu": // a machine whose clock is fixed has no cpufreq
			t[it.Line] = remotetest.Answer{Stdout: "/sys/devices/system/cpu/online:0-7\n", Exit: 2}
		}
	}
	for _, n := range []string{"eth0", "eth1", "bond0"} {
		// A file that is missing makes grep fail, and is not a gap.
		t[sysNet(n)] = remotetest.Answer{Stdout: "/sys/class/net/" + n + "/mtu:1500\n", Exit: 2}
		for _, it := range ofPort(n) {
			switch {
			case it.ID == "irq-affinity": // a virtual device has none
				t[it.Line] = says("")
			case strings.HasPrefix(it.ID, "ethtool"):
				t[it.Line] = says(it.ID + " of " + n + "\n")
			}
		}
	}
	return t
}

// sysNet is the command line that reads a netdev's files.
func sysNet(name string) string {
	all := items(registry.OnLinux, registry.OfNetdev, name)
	return all[slices.IndexFunc(all, func(it Item) bool { return it.ID == "sys-class-net" })].Line
}

// instfixLine is the command line that asks for the fixes of all rules.
func instfixLine() string { return askedBy("instfix-ik") }

// askedBy is the command line by which an AIX host is asked for an output.
func askedBy(id string) string {
	all := items(registry.OnAIX, registry.OfHost, "")
	return all[slices.IndexFunc(all, func(it Item) bool { return it.ID == id })].Line
}

// ofPort returns what is asked about a port.
func ofPort(name string) []Item {
	return append(items(registry.OnLinux, registry.OfNetdev, name), items(registry.OnLinux, registry.OfPort, name)...)
}

// single reads one host into a folder below dir.
func single(ctx context.Context, h remote.Host, dir string, o Options) (*Manifest, error) {
	out := readAll(ctx, []remote.Host{h}, o, nil, func(h remote.Host) (*store, error) { return newStore(dir, h.Name(), o.Replace) })[0]
	return out.Manifest, out.Err
}

// recordOf gives the record of a command; nil if it was not run.
func recordOf(s *Snapshot, id, element string) *Record {
	for i := range s.Manifest.Commands {
		if r := &s.Manifest.Commands[i]; r.ID == id && r.Element == element {
			return r
		}
	}
	return nil
}

// stored gives the stdout of a command and its record; false if there is none.
func stored(s *Snapshot, id, element string) ([]byte, *Record, bool) {
	r := recordOf(s, id, element)
	if r == nil {
		return nil, nil, false
	}
	text, err := s.Text(r)
	return text, r, err == nil
}
