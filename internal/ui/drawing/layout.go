package drawing

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/typeset"
)

// Sizes in px.
const (
	margin    = 20
	laneLabel = 86 // width of the names of lanes
	titleRoom = 44

	nodeW   = 176
	columnX = 14 // between elements
	pad     = 10 // of a host, around its elements
	hostX   = 18 // between hosts
	systemX = 34 // between systems
	gutter  = 18 // of a system, around its hosts
	laneY   = 30 // between lanes
	barH    = 40
	headH   = 40 // of a host
	coresH  = 20 // more of one whose cores are known
	systemH = 26

	nameSize, textSize, lineH = 12.5, 11, 14
)

// column of the layout: a host with its elements.
type hostBox struct {
	*Box
	system  string
	nodes   []*node
	lo, hi  int // lanes
	columns int
	vios    bool
}

type systemBox struct {
	*Box  // nil: no frame around its hosts
	hosts []*hostBox
}

// layout places everything.
func (g *pathDrawing) layout() {
	hosts, systems := g.group()
	tops := g.rows(hosts, systems)
	x := float64(margin + laneLabel)
	for _, s := range systems {
		x = g.placeSystem(s, x) + systemX
	}
	g.d.Width = max(x-systemX+margin, 560)
	g.bars(systems)
	g.laneTexts(tops)
	bottom := 0.0
	for _, b := range g.d.Boxes {
		bottom = max(bottom, b.bottom())
	}
	g.route()
	g.write()
	g.d.Height = g.legend(bottom+26) + margin
}

// group puts nodes into hosts, and hosts into systems, in the order of the path;
// VIOSes behind their clients, in the order of their names, so that a failover
// does not move them.
func (g *pathDrawing) group() ([]*hostBox, []*systemBox) {
	var hosts []*hostBox
	byHost, bySystem := map[string]*hostBox{}, map[string]*systemBox{}
	var systems []*systemBox
	for _, n := range g.order {
		if n.system == "" {
			continue
		}
		s := bySystem[n.system]
		if s == nil {
			s = &systemBox{}
			if !strings.HasPrefix(n.system, "?") {
				s.Box = &Box{ID: "system/" + n.system, Class: System, Name: n.system, Kind: "managed system"}
			}
			bySystem[n.system] = s
			systems = append(systems, s)
		}
		if n.host == "" {
			continue
		}
		h := byHost[n.host]
		if h == nil {
			h = &hostBox{Box: g.hostBox(n.host), system: n.system, lo: n.lane, hi: n.lane}
			if x := g.fleet.Host(n.host); x != nil {
				h.vios = x.Platform == model.VIOS
			}
			if s.Box != nil {
				h.In = s.ID
			}
			byHost[n.host] = h
			hosts, s.hosts = append(hosts, h), append(s.hosts, h)
		}
		h.nodes = append(h.nodes, n)
		h.lo, h.hi, h.columns = min(h.lo, n.lane), max(h.hi, n.lane), max(h.columns, n.column+1)
	}
	for _, s := range systems {
		slices.SortStableFunc(s.hosts, func(a, b *hostBox) int {
			switch {
			case a.vios && !b.vios:
				return 1
			case b.vios && !a.vios:
				return -1
			case a.vios:
				return model.Natural(a.Name, b.Name)
			}
			return 0
		})
	}
	return hosts, systems
}

var platformNames = map[model.Platform]string{model.AIX: "AIX", model.VIOS: "VIOS", model.Linux: "Linux"}

func (g *pathDrawing) hostBox(name string) *Box {
	b := &Box{ID: "host/" + name, Class: Host, Name: name}
	h := g.fleet.Host(name)
	if h == nil {
		b.Kind = "not read"
		return b
	}
	b.Kind = platformNames[h.Platform]
	limit := h.Partition.Entitled
	if x, ok := h.Figures[model.CoresLimit]; limit == nil && ok {
		limit = &x.Value
	}
	if used, ok := g.options.Cores[name]; ok {
		b.Cores = &Cores{used, limit}
	} else if x, ok := h.Figures[model.CoresUsed]; ok {
		b.Cores = &Cores{x.Value, limit}
	}
	return b
}

