// Package importertest holds what the tests of imports share: the outputs of
// made-up hosts, and ways to pack them as people pack outputs.
package importertest

import (
	"fmt"
	"sort"
	"strings"

	"seaworthy/dialect/aix/entstat"
)

// Output is one output of a host.
type Output struct {
	Command string
	File    string // a name people give it
	Text    string
}

// LPAR is an AIX client with one virtual adapter and one interface.
func LPAR(name, address string) []Output {
	return []Output{
		{"uname -a", "uname.txt", "AIX " + name + " 2 7 00C8D2E44C00\n"},
		{"oslevel -s", "oslevel.txt", "7200-05-06-2320\n"},
		{"lsdev -Cc adapter", "adapters.txt", table(
			"ent0 Available  Virtual I/O Ethernet Adapter (l-lan)",
			"vsa0 Available  LPAR Virtual Serial Adapter")},
		{"lsdev -Cc if", "if.txt", table(
			"en0 Available  Standard Ethernet Network Interface",
			"lo0 Available  Loopback Network Interface")},
		{"lsattr -El sys0 -a systemid -a modelname", "sys0.txt", "" +
			"systemid  IBM,02214D2E4 Hardware system identifier False\n" +
			"modelname IBM,9009-22A  Machine name               False\n"},
		{"lsattr -El en0", "lsattr_en0.txt", attributes(
			"mtu|1500|Maximum IP Packet Size for This Device",
			"mtu_bypass|off|Enable/Disable largesend for virtual Ethernet",
			"netaddr|"+address+"|Internet Address",
			"rfc1323||Enable/Disable TCP RFC 1323 Window Scaling",
			"state|up|Current Interface Status",
			"tcp_recvspace||Set Socket Buffer Space for Receiving",
			"tcp_sendspace||Set Socket Buffer Space for Sending")},
		{"lsattr -El ent0", "lsattr_ent0.txt", attributes(
			"alt_addr|0x000000000000|Alternate Ethernet Address",
			"buf_mode|min|Receive Buffer Mode",
			"chksum_offload|yes|Enable Checksum Offload for IPv4 packets",
			"max_buf_small|2048|Maximum Small Buffers",
			"min_buf_small|512|Minimum Small Buffers")},
		{"ifconfig -a", "ifconfig.txt", "" +
			"en0: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,CHECKSUM_OFFLOAD(ACTIVE),CHAIN>\n" +
			"        inet " + address + " netmask 0xffffff00 broadcast " + address[:strings.LastIndexByte(address, '.')] + ".255\n" +
			"         tcp_sendspace 262144 tcp_recvspace 262144 rfc1323 1\n" +
			"lo0: flags=e08084b,1c0<UP,BROADCAST,LOOPBACK,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT>\n" +
			"        inet 127.0.0.1 netmask 0xff000000 broadcast 127.255.255.255\n"},
		{"netstat -in", "netstat_in.txt", "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n" +
			"en0   1500  link#2      fa.c2.11.4c.20.2  8123041     0  7901144     3     0\n" +
			fmt.Sprintf("en0   1500  %-11s %-17s 8123041     0  7901144     3     0\n", address[:strings.LastIndexByte(address, '.')], address) +
			"lo0   16896 link#1                          52120     0    52120     0     0\n" +
			"lo0   16896 127         127.0.0.1           52120     0    52120     0     0\n"},
		{"netstat -rn", "routes.txt", "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\n" +
			"Route Tree for Protocol Family 2 (Internet):\n" +
			fmt.Sprintf("default            %-17s UG        1     12696 en0      -      -\n", address[:strings.LastIndexByte(address, '.')]+".1") +
			"127/8              127.0.0.1         U         9     60244 lo0      -      -\n"},
		{"netstat -v", "entstat.txt", statistics()},
		{"no -a", "no.txt", "" +
			"                 arptab_bsiz = 7\n" +
			"                     rfc1323 = 0\n" +
			"                      sb_max = 1048576\n" +
			"               tcp_recvspace = 16384\n" +
			"               tcp_sendspace = 16384\n" +
			"                  use_isno = 1\n"},
		{"lparstat -i", "lparstat.txt", "" +
			"Node Name                                  : " + name + "\n" +
			"Partition Name                             : " + name + "\n" +
			"Partition Number                           : 7\n" +
			"Type                                       : Shared-SMT-8\n" +
			"Mode                                       : Uncapped\n" +
			"Entitled Capacity                          : 2.00\n" +
			"Online Virtual CPUs                        : 4\n"},
	}
}

