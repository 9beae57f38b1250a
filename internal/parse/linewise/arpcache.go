package linewise

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// ARPCacheStatistics is /proc/net/stat/arp_cache of Linux: what became of the table of neighbours (ARP), a line for each
// CPU, in hexadecimal under a heading. Newer kernels print more columns (net/core/neighbour.c). Counters have the width
// of the kernel's long and wrap.
type ARPCacheStatistics struct {
	parse.Report
	Columns []string   `json:"columns"`
	CPUs    [][]uint64 `json:"cpus"` // in the order of Columns
}

// arpCacheRow is a line of numbers.
var arpCacheRow = parse.Lazy(`^[0-9a-f]{8,16}(?: +[0-9a-f]{8,16})*$`)

var arpCacheOutput = &output[ARPCacheStatistics]{
	name:       "arpstat",
	rows:       []line[ARPCacheStatistics]{(*ARPCacheStatistics).readHeading, (*ARPCacheStatistics).readRow},
	recognised: func(t *ARPCacheStatistics) bool { return t.CPUs != nil },
}

// ParseARPCacheStatistics reads the file; parse.ErrNotRecognised without its heading, or without a line below it.
func ParseARPCacheStatistics(text []byte) (*ARPCacheStatistics, error) {
	return arpCacheOutput.parse(text)
}

func (t *ARPCacheStatistics) readHeading(l parse.Line) bool {
	f := strings.Fields(l.Text)
	if t.Columns != nil || len(f) < 2 || f[0] != "entries" {
		return false
	}
	t.Columns = f
	return true
}

func (t *ARPCacheStatistics) readRow(l parse.Line) bool {
	f := strings.Fields(l.Text)
	if t.Columns == nil || len(f) != len(t.Columns) || !arpCacheRow.MatchString(strings.TrimSpace(l.Text)) {
		return false
	}
	cpu := make([]uint64, len(f))
	for i, c := range f {
		cpu[i], _ = strconv.ParseUint(c, 16, 64) // arpCacheRow has checked it
	}
	t.CPUs = append(t.CPUs, cpu)
	return true
}

// Counters are sums over all CPUs, as "arp.table_fulls", of what tells that the table is
// too small; those that the kernel prints.
func (t *ARPCacheStatistics) Counters() map[string]uint64 {
	sums := map[string]uint64{}
	for _, name := range []string{"table_fulls", "forced_gc_runs"} {
		i := slices.Index(t.Columns, name)
		if i < 0 {
			continue
		}
		for _, c := range t.CPUs {
			sums["arp."+name] += c[i]
		}
	}
	return sums
}
