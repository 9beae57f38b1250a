package assemble_test

import (
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// What net-tools and /proc/net/dev say is enough for an element; where ip was read, what it says stays.
func TestOldTools(t *testing.T) {
	about := assemble.About{Name: "linux1", Platform: model.Linux}
	dev := assemble.Output{ID: "proc-net-dev", Command: "cat /proc/net/dev", Text: []byte("Inter-|   Receive   |  Transmit\n face |bytes\n" +
		"    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n  eth0: 1000 10 5 4 0 0 0 0 200 9 0 0 0 0 0 0\n")}
	if h := assemble.Host(about, []assemble.Output{dev}); len(h.Elements) != 1 || h.Elements["eth0"].Counters.Map()["rx_errors"] != 5 {
		t.Errorf("/proc/net/dev alone: got %v", h.Elements)
	}
	ifconfig := assemble.Output{ID: "ifconfig-linux", Command: "ifconfig -a", Text: []byte(
		"eth0: flags=6211<UP,BROADCAST,RUNNING,SLAVE,MULTICAST>  mtu 9000\n" +
			"        inet 192.0.2.7  netmask 255.255.254.0\n        ether 02:00:00:00:00:0a  txqueuelen 1000  (Ethernet)\n")}
	e := assemble.Host(about, []assemble.Output{ifconfig, dev}).Elements["eth0"]
	if e.Up == nil || !*e.Up || e.LinkUp == nil || !*e.LinkUp || *e.Attrs["mtu"].Running != "9000" || e.Addrs[0].String() != "192.0.2.7/23" {
		t.Errorf("ifconfig: got %+v", e)
	}
	ip := assemble.Output{ID: "ip-link", Command: "ip -j link", Text: []byte(
		`[{"ifname":"eth0","flags":["UP"],"mtu":9000,"master":"bond0","link_type":"ether"}]`)}
	for _, outputs := range [][]assemble.Output{{ip, ifconfig}, {ifconfig, ip}} {
		if e := assemble.Host(about, outputs).Elements["eth0"]; e.MemberOf != "bond0" || e.MAC != "02:00:00:00:00:0a" {
			t.Errorf("ip and ifconfig: got member of %q with MAC %q", e.MemberOf, e.MAC)
		}
	}
}
