package graph

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Path finds the path from one host's interface to another's, each given as
// "host" or "host:interface". Where a host is given without an interface, the
// pair that shares a subnet is taken.
func (g *Graph) Path(from, to string) (*model.Path, error) {
	a, err := g.endpoint(from)
	if err != nil {
		return nil, err
	}
	b, err := g.endpoint(to)
	if err != nil {
		return nil, err
	}
	x, y, err := g.ends(a, b)
	if err != nil {
		return nil, err
	}
	if x == y {
		return nil, fmt.Errorf("%s: both ends of the path are this interface", x.Ref())
	}
	return newCourse(x, y).path(), nil
}

// course is how the frames of two interfaces get to each other.
type course struct {
	up, down *descent // from each end outward
	// Where the two meet: on a hypervisor switch, at an element, or else beyond what
	// hosts can see.
	onHypervisor bool
	meeting      *Element
}

func newCourse(from, to *Element) *course {
	c := &course{up: newDescent(from), down: newDescent(to)}
	if c.sameVLAN() {
		c.onHypervisor = true // frames never reach an SEA
	} else if shareSubnet(from, to) {
		// An SEA or a bridge carries frames between its own interface and its clients, too.
		c.meeting = c.common()
	}
	return c
}

func (c *course) path() *model.Path {
	up, down := c.up, c.down
	p := &model.Path{From: up.from.Ref(), To: down.from.Ref()}
	join := func(a, between, b []model.Hop) {
		b = slices.Clone(b)
		slices.Reverse(b)
		p.Hops = slices.Concat(a, between, b)
	}
	switch {
	case c.onHypervisor:
		join(up.hops[:up.inside], []model.Hop{{Kind: model.HypervisorSwitch, Note: up.adapter.Is.VSwitch}}, down.hops[:down.inside])
	case c.meeting != nil:
		at := c.meeting.Ref()
		join(up.hops[:up.indexOf(at)+1], nil, down.hops[:down.indexOf(at)])
	default:
		join(up.hops, []model.Hop{{Kind: model.EthernetSwitch, Note: "not visible from any host"}}, down.hops)
		p.Gaps = slices.Concat(up.gaps, down.gaps)
	}
	return p
}

// common finds the first SEA that two ways have in common, or the first bridge of a host
// that they reach in one VLAN; nil without one.
func (c *course) common() *Element {
	a, b := c.up.tag, c.down.tag
	sameTag := a == b || a != nil && b != nil && *a == *b
	for _, x := range c.up.passed {
		turns := x.Is.Kind == model.SEA || sameTag && isBridge(x)
		if turns && slices.Contains(c.down.passed, x) {
			return x
		}
	}
	return nil
}

// sameVLAN says whether two ways reach one VLAN of one hypervisor switch.
func (c *course) sameVLAN() bool {
	a, b := c.up.adapter, c.down.adapter
	if a == nil || b == nil || a.Machine == "" || a.Machine != b.Machine || a.Is.VSwitch != b.Is.VSwitch {
		return false
	}
	v, w := c.up.vlan(), c.down.vlan()
	return v != nil && w != nil && *v == *w
}

// shareSubnet says whether two interfaces have an address in one network.
func shareSubnet(a, b *Element) bool {
	for _, x := range a.Is.Addrs {
		for _, y := range b.Is.Addrs {
			if x.Addr().Is4() == y.Addr().Is4() && x.Masked() == y.Masked() {
				return true
			}
		}
	}
	return false
}
