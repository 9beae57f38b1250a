// Package arpstat reads /proc/net/stat/arp_cache of Linux: what became of the table of
// neighbours (ARP), a line for each CPU, in hexadecimal under a heading. Newer kernels
// print more columns (net/core/neighbour.c).
package arpstat

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Table is the whole file. Counters have the width of the kernel's long and wrap.
type Table struct {
	dialect.Report
	Columns []string   `json:"columns"`
	CPUs    [][]uint64 `json:"cpus"` // in the order of Columns
}

// row is a line of numbers.
var row = dialect.Lazy(`^[0-9a-f]{8,16}(?: +[0-9a-f]{8,16})*$`)

// Parse reads the file; dialect.ErrNotRecognised without its heading, or without a line
// below it. A last line that was cut off is not understood.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	for _, l := range dialect.Lines(text, &t.Report) {
		line := strings.TrimSpace(l.Text)
		f := strings.Fields(line)
		switch {
		case t.Columns == nil && len(f) > 1 && f[0] == "entries":
			t.Columns = f
		case t.Columns != nil && len(f) == len(t.Columns) && row.MatchString(line):
			t.CPUs = append(t.CPUs, numbers(f))
		default:
			t.NotUnderstood(l)
		}
	}
	if t.CPUs == nil {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

// numbers reads columns, which row has checked.
func numbers(columns []string) (out []uint64) {
	for _, c := range columns {
		n, _ := strconv.ParseUint(c, 16, 64)
		out = append(out, n)
	}
	return out
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
