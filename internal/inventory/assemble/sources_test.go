package assemble

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

// A counter and a state are those of the output that they were read from, and of the last that changed them.
func TestSources(t *testing.T) {
	ifconfig := "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        ether 02:00:00:00:00:01  txqueuelen 1000  (Ethernet)\n" +
		"        RX packets 318352  bytes 25  (25.0 B)\n        RX errors 309  dropped 0  overruns 0  frame 0\n"
	for _, c := range []struct {
		name    string
		outputs []Output
		of      string
		want    string
	}{
		{"ifconfig", []Output{{ID: "ifconfig-linux", Command: "ifconfig", Text: []byte(ifconfig)}}, "rx_errors", "ifconfig"},
		{"usual", []Output{{ID: "ethtool-S", Element: "eth0", Command: "ethtool -S eth0", Text: []byte("NIC statistics:\n     rx_errors: 309\n")}}, "rx_errors", ""},
		{"a file of the kernel", []Output{{ID: "sys-class-net", Element: "eth0", Command: "cat /sys/class/net/eth0/statistics/rx_errors",
			Text: []byte("/sys/class/net/eth0/statistics/rx_errors:309\n")}}, "rx_errors", "cat /sys/class/net/eth0/statistics/*"},
		{"link", []Output{{ID: "ethtool", Element: "eth0", Command: "ethtool eth0", Text: []byte("Settings for eth0:\n\tSpeed: 1000Mb/s\n\tLink detected: no\n")}},
			model.LinkState, "ethtool eth0"},
		{"not read", []Output{{ID: "ifconfig-linux", Command: "ifconfig", Text: []byte(ifconfig)}}, "rx_missed_errors", ""},
	} {
		h := Host(About{Name: "web7", Platform: model.Linux}, c.outputs)
		e := h.Elements["eth0"]
		if e == nil {
			t.Errorf("%s: no eth0 in %v", c.name, h.Elements)
			continue
		}
		if got := e.Source(c.of); got != c.want {
			t.Errorf("%s: %s is from %q, want %q", c.name, c.of, got, c.want)
		}
	}
}
