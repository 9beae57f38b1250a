package split

import (
	"testing"

	"seaworthy/internal/collect/importer/detect"
)

// Words above ifconfig of Linux do not part its devices, which blank lines stand between.
func TestIfconfigBelowWords(t *testing.T) {
	const devices = "ens160: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        inet 192.0.2.186  netmask 255.255.255.0  broadcast 192.0.2.255\n" +
		"        ether 00:0c:29:f6:57:32  txqueuelen 1000  (Ethernet)\n        RX packets 11506150  bytes 30643403943 (30.6 GB)\n" +
		"        RX errors 0  dropped 0  overruns 0  frame 0\n        TX packets 1626763  bytes 21619253603 (21.6 GB)\n" +
		"        TX errors 0  dropped 0 overruns 0  carrier 0  collisions 0\n\nlo: flags=73<UP,LOOPBACK,RUNNING>  mtu 65536\n" +
		"        inet 127.0.0.1  netmask 255.0.0.0\n        loop  txqueuelen 1000  (Local Loopback)\n"
	c := Text(t.Context(), []byte("The Linux host shows this today\n"+devices), "x.txt")
	c.Notes("x.txt")
	outputs := 0
	for _, p := range c.Pieces {
		f, ok := detect.Text(p.Text, detect.Hint{})
		if !ok {
			continue
		}
		outputs++
		if f.ID != "ifconfig-linux" || string(p.Text) != devices {
			t.Errorf("got %s of %q", f.ID, p.Text)
		}
	}
	if outputs != 1 {
		t.Errorf("%d outputs in %+v", outputs, c.Pieces)
	}
}
