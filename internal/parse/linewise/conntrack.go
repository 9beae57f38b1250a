package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// ConntrackStatistics is conntrack -S: what became of the packets that the firewall of Linux tracks, a line for each CPU.
type ConntrackStatistics struct {
	parse.Report
	CPUs []map[string]uint64 `json:"cpus"` // counts by printed name: insert_failed
}

var conntrackRow = parse.Lazy(`^cpu=\d+\s+\S`)

var conntrackOutput = &output[ConntrackStatistics]{
	name:       "conntrack",
	rows:       []line[ConntrackStatistics]{(*ConntrackStatistics).readRow},
	ended:      true,
	recognised: func(c *ConntrackStatistics) bool { return len(c.CPUs) > 0 },
}

// ParseConntrack reads an output; parse.ErrNotRecognised without a line of a CPU.
func ParseConntrack(text []byte) (*ConntrackStatistics, error) { return conntrackOutput.parse(text) }

func (c *ConntrackStatistics) readRow(l parse.Line) bool {
	if !conntrackRow.MatchString(l.Text) {
		return false
	}
	counts := map[string]uint64{}
	for _, word := range strings.Fields(l.Text)[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, ok := parse.Count(value)
		if !ok {
			return false
		}
		counts[name] = n
	}
	c.CPUs = append(c.CPUs, counts)
	return true
}

// Counters are the sums over all CPUs, as "conntrack.insert_failed".
func (c *ConntrackStatistics) Counters() map[string]uint64 {
	out := map[string]uint64{}
	for _, counts := range c.CPUs {
		for name, n := range counts {
			out["conntrack."+name] += n
		}
	}
	return out
}
