// Package softnet reads /proc/net/softnet_stat of Linux: what each CPU did with
// the packets that it received. Every line is a CPU's, its columns are
// hexadecimal; newer kernels print more of them (net/core/net-procfs.c).
package softnet

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Table is the whole file.
type Table struct {
	parse.Report
	CPUs []*CPU `json:"cpus"`
}

// CPU is one line. Counters have 32 bits and wrap.
type CPU struct {
	Processed uint64 `json:"processed"`    // packets
	Dropped   uint64 `json:"dropped"`      // packets that found the backlog full (netdev_max_backlog)
	Squeezed  uint64 `json:"time_squeeze"` // turns that ended with packets left (netdev_budget)
	Number    int    `json:"-"`            // 1-based line
}

// row has nine columns on the oldest kernels in use.
var row = parse.Lazy(`^(?:[0-9a-f]{8}(?: |$)){9,32}$`)

// Parse reads the file; parse.ErrNotRecognised if no line is a CPU's. A last
// line that was cut off has fewer columns and is not understood.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	columns := 0 // of the first line: all have as many
	t.Read(text, func(l parse.Line) bool {
		f := strings.Fields(l.Text)
		if !row.MatchString(strings.TrimSpace(l.Text)) || columns > 0 && len(f) != columns {
			return false
		}
		columns = len(f)
		t.CPUs = append(t.CPUs, &CPU{Processed: hex(f[0]), Dropped: hex(f[1]), Squeezed: hex(f[2]), Number: l.Number})
		return true
	})
	return parse.Recognised(t, t.CPUs != nil)
}

// hex reads a column, which row has checked.
func hex(column string) uint64 {
	n, _ := strconv.ParseUint(column, 16, 64)
	return n
}

// Counters are the sums over all CPUs, as "softnet.dropped".
func (t *Table) Counters() map[string]uint64 {
	sums := map[string]uint64{"softnet.processed": 0, "softnet.dropped": 0, "softnet.time_squeeze": 0}
	for _, c := range t.CPUs {
		sums["softnet.processed"] += c.Processed
		sums["softnet.dropped"] += c.Dropped
		sums["softnet.time_squeeze"] += c.Squeezed
	}
	return sums
}
