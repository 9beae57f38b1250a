package report

import (
	"strings"

	"seaworthy/inventory"
)

// graph is a path as boxes and lines, for the two pictures of it.
type graph struct {
	title string
	lanes []lane
	boxes []box
	lines []edge
	rows  int
	notes []string // gaps
}

// lane is a host; boxes that no host owns are in a lane without a name.
type lane struct {
	host   string
	system string
}

// box is an element, or a switch.
type box struct {
	lane, row int
	part      int // of several beside each other in a row: members of an EtherChannel
	parts     int
	name      string
	kind      string
	attrs     []string
	down      bool
	outside   bool // no host owns it
}

// edge joins two boxes.
type edge struct {
	from, to int
	note     string
}

// graphOf lays a path out: a row per hop, a lane per host in the order of the
// path. Members of an EtherChannel share a row: frames take one of them.
func graphOf(f *inventory.Fleet, path *inventory.Path) *graph {
	g := &graph{title: path.From.String() + " → " + path.To.String()}
	lanes := map[string]int{}
	laneOf := func(host string) int {
		if i, ok := lanes[host]; ok {
			return i
		}
		l := lane{host: host}
		if h := f.Host(host); h != nil {
			l.system = h.MachineID
		}
		g.lanes = append(g.lanes, l)
		lanes[host] = len(g.lanes) - 1
		return lanes[host]
	}
	var before []int
	last := 0
	for i := 0; i < len(path.Hops); {
		n := 1
		for ; path.Hops[i].Note == "member" && i+n < len(path.Hops) && path.Hops[i+n].Note == "member"; n++ {
		}
		var row []int
		for k, h := range path.Hops[i : i+n] {
			b := box{row: g.rows, part: k, parts: n, kind: h.Kind, name: h.Kind, lane: last, outside: h.Ref == nil}
			if h.Ref != nil {
				b.name, b.lane = h.Ref.String(), laneOf(h.Ref.Host)
				b.attrs = Attributes(f, *h.Ref)
				if el := f.Element(*h.Ref); el != nil {
					b.down = el.LinkUp != nil && !*el.LinkUp
				}
				last = b.lane
			} else if h.Note != "" {
				b.attrs = []string{h.Note}
			}
			at := len(g.boxes)
			g.boxes = append(g.boxes, b)
			row = append(row, at)
			for _, p := range before {
				e := edge{from: p, to: at}
				if h.Ref != nil {
					e.note = h.Note
				}
				g.lines = append(g.lines, e)
			}
		}
		before = row
		i += n
		g.rows++
	}
	if len(g.lanes) == 0 {
		g.lanes = []lane{{}}
	}
	for _, gap := range path.Gaps {
		g.notes = append(g.notes, gap.What+": "+gap.Why)
	}
	return g
}

// boxText wraps a box's attributes to a width in characters.
func boxText(attrs []string, width int) []string {
	if len(attrs) == 0 {
		return nil
	}
	return wrap(Safe(strings.Join(attrs, " ")), width)
}
