package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/ui/report/doc"
)

// Tree lists the trees. Clients are below the trunk that carries them.
func Tree(d *Document, of *graph.Trees) {
	for i, h := range of.Hosts {
		if i > 0 {
			d.Gap()
		}
		d.Line("%s", doc.Styled(doc.Head, strings.TrimSpace(strings.Join([]string{h.Host, h.Platform, h.System}, "  "))))
		t := doc.NewWrapped(h.Host, doc.Left("network"), doc.Left("below").On(doc.Data), doc.Left("state"), doc.Left("link"),
			doc.Right("packets in"), doc.Right("packets out"), doc.Left("VLANs, interfaces, clients"))
		for _, b := range h.Elements {
			addBranch(t, b, "", "", "")
		}
		if len(h.Elements) == 0 {
			t.Note(doc.Cell{Text: "no network element was read"})
		}
		d.Table(t)
	}
	addGaps(d, of.Gaps)
}

// addBranch adds an element and what is below it. lead draws the tree up to the
// element, below that of its own elements; parent is the element above.
func addBranch(t *doc.Table, b *graph.Branch, lead, below, parent string) {
	name := b.Element
	if kind := graph.ShortKind(b.Kind, b.Role); kind != "" {
		name += " (" + kind + ")"
	}
	t.Add(doc.Indent(lead, name), parent, Dash(b.State), link(b.LinkUp, b.SpeedMb), counterText(b.PacketsIn),
		counterText(b.PacketsOut), about(b))
	n := len(b.Below) + len(b.Clients)
	branch := func(i int) (string, string) {
		if i == n-1 {
			return below + "  \\--", below + "     "
		}
		return below + " |\\--", below + " |   "
	}
	for i, c := range b.Below {
		l, d := branch(i)
		addBranch(t, c, l, d, b.Element)
	}
	for i, c := range b.Clients {
		l, _ := branch(len(b.Below) + i)
		addClient(t, c, l, b.Element)
	}
}

func addClient(t *doc.Table, c graph.Attached, lead, trunk string) {
	state := "-"
	if c.Active != nil {
		state = choose(*c.Active, "active", "backup")
	}
	note := fmt.Sprintf("VLAN %d", c.VLAN)
	if c.HMC != "" {
		note += "  not read, known from " + c.HMC
	}
	if c.Seen {
		note += "  as the SEA counts its frames"
	}
	t.Add(doc.Indent(lead, c.Ref.String()+" (client)"), trunk, state, "-", "-", "-", note)
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
