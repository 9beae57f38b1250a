package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// Path lists every hop with its attributes that matter. An attribute whose
// running and next-boot value differ shows both.
func Path(d *Document, fleet *model.Fleet, path *model.Path) {
	d.Line("%s → %s", path.From, path.To)
	t := doc.NewWrapped("path", doc.Right("").Keyed("hop"), doc.Left("element"), doc.Left("kind"),
		doc.Left("connected by"), doc.Left("main attributes"))
	for i, h := range path.Hops {
		element, attributes := "·", ""
		if h.Ref != nil {
			element = h.Ref.String()
			attributes = strings.Join(attributesOf(fleet, *h.Ref), "  ")
		}
		t.Add(i+1, element, h.Kind, h.Note, attributes)
	}
	d.Table(t)
	addGaps(d, path.Gaps)
}

// addGaps names what is not known, and why.
func addGaps(d *Document, gaps []model.Gap) {
	for _, g := range gaps {
		d.Prose("gap", g.What+": "+g.Why)
	}
}

// attributesOf gives name=value of an element's attributes that matter.
func attributesOf(fleet *model.Fleet, ref model.Ref) []string {
	var out []string
	for _, h := range fleet.Hosts {
		if h.Name != ref.Host || h.Elements[ref.Element] == nil {
			continue
		}
		el := h.Elements[ref.Element]
		for _, shown := range knowledge.BuiltIn().Display().Of(string(el.Kind), h.Platform == model.Linux) {
			if a := el.Attrs[shown.Attribute]; a != nil {
				out = append(out, shown.Attribute+"="+Value(a))
			}
		}
	}
	return out
}

// Value shows what an attribute is now, and what it will be if that differs.
func Value(a *model.Attr) string {
	switch {
	case a.Running == nil:
		return or(a.NextBoot, "unset")
	// Unset in the ODM means that the driver's own default runs, and will.
	case a.NextBoot == nil || *a.NextBoot == "" || *a.NextBoot == *a.Running:
		return or(a.Running, "unset")
	}
	return or(a.Running, "unset") + " (next boot: " + *a.NextBoot + ")"
}

// or is a value, or the word for an empty one; a dash where it is not known.
func or(v *string, empty string) string {
	if v == nil {
		return "-"
	}
	return cmp.Or(*v, empty)
}

// Host lists a host's elements.
func Host(d *Document, h *model.Host) {
	head := fmt.Sprintf("%s  %s", h.Name, h.Platform)
	for _, s := range []string{h.OS, h.Level, h.IOSLevel, h.MachineID, h.Partition.Name} {
		if s != "" {
			head += "  " + s
		}
	}
	d.Line("%s", doc.Styled(doc.Head, head))
	processors := processorsOf(h.Partition)
	if processors != "" {
		d.Line("%s", processors)
	}
	addresses := addressesOf(h)
	if !addresses.Empty() {
		d.Table(addresses)
	}
	fleet := &model.Fleet{Hosts: []*model.Host{h}}
	t := doc.NewWrapped(h.Name, doc.Left("element"), doc.Left("kind"), doc.Left("on"), doc.Left("link"), doc.Left("main attributes"))
	for _, n := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		el := h.Elements[n]
		attributes := attributesOf(fleet, model.Ref{Host: h.Name, Element: n})
		t.Add(n, el.Kind, under(el), link(el.LinkUp, el.SpeedMb), strings.Join(attributes, "  "))
	}
	d.Table(t)
	addGaps(d, h.Gaps)
}

func under(el *model.Element) string {
	switch el.Kind {
	case model.SEA:
		return strings.TrimSpace(el.Real + " " + strings.Join(el.Trunks, " "))
	case model.EtherChannel:
		return strings.Join(el.Members, " ")
	}
	if len(el.Members) > 0 { // a Linux bridge
		return strings.Join(el.Members, " ")
	}
	return cmp.Or(el.On, el.Peer)
}

func link(up *bool, speed *int64) string {
	switch {
	case up == nil:
		return "-"
	case !*up:
		return "down"
	case speed != nil:
		return fmt.Sprintf("up %d Mbit/s", *speed)
	}
	return "up"
}

// Map has a row a VLAN of a hypervisor switch: who is in it, and who bridges
// it. Two active SEAs are a split brain; none leaves it cut off.
func Map(d *Document, segments []graph.Segment) {
	t := doc.NewWrapped("map", doc.Left("system"), doc.Left("switch"), doc.Right("VLAN"), doc.Right("LPARs"), doc.Left("active SEA"),
		doc.Left("standby"))
	for _, s := range segments {
		active := doc.Cell{Text: Dash(allRefs(s.Active))}
		switch {
		case len(s.Active) > 1:
			active = doc.StyledCell(doc.Bad, active.Text+" (split brain)")
		case len(s.Unknown) > 0:
			active.Text = "not known: " + allRefs(s.Unknown)
		}
		t.Add(Dash(s.System), Dash(s.VSwitch), s.VLAN, len(s.Clients), active, Dash(allRefs(s.Standby)))
	}
	addOr(d, t, "No virtual Ethernet was read.")
}
