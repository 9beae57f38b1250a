package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
)

// Tree prints the trees. Clients are below the trunk that carries them.
func Tree(p *Printer, t *graph.Trees) {
	for i, h := range t.Hosts {
		if i > 0 {
			p.Line("")
		}
		p.Line("%s", p.Style("head", Safe(strings.TrimSpace(strings.Join([]string{h.Host, h.Platform, h.System}, "  ")))))
		table := Table{Head: []string{"network", "state", "link", " packets in", " packets out", "VLANs, interfaces, clients"}, Wrap: true}
		for _, b := range h.Elements {
			rows(&table, b, "", "")
		}
		if len(h.Elements) == 0 {
			table.Span("no network element was read")
		}
		table.Print(p)
	}
	p.Lay("gaps", t.Gaps)
}

func rows(t *Table, b *graph.Branch, lead, below string) {
	name := lead + Safe(b.Element)
	if kind := graph.ShortKind(b.Kind, b.Role); kind != "" {
		name += " (" + kind + ")"
	}
	t.Add(name, Dash(b.State), link(b.LinkUp, b.SpeedMb), counterText(b.PacketsIn), counterText(b.PacketsOut), Safe(about(b)))
	n := len(b.Below) + len(b.Clients)
	branch := func(i int) (string, string) {
		if i == n-1 {
			return below + "  \\--", below + "     "
		}
		return below + " |\\--", below + " |   "
	}
	for i, c := range b.Below {
		l, d := branch(i)
		rows(t, c, l, d)
	}
	for i, c := range b.Clients {
		l, _ := branch(len(b.Below) + i)
		state := "-"
		if c.Active != nil {
			state = map[bool]string{true: "active", false: "backup"}[*c.Active]
		}
		note := fmt.Sprintf("VLAN %d", c.VLAN)
		if c.HMC != "" {
			note += "  not read, known from " + c.HMC
		}
		if c.Seen {
			note += "  as the SEA counts its frames"
		}
		t.Add(l+Safe(c.Ref.String())+" (client)", state, "-", "-", "-", Safe(note))
	}
}

func about(b *graph.Branch) string {
	var parts []string
	if b.PVID != nil {
		parts = append(parts, fmt.Sprintf("PVID %d", *b.PVID))
	}
	if len(b.VLANs) > 0 {
		parts = append(parts, "VLANs "+ranges(b.VLANs))
	}
	if b.VSwitch != "" {
		parts = append(parts, "on "+b.VSwitch)
	}
	return strings.Join(append(parts, b.Interfaces...), "  ")
}

// ranges writes 1 2 3 7 as 1-3,7.
func ranges(list []int) string {
	sorted := slices.Sorted(slices.Values(list))
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] <= sorted[j]+1 {
			j++
		}
		if sorted[i] == sorted[j] {
			parts = append(parts, fmt.Sprint(sorted[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

func counterText(n *uint64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}
