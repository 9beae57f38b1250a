package printing

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/parse/aix/entstat"
)

//go:embed entstat.tmpl
var entstatText string

var entstatLayout = newLayout(entstatText, template.FuncMap{
	"at": counter, "one": counterLine, "two": counterColumns, "row": tableRow, "pools": poolRow, "speed": speedText, "elapsed": elapsedText,
	"ruled":  func(title string) string { return title + ":\n" + strings.Repeat("-", len(title)+1) },
	"breaks": func(i, every int) bool { return i > 0 && i%every == 0 },
	"words":  func(n []int) string { return strings.Trim(fmt.Sprint(n), "[]") },
	"ends": func(l *entstat.LACP) map[string]entstat.LACPState {
		return map[string]entstat.LACPState{"Actor": l.Actor, "Partner": l.Partner}
	},
	// The counters of a side of an SEA, in printed order.
	"sides": func() []string {
		return []string{"Packets received", "Packets bridged", "Packets consumed", "Packets fragmented", "Packets transmitted",
			"Packets dropped", "Packets dropped(VlanId)", "Packets dropped(Reserved address)"}
	},
})

// FormatEntstat prints the statistics of adapters one after the other, as AIX 7.2 and
// VIOS 3.1 do.
func FormatEntstat(adapters ...*Adapter) []byte { return entstatLayout(adapters) }

// counter is one of several counters; nil if it is not given.
func counter(all map[string]uint64, name string) *uint64 {
	if n, ok := all[name]; ok {
		return &n
	}
	return nil
}

// counterLine is a line with one counter.
func counterLine(all map[string]uint64, name string) string {
	return name + ": " + optional(counter(all, name))
}

// counterColumns is a line with a sent and a received counter.
func counterColumns(all map[string]uint64, left, right string) string {
	l, r := counter(all, "tx."+left), counter(all, "rx."+right)
	switch {
	case l == nil:
		return fmt.Sprintf("%46s%s: %s", "", right, optional(r))
	case r == nil:
		return counterLine(map[string]uint64{left: *l}, left)
	}
	return fmt.Sprintf("%-46s%s: %d", fmt.Sprintf("%s: %d", left, *l), right, *r)
}

// tableRow is a row of a table; one without any number is left out, where it has cells.
func tableRow(label string, cells ...*uint64) string {
	line, any := fmt.Sprintf("%-24s", label), len(cells) == 0
	for _, c := range cells {
		text := "-"
		if c != nil {
			text, any = strconv.FormatUint(*c, 10), true
		}
		line += fmt.Sprintf("%9s", text)
	}
	return line + onlyWith(any)
}

// poolRow is the row of a label in the table of pools.
func poolRow(label string, pools []entstat.Pool) string {
	var cells []*uint64
	for i := range pools {
		cells = append(cells, pools[i].Count(strings.TrimSpace(label)))
	}
	return tableRow(label, cells...)
}

// speedText is a port's as drivers print it: "1000 Mbps Full Duplex", "10 Gbps Full Duplex".
func speedText(p *Physical) string {
	if p.SpeedMbit == nil {
		if p.LinkUp != nil && !*p.LinkUp {
			return "Unknown"
		}
		return ""
	}
	n, unit, duplex := *p.SpeedMbit, " Mbps", " Full Duplex"
	if n > 1000 && n%1000 == 0 {
		n, unit = n/1000, " Gbps"
	}
	if p.HalfDuplex {
		duplex = " Half Duplex"
	}
	return strconv.FormatInt(n, 10) + unit + duplex
}

func elapsedText(d *time.Duration) string {
	if d == nil {
		return ""
	}
	return FormatElapsed(*d)
}

// FormatElapsed prints a duration as entstat does: "3 days 5 hours 15 minutes
// 41 seconds".
func FormatElapsed(d time.Duration) string {
	n := int64(d / time.Second)
	return fmt.Sprintf("%d days %d hours %d minutes %d seconds", n/86400, n/3600%24, n/60%60, n%60)
}