func statistics() string {
	pvid, min, max, allocated, registered := uint64(10), uint64(512), uint64(2048), uint64(2048), uint64(2048)
	return string(entstat.Format(&entstat.Adapter{Head: entstat.Head{
		Name: "ent0", DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", HardwareAddress: "fa:c2:11:4c:20:02",
		Counters: map[string]uint64{"tx.Packets": 7901144, "rx.Packets": 8123041, "rx.No Resource Errors": 1290, "tx.Packets Dropped": 0},
	}, Virtual: &entstat.Virtual{
		LANState: "Operational", PVID: &pvid, SwitchID: "ETHERNET0",
		Pools: []entstat.Pool{{Name: "Small", Min: &min, Max: &max, Allocated: &allocated, Registered: &registered}},
	}}))
}

func table(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// attributes prints lsattr -El of name|value|description rows.
func attributes(rows ...string) string {
	name, value, description := 0, 0, 0
	var cells [][]string
	for _, r := range rows {
		c := strings.SplitN(r, "|", 3)
		cells = append(cells, c)
		name, value, description = max(name, len(c[0])), max(value, len(c[1])), max(description, len(c[2]))
	}
	var b strings.Builder
	for _, c := range cells {
		fmt.Fprintf(&b, "%-*s %-*s %-*s True\n", name, c[0], value, c[1], description, c[2])
	}
	return b.String()
}

// Plain is a folder of the outputs, by file name.
func Plain(outputs []Output) map[string]string {
	files := map[string]string{}
	for _, o := range outputs {
		files[o.File] = o.Text
	}
	return files
}

// Snap is the same host as snap leaves it: general.snap and tcpip.snap with
// the commands between dots.
func Snap(outputs []Output) map[string]string {
	section := func(o Output) string { return "\n\n.....\n.....    " + o.Command + "\n.....\n\n" + o.Text }
	general, tcpip := "Sat Nov 21 04:02:11 CST 2026\n", "Sat Nov 21 04:02:44 CST 2026\n"
	for _, o := range outputs {
		switch {
		case strings.HasPrefix(o.Command, "netstat"), strings.HasPrefix(o.Command, "ifconfig"),
			strings.HasPrefix(o.Command, "no "), o.Command == "lsattr -El en0":
			tcpip += section(o)
		default:
			general += section(o)
		}
	}
	general += "\n\n.....\n.....    lslpp -Lc\n.....\n\nbos.net.tcp.client_core:bos.net.tcp.client_core:7.2.5.0: : :C: :TCP/IP Client\n"
	return map[string]string{
		"./general/general.snap": general, "./tcpip/tcpip.snap": tcpip,
		"./tcpip/hosts": "127.0.0.1 loopback localhost\n",
	}
}

// Session is the same as a saved terminal session.
func Session(outputs []Output, prompt string) string {
	var b strings.Builder
	for _, o := range outputs {
		b.WriteString(prompt + o.Command + "\n" + o.Text)
	}
	return b.String() + prompt + "exit\n"
}

// Headed is the same as a script writes it with a heading before each.
func Headed(outputs []Output, heading string) string {
	var b strings.Builder
	for _, o := range outputs {
		fmt.Fprintf(&b, heading, o.Command)
		b.WriteString(o.Text + "\n")
	}
	return b.String()
}

// Names are the names of files in order.
func Names(files map[string]string) []string {
	var names []string
	for n := range files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