// rows gives every node its place from above, and returns the tops and heights of lanes.
func (g *pathDrawing) rows(hosts []*hostBox, systems []*systemBox) map[int]Rect {
	heights := map[int]float64{}
	for _, n := range g.order {
		n.W, n.H = nodeW, 12+lineH*float64(2+len(n.Facts)+len(n.Change))
		if n.host == "" {
			n.H = barH
		}
		heights[n.lane] = max(heights[n.lane], n.H)
	}
	head := func(h *hostBox) float64 {
		if h.Cores != nil {
			return headH + coresH
		}
		return headH
	}
	framed := slices.ContainsFunc(systems, func(s *systemBox) bool { return s.Box != nil })
	y, tops := float64(titleRoom), map[int]Rect{}
	if framed {
		y += systemH
	}
	lanes := slices.Sorted(maps.Keys(heights))
	for i, lane := range lanes {
		begins := 0.0
		for _, h := range hosts {
			if h.lo == lane {
				begins = max(begins, head(h))
			}
		}
		if lane == laneSwitch && framed {
			y += gutter
		}
		y += begins
		tops[lane] = Rect{Y: y, H: heights[lane]}
		y += heights[lane]
		if i+1 < len(lanes) {
			y += laneY
			if slices.ContainsFunc(hosts, func(h *hostBox) bool { return h.hi == lane }) {
				y += pad
			}
		}
	}
	for _, n := range g.order {
		n.Y, n.H = tops[n.lane].Y, heights[n.lane]
	}
	for _, h := range hosts {
		h.Y = tops[h.lo].Y - head(h)
		h.H = tops[h.hi].bottom() + pad - h.Y
	}
	return tops
}

// placeSystem puts the hosts of a system side by side where they share lanes,
// and returns where it ends.
func (g *pathDrawing) placeSystem(s *systemBox, x float64) float64 {
	left := x
	if s.Box != nil {
		left += gutter
	}
	var placed []*hostBox
	right := left
	for _, h := range s.hosts {
		h.W = float64(h.columns)*(nodeW+columnX) - columnX + 2*pad
		h.X = left
		for _, o := range placed {
			if h.lo <= o.hi && o.lo <= h.hi {
				h.X = max(h.X, o.right()+hostX)
			}
		}
		placed = append(placed, h)
		right = max(right, h.right())
	}
	centreTiers(s.hosts, left, right)
	for _, h := range s.hosts {
		for _, n := range h.nodes {
			n.X = h.X + pad + float64(n.column)*(nodeW+columnX)
		}
	}
	if s.Box == nil {
		g.addHosts(s)
		return right
	}
	top, bottom := 1e9, 0.0
	for _, n := range g.order {
		if "system/"+n.system == s.ID {
			top, bottom = min(top, n.Y), max(bottom, n.bottom())
		}
	}
	for _, h := range s.hosts {
		top, bottom = min(top, h.Y), max(bottom, h.bottom())
	}
	s.Rect = Rect{x, top - systemH, right + gutter - x, bottom + gutter/2 - top + systemH}
	g.d.Boxes = append(g.d.Boxes, s.Box)
	g.addHosts(s)
	return s.right()
}

func (g *pathDrawing) addHosts(s *systemBox) {
	for _, h := range s.hosts {
		g.d.Boxes = append(g.d.Boxes, h.Box)
		for _, n := range h.nodes {
			g.d.Boxes = append(g.d.Boxes, n.Box)
		}
	}
}

// centreTiers moves hosts that stand above or below others to the middle.
func centreTiers(hosts []*hostBox, left, right float64) {
	tiers := map[int][]*hostBox{}
	for _, h := range hosts {
		switch {
		case h.hi < laneHypervisor:
			tiers[0] = append(tiers[0], h)
		case h.lo > laneHypervisor:
			tiers[1] = append(tiers[1], h)
		default:
			return // one that spans both keeps all in their places
		}
	}
	for _, tier := range tiers {
		end := 0.0
		for _, h := range tier {
			end = max(end, h.right())
		}
		for _, h := range tier {
			h.X += (right - end) / 2
		}
	}
}

// bars stretches the switches over what they join.
func (g *pathDrawing) bars(systems []*systemBox) {
	for _, n := range g.order {
		if n.host != "" {
			continue
		}
		n.X, n.W = margin+laneLabel, g.d.Width-2*margin-laneLabel
		for _, s := range systems {
			if s.Box != nil && s.ID == "system/"+n.system {
				n.In, n.X, n.W = s.ID, s.X+gutter/2, s.W-gutter
			}
			if s.Box == nil && len(s.hosts) > 0 && s.hosts[0].system == n.system {
				n.X = s.hosts[0].X
				n.W = s.hosts[len(s.hosts)-1].right() - n.X
			}
		}
		g.d.Boxes = append(g.d.Boxes, n.Box)
	}
	slices.SortStableFunc(g.d.Boxes, func(a, b *Box) int { return cmp.Compare(order(a), order(b)) })
}

// order puts outer boxes before inner ones.
func order(b *Box) int {
	switch b.Class {
	case Host, Switch:
		return 1
	case Element:
		return 2
	}
	return 0 // a system, and what has no class
}

func (g *pathDrawing) laneTexts(tops map[int]Rect) {
	for _, lane := range slices.Sorted(maps.Keys(tops)) {
		names := typeset.Fold(laneNames[lane], laneLabel-8, textSize)
		y := tops[lane].Y + tops[lane].H/2 - float64(len(names)-1)*lineH/2 + 4
		for i, s := range names {
			g.d.put("", "lane", s, margin, y+float64(i)*lineH, textSize, laneLabel-8)
		}
	}
}
