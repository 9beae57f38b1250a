// Package procnetdev reads /proc/net/dev of Linux: the counters of every
// network device in one file.
package procnetdev

import (
	"strings"

	"seaworthy/internal/parse"
)

// columns are the counters of a line in printed order, by the names that
// /sys/class/net/DEVICE/statistics has for the same numbers
// (net/core/net-procfs.c). Empty: a sum of several there.
var columns = [16]string{
	"rx_bytes", "rx_packets", "rx_errors", "", "rx_fifo_errors", "", "rx_compressed", "multicast",
	"tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_fifo_errors", "collisions", "", "tx_compressed",
}

// drop is the column of rx_dropped and rx_missed_errors together.
const drop = 3

// Table is the whole file.
type Table struct {
	parse.Report
	Devices []*Device `json:"devices"`
}

// Device is one line. Received counts both what the kernel dropped and what the
// device missed for want of buffers, as the file does.
type Device struct {
	Name     string            `json:"name"`
	Counters map[string]uint64 `json:"counters"` // rx_bytes, tx_packets, …; "rx_dropped+missed"
	Number   int               `json:"-"`        // 1-based line
}

// Parse reads the file; parse.ErrNotRecognised if its heading is missing. A
// line with another number of columns, or one that was cut off, is not
// understood.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	headed := false
	t.Read(text, func(l parse.Line) bool {
		body := strings.TrimSpace(l.Text)
		if !headed {
			headed = strings.HasPrefix(body, "Inter-|")
			return headed
		}
		if strings.HasPrefix(body, "face |") {
			return true
		}
		d := device(body)
		if d == nil || t.CutOff(l) {
			return false
		}
		d.Number = l.Number
		t.Devices = append(t.Devices, d)
		return true
	})
	return parse.Recognised(t, headed)
}

func device(body string) *Device {
	name, numbers, found := strings.Cut(body, ":")
	f := strings.Fields(numbers)
	if !found || name == "" || strings.ContainsAny(name, " \t") || len(f) != len(columns) {
		return nil
	}
	d := &Device{Name: name, Counters: make(map[string]uint64, len(columns))}
	for i, v := range f {
		n, ok := parse.Count(v)
		switch {
		case !ok:
			return nil
		case i == drop:
			d.Counters["rx_dropped+missed"] = n
		case columns[i] != "":
			d.Counters[columns[i]] = n
		}
	}
	return d
}
