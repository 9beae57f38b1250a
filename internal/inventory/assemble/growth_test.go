package assemble

import (
	"fmt"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/growth"
)

func systemOf(list []Output) model.Platform {
	if strings.HasPrefix(list[0].ID, "ip-") {
		return model.Linux
	}
	return model.AIX
}

// grown are outputs with n of something each, by what it is.
var grown = map[string]func(n int) []Output{
	"interfaces": func(n int) []Output {
		return outputs(n, "lsdev-Cc-adapter", "", "ent%[1]d Available 00-00 Virtual I/O Ethernet Adapter (l-lan)\n",
			"ifconfig-a", "", "en%[1]d: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,64BIT>\n\tinet 10.%[2]d.%[3]d.%[4]d netmask 0xff000000\n"+
				"\t tcp_sendspace 1 tcp_recvspace 262144 rfc1323 1\n")
	},
	"addresses and routes of an interface": func(n int) []Output {
		return outputs(n, "netstat-in", "Name   Mtu   Network     Address                 Ipkts     Ierrs        Opkts     Oerrs  Coll\n",
			"en0    1500  10          10.%[2]d.%[3]d.%[4]d    100 0 100 0 0\n",
			"netstat-rn", "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\nRoute tree for Protocol Family 2 (Internet):\n",
			"10.%[2]d.%[3]d.%[4]d/31  10.9.9.9  U  1  2  en0  -  -\n")
	},
	"VLAN devices": func(n int) []Output {
		return outputs(n, "ip-addr-text", "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\n"+
			"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n",
			"%[1]d: eth0.%[1]d@eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue master bond0 state UP group default qlen 1000\n"+
				"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n    inet 10.%[2]d.%[3]d.%[4]d/24 scope global eth0.%[1]d\n")
	},
	"addresses of a device": func(n int) []Output {
		return outputs(n, "ip-addr-text", "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\n"+
			"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n", "    inet 10.%[2]d.%[3]d.%[4]d/24 scope global eth0\n")
	},
}

// outputs are id, heading and a line that is there n times, for each three texts.
func outputs(n int, texts ...string) (list []Output) {
	for i := 0; i+2 < len(texts); i += 3 {
		var b strings.Builder
		b.WriteString(texts[i+1])
		for k := range n {
			fmt.Fprintf(&b, texts[i+2], k+3, k>>16&255, k>>8&255, k&255)
		}
		list = append(list, Output{ID: texts[i], Command: texts[i], Text: []byte(b.String())})
	}
	return list
}

// The work of reading and joining grows with what a host prints. What is kept of it
// does not matter here.
func TestWorkGrowsWithOutputs(t *testing.T) {
	for what, of := range grown {
		t.Run(what, func(t *testing.T) {
			growth.Linear(t, 1500, func(n int) func() {
				list := of(n)
				return func() { Host(About{Name: "h", Platform: systemOf(list)}, list) }
			})
		})
	}
}

// A text without line ends, or of NULs, costs no codec more than its length.
func TestGiants(t *testing.T) {
	for id := range table {
		t.Run(id, func(t *testing.T) {
			for _, piece := range draw.OneIn(t, 4, []string{"\x00", "en0 1:", "[{\"a\":", "x "}) {
				growth.Linear(t, 8_000, func(n int) func() {
					o := Output{ID: id, Command: id, Text: []byte(strings.Repeat(piece, n) + "\n")}
					return func() { Host(About{Name: "h", Platform: systemOf([]Output{o})}, []Output{o}) }
				})
			}
		})
	}
}
