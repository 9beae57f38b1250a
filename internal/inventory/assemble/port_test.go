package assemble

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

// Where neither ip nor the driver was read, the counters of a cable make a device a port, unless its name says what made it.
func TestPortByItsCounters(t *testing.T) {
	text := []byte("NIC statistics:\n     rx_ucast_packets: 7300000\n     rx_pause_frames: 61000\n")
	for device, want := range map[string]model.Kind{"eth1": model.Physical, "ens3f0": model.Physical, "veth12": model.Interface, "br0": model.Interface} {
		h := Host(About{Name: "db", Platform: model.Linux}, []Output{{ID: "ethtool-S", Element: device, Command: "ethtool -S " + device, Text: text}})
		if e := h.Elements[device]; e == nil || e.Kind != want {
			t.Errorf("%s: got %+v, want kind %s", device, e, want)
		}
	}
}
