// Package arpstat reads /proc/net/stat/arp_cache of Linux: what became of the table of
// neighbours (ARP), a line for each CPU, in hexadecimal under a heading. Newer kernels
// print more columns (net/core/neighbour.c).
package arpstat

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Table is the whole file. Counters have the width of the kernel's long and wrap.
type Table struct {
	parse.Report
	Columns []string   `json:"columns"`
	CPUs    [][]uint64 `json:"cpus"` // in the order of Columns
}

// row is a line of numbers.
var row = parse.Lazy(`^[0-9a-f]{8,16}(?: +[0-9a-f]{8,16})*$`)

// Parse reads the file; parse.ErrNotRecognised without its heading, or without a line
// below it. A last line that was cut off is not understood.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	t.Read(text, func(l parse.Line) bool {
		line := strings.TrimSpace(l.Text)
		f := strings.Fields(line)
		if t.Columns == nil && len(f) > 1 && f[0] == "entries" {
			t.Columns = f
			return true
		}
		if t.Columns == nil || len(f) != len(t.Columns) || !row.MatchString(line) {
			return false
		}
		cpu := make([]uint64, len(f))
		for i, c := range f {
			cpu[i], _ = strconv.ParseUint(c, 16, 64) // row has checked it
		}
		t.CPUs = append(t.CPUs, cpu)
		return true
	})
	return parse.Recognised(t, t.CPUs != nil)
}

// Counters are sums over all CPUs, as "arp.table_fulls", of what tells that the table is
// too small; those that the kernel prints.
func (t *Table) Counters() map[string]uint64 {
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
