package drawing

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Sizes of a map in px.
const (
	chipW, chipH, chipGap = 122, 24, 6
	chipRows              = 25
	titleH                = 24
)

// Map draws systems with their LPARs, grouped by the VLANs that they are in, and
// their VIOSes with the SEAs that bridge those. Segments are in the order of
// systems.
func Map(segments []graph.Segment) *Drawing {
	m := &mapping{d: &Drawing{Title: "Systems, VLANs and SEAs", Caption: "Map"}}
	var systems []string
	by := map[string][]graph.Segment{}
	for _, s := range segments {
		if by[s.System] == nil {
			systems = append(systems, s.System)
		}
		by[s.System] = append(by[s.System], s)
	}
	var parts []*mapSystem
	tall := 0
	for _, name := range systems {
		p := newMapSystem(name, by[name])
		parts = append(parts, p)
		for _, g := range p.groups {
			tall = max(tall, min(len(g.hosts), chipRows))
		}
	}
	m.floor = titleRoom + systemH + titleH + float64(tall)*(chipH+chipGap) + pad
	x := float64(margin)
	for _, p := range parts {
		x = m.system(p, x) + systemX
	}
	m.finish(max(x-systemX+margin, 560))
	return m.d
}

// mapping is a map that grows to the right.
type mapping struct {
	d      *Drawing
	floor  float64 // under the LPARs
	bottom float64 // under the VIOSes
	seas   []*Box
}

type mapGroup struct {
	name  string // "VLAN 10,20"
	hosts []string
}

type mapSystem struct {
	name   string
	groups []mapGroup
	vlans  []string
	seas   []model.Ref
	role   map[model.Ref]map[string][]int // active, standby, unknown: VLANs
}

func newMapSystem(name string, segments []graph.Segment) *mapSystem {
	p := &mapSystem{name: name, role: map[model.Ref]map[string][]int{}}
	of := map[string][]int{}
	var hosts []string
	for _, s := range segments {
		text := fmt.Sprintf("VLAN %d", s.VLAN)
		if s.VSwitch != "" {
			text += " on " + s.VSwitch
		}
		p.vlans = append(p.vlans, text)
		for _, h := range s.Clients {
			if of[h] == nil {
				hosts = append(hosts, h)
			}
			of[h] = append(of[h], s.VLAN)
		}
		for role, refs := range map[string][]model.Ref{"active": s.Active, "standby": s.Standby, "unknown": s.Unknown} {
			for _, r := range refs {
				if p.role[r] == nil {
					p.role[r] = map[string][]int{}
					p.seas = append(p.seas, r)
				}
				p.role[r][role] = append(p.role[r][role], s.VLAN)
			}
		}
	}
	slices.SortFunc(hosts, model.Natural)
	slices.SortFunc(p.seas, model.Ref.Compare)
	at := map[string]int{}
	for _, h := range hosts {
		key := "VLAN " + numbers(of[h])
		i, ok := at[key]
		if !ok {
			i = len(p.groups)
			at[key], p.groups = i, append(p.groups, mapGroup{name: key})
		}
		p.groups[i].hosts = append(p.groups[i].hosts, h)
	}
	return p
}

