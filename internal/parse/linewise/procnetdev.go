package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// netDevColumns are the counters of a line in printed order, by the names that
// /sys/class/net/DEVICE/statistics has for the same numbers
// (net/core/net-procfs.c). Empty: a sum of several there.
var netDevColumns = [16]string{
	"rx_bytes", "rx_packets", "rx_errors", "", "rx_fifo_errors", "", "rx_compressed", "multicast",
	"tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_fifo_errors", "collisions", "", "tx_compressed",
}

// netDevDrop is the column of rx_dropped and rx_missed_errors together.
const netDevDrop = 3

// NetDeviceTable is /proc/net/dev of Linux: the counters of every network device.
type NetDeviceTable struct {
	parse.Report
	Devices []*NetDevice `json:"devices"`
}

// NetDevice is one line. Received counts both what the kernel dropped and what the
// device missed because it had no buffers, as the file does.
type NetDevice struct {
	Name     string            `json:"name"`
	Counters map[string]uint64 `json:"counters"` // rx_bytes, tx_packets, …; "rx_dropped+missed"
	Number   int               `json:"-"`        // 1-based line
}

var netDevOutput = &output[NetDeviceTable]{
	name:    "procnetdev",
	heading: parse.Lazy(`^\s*Inter-\|`),
	ignored: parse.Lazy(`^\s*face \|`),
	rows: []line[NetDeviceTable]{func(t *NetDeviceTable, l parse.Line) bool {
		d := readNetDevice(strings.TrimSpace(l.Text))
		if d == nil {
			return false
		}
		d.Number = l.Number
		t.Devices = append(t.Devices, d)
		return true
	}},
	ended: true,
}

// ParseProcNetDev reads the file; parse.ErrNotRecognised if its heading is missing. A line with another number of
// columns is not understood.
func ParseProcNetDev(text []byte) (*NetDeviceTable, error) { return netDevOutput.parse(text) }

// readNetDevice reads one line; nil if it is none of a device.
func readNetDevice(body string) *NetDevice {
	name, numbers, found := strings.Cut(body, ":")
	f := strings.Fields(numbers)
	if !found || name == "" || strings.ContainsAny(name, " \t") || len(f) != len(netDevColumns) {
		return nil
	}
	d := &NetDevice{Name: name, Counters: make(map[string]uint64, len(netDevColumns))}
	for i, v := range f {
		n, ok := parse.Count(v)
		switch {
		case !ok:
			return nil
		case i == netDevDrop:
			d.Counters["rx_dropped+missed"] = n
		case netDevColumns[i] != "":
			d.Counters[netDevColumns[i]] = n
		}
	}
	return d
}
