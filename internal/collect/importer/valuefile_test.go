package importer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer"
)

// A file of the kernel that holds one value is read as grep prints it, also where links of /sys/class/net lead, and all
// files of a device are one output.
func TestValueFiles(t *testing.T) {
	r, fleet := imported(t, importer.Options{}, put(t, map[string]string{
		"web7/uname": linuxNode, "web7/sys/class/net/eth0/mtu": "9000\n", "web7/sys/class/net/eth0/speed": "25000\n",
		"web7/sys/class/net/eth0/duplex": "full\n", "web7/sys/class/net/lo/mtu": "65536\n", "web7/sys/class/net/lo/type": "772\n",
		"web7/sys/devices/pci0000:00/0000:00:03.0/net/eth0/statistics/rx_missed_errors": "70000\n",
		"web7/proc/sys/net/core/rmem_max":                                               "212992\n",
		"web7/log.txt": "root@web7:~# cat /proc/sys/net/ipv4/tcp_rmem\n4096\t131072\t6291456\n" +
			"root@web7:~# head -n 1 /sys/class/net/eth1/mtu\n1500\n" +
			"root@web7:~# cat /sys/class/net/eth1/statistics/rx_dropped\ncat: /sys/class/net/eth1/statistics/rx_dropped: Permission denied\n",
	}))
	if len(fleet.Hosts) != 1 {
		t.Fatalf("hosts %v, want web7", found(r))
	}
	h := fleet.Hosts[0]
	got := map[string]string{}
	for name, e := range h.Elements {
		got[name] = e.Attrs["mtu"].Current()
	}
	want := map[string]string{"eth0": "9000", "eth1": "1500"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("MTU by device (-want +got):\n%s", diff)
	}
	if n, ok := h.Elements["eth0"].Counters.Get("rx_missed_errors"); !ok || n != 70000 {
		t.Errorf("rx_missed_errors of eth0: %d, %t, want 70000", n, ok)
	}
	if n, ok := h.Elements["eth1"].Counters.Get("rx_dropped"); ok {
		t.Errorf("rx_dropped of eth1: %d, want none: the file was not read", n)
	}
	for name, want := range map[string]string{"net.core.rmem_max": "212992", "net.ipv4.tcp_rmem": "4096 131072 6291456"} {
		if got := h.Tunables[name].Current(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