// system draws one from x to the right, and returns where it ends.
func (m *mapping) system(p *mapSystem, x float64) float64 {
	d := m.d
	s := &Box{ID: "system/" + p.name, Class: System, Name: p.name}
	d.Boxes = append(d.Boxes, s)
	bar := &Box{ID: "hypervisor/" + p.name, In: s.ID, Class: Switch, Name: "hypervisor switch", Facts: []string{strings.Join(p.vlans, "; ")}}
	right := x + gutter + 260
	left, top := x+gutter, m.floor-titleH
	for i, g := range p.groups {
		b := m.group(s, g, i, left)
		d.Lines = append(d.Lines, &Line{From: b.ID, To: bar.ID, Points: []Point{{b.centre(), b.bottom()}, {b.centre(), m.floor + laneY}}})
		left = b.right() + hostX
		right, top = max(right, b.right()), min(top, b.Y)
	}
	y := m.floor + laneY + barH + laneY
	left = x + gutter
	for i := 0; i < len(p.seas); {
		host := p.seas[i].Host
		h := &Box{ID: "host/" + host, In: s.ID, Class: Host, Name: host, Kind: "VIOS", Rect: Rect{X: left, Y: y, H: headH + 12 + 5*lineH + pad}}
		d.Boxes = append(d.Boxes, h)
		at := left + pad
		for ; i < len(p.seas) && p.seas[i].Host == host; i++ {
			b := m.sea(h, p, p.seas[i], at)
			d.Lines = append(d.Lines, &Line{From: bar.ID, To: b.ID, Standby: b.Standby,
				Points: []Point{{b.centre(), m.floor + laneY + barH}, {b.centre(), b.Y}}})
			at = b.right() + columnX
		}
		h.W = at - columnX + pad - left
		left = h.right() + hostX
		right, m.bottom = max(right, h.right()), max(m.bottom, h.bottom()+gutter/2)
	}
	s.Rect = Rect{x, top - systemH, right + gutter - x, max(m.floor+laneY+barH+gutter, m.bottom) - top + systemH}
	bar.Rect = Rect{x + gutter/2, m.floor + laneY, s.W - gutter, barH}
	d.Boxes = append(d.Boxes, bar)
	return s.right()
}

// group is a box of LPARs in the same VLANs, on the floor.
func (m *mapping) group(s *Box, g mapGroup, n int, x float64) *Box {
	rows := min(len(g.hosts), chipRows)
	columns := (len(g.hosts) + chipRows - 1) / chipRows
	b := &Box{ID: fmt.Sprintf("%s/group/%d", s.ID, n), In: s.ID, Class: Host, Name: g.name}
	b.W = 2*pad + float64(columns)*(chipW+chipGap) - chipGap
	b.H = titleH + float64(rows)*(chipH+chipGap) + pad - chipGap
	b.X, b.Y = x, m.floor-b.H
	m.d.Boxes = append(m.d.Boxes, b)
	for i, h := range g.hosts {
		m.d.Boxes = append(m.d.Boxes, &Box{ID: s.ID + "/lpar/" + h, In: b.ID, Class: Element, Name: h, Rect: Rect{
			x + pad + float64(i/chipRows)*(chipW+chipGap), b.Y + titleH + float64(i%chipRows)*(chipH+chipGap), chipW, chipH}})
	}
	return b
}

// sea is an SEA with the VLANs that it bridges, and those it stands by for.
func (m *mapping) sea(h *Box, p *mapSystem, r model.Ref, x float64) *Box {
	b := &Box{ID: r.String(), In: h.ID, Class: Element, Name: r.Element, Kind: "SEA", Rect: Rect{x, h.Y + headH, nodeW, 12 + 5*lineH}}
	for _, role := range [][2]string{{"active", "bridges VLAN "}, {"standby", "stands by for VLAN "}, {"unknown", "may bridge VLAN "}} {
		if list := p.role[r][role[0]]; len(list) > 0 {
			b.Facts = append(b.Facts, role[1]+numbers(list))
		}
	}
	b.Standby = len(p.role[r]["active"]) == 0
	m.d.Boxes, m.seas = append(m.d.Boxes, b), append(m.seas, b)
	return b
}

// finish draws the Ethernet switch and all texts.
func (m *mapping) finish(width float64) {
	d := m.d
	d.Width = width
	bottom := max(m.bottom, m.floor+laneY+barH+gutter) + laneY
	if len(m.seas) > 0 {
		sw := &Box{ID: "switch", Class: Switch, Name: "Ethernet switch", Rect: Rect{margin, bottom, width - 2*margin, barH}}
		d.Boxes = append(d.Boxes, sw)
		for _, b := range m.seas {
			d.Lines = append(d.Lines, &Line{From: b.ID, To: sw.ID, Standby: b.Standby,
				Points: []Point{{b.centre(), b.bottom()}, {b.centre(), bottom}}})
		}
		bottom += barH
	}
	slices.SortStableFunc(d.Boxes, func(a, b *Box) int { return order(a) - order(b) })
	g := &pathDrawing{d: d}
	g.write()
	d.Height = g.legend(bottom+26) + margin
}
