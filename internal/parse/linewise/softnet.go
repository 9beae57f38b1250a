package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// SoftnetTable is /proc/net/softnet_stat of Linux: what each CPU did with the packets that it received. Its columns are
// hexadecimal; newer kernels print more of them (net/core/net-procfs.c).
type SoftnetTable struct {
	parse.Report
	CPUs []*SoftnetCPU `json:"cpus"`
}

// SoftnetCPU is one line. Counters have 32 bits and wrap.
type SoftnetCPU struct {
	Processed uint64 `json:"processed"`    // packets
	Dropped   uint64 `json:"dropped"`      // packets that found the backlog full (netdev_max_backlog)
	Squeezed  uint64 `json:"time_squeeze"` // turns that ended with packets left (netdev_budget)
	// Limited are packets of large flows that the flow limit dropped before the backlog was full; nil: the kernel does not count them.
	Limited *uint64 `json:"flow_limit,omitempty"`
	Number  int     `json:"-"` // 1-based line
}

// softnetFlowLimit is the column of the flow limit, behind those for collisions and RPS.
const softnetFlowLimit = 10

// softnetRow has nine columns on the oldest kernels in use.
var softnetRow = parse.Lazy(`^(?:[0-9a-f]{8}(?: |$)){9,32}$`)

var softnetOutput = &output[SoftnetTable]{name: "softnet", reader: readSoftnet}

// readSoftnet reads lines of as many columns as the first has: one that was cut off has fewer.
func readSoftnet(*SoftnetTable) line[SoftnetTable] {
	columns := 0
	return func(t *SoftnetTable, l parse.Line) bool {
		f := strings.Fields(l.Text)
		if !softnetRow.MatchString(strings.TrimSpace(l.Text)) || columns > 0 && len(f) != columns {
			return false
		}
		columns = len(f)
		cpu := &SoftnetCPU{Processed: softnetHex(f[0]), Dropped: softnetHex(f[1]), Squeezed: softnetHex(f[2]), Number: l.Number}
		if columns > softnetFlowLimit {
			cpu.Limited = new(softnetHex(f[softnetFlowLimit]))
		}
		t.CPUs = append(t.CPUs, cpu)
		return true
	}
}

// ParseSoftnet reads the file; parse.ErrNotRecognised if no line is a CPU's.
func ParseSoftnet(text []byte) (*SoftnetTable, error) { return softnetOutput.parse(text) }

// softnetHex reads a column, which softnetRow has checked.
func softnetHex(column string) uint64 {
	n, _ := strconv.ParseUint(column, 16, 64)
	return n
}

// Counters are the sums over all CPUs, as "softnet.dropped", and what the busiest processed.
func (t *SoftnetTable) Counters() map[string]uint64 {
	sums := map[string]uint64{"softnet.processed": 0, "softnet.dropped": 0, "softnet.time_squeeze": 0, "softnet.busiest": 0}
	for _, c := range t.CPUs {
		sums["softnet.busiest"] = max(sums["softnet.busiest"], c.Processed)
		sums["softnet.processed"] += c.Processed
		sums["softnet.dropped"] += c.Dropped
		sums["softnet.time_squeeze"] += c.Squeezed
		if c.Limited != nil {
			sums["softnet.flow_limit"] += *c.Limited
		}
	}
	return sums
}
