package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// InterruptTable is /proc/interrupts of Linux, or lines picked out of it: how many interrupts each CPU took.
type InterruptTable struct {
	parse.Report
	Rows []*Interrupt `json:"rows"`
}

// Interrupt is one line.
type Interrupt struct {
	Number string   `json:"number"` // 56, LOC
	Counts []uint64 `json:"counts"` // by CPU
	Source string   `json:"source"` // controller, number and names of the actions: "PCI-MSI 5767168-edge ens192-rxtx-0"
	Line   int      `json:"-"`      // 1-based
}

var (
	interruptHead = parse.Lazy(`^\s+CPU\d+(?:\s+CPU\d+)*\s*$`)
	interruptRow  = parse.Lazy(`^\s*([0-9]+|[A-Z][A-Za-z0-9]*):((?:\s+\d+)+)(?:\s+(\D.*))?$`)
)

var interruptsOutput = &output[InterruptTable]{
	name:       "interrupts",
	ignored:    interruptHead,
	rows:       []line[InterruptTable]{(*InterruptTable).readRow},
	ended:      true,
	recognised: func(t *InterruptTable) bool { return len(t.Rows) > 0 },
}

// ParseInterrupts reads the file; parse.ErrNotRecognised if it has no line with counts.
func ParseInterrupts(text []byte) (*InterruptTable, error) { return interruptsOutput.parse(text) }

func (t *InterruptTable) readRow(l parse.Line) bool {
	m := interruptRow.FindStringSubmatch(l.Text)
	if m == nil {
		return false
	}
	row := &Interrupt{Number: m[1], Source: strings.TrimSpace(m[3]), Line: l.Number}
	for _, word := range strings.Fields(m[2]) {
		n, ok := parse.Count(word)
		if !ok {
			return false
		}
		row.Counts = append(row.Counts, n)
	}
	t.Rows = append(t.Rows, row)
	return true
}
