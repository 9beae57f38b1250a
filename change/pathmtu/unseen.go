package pathmtu

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// unseen blames what no host can see: the ports of the switch in between. Two
// ends alone cannot show whose port it is; a third point that takes such
// packets can.
func (p Prober) unseen(ctx context.Context, w *Way, path *inventory.Path) ([]Suspect, error) {
	near, far := sides(path)
	if near.kind == "" {
		return []Suspect{{Is: "an element that was not read", Why: "all that were read say that they carry such packets"}}, nil
	}
	asked, err := p.ask(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	w.Witnesses = asked
	return blame(w, near, far, sizeWords(w)), nil
}

// side is one end of a path, up to the switch in the middle.
type side struct {
	end   inventory.Ref   // the interface
	ports []inventory.Ref // what is cabled to the switch: more than one below an EtherChannel
	kind  string          // of the switch; empty: there is none
	open  bool            // what is between the end and the switch was not all read
}

// sides divides a path at its switch: the Ethernet switch if there is one.
func sides(path *inventory.Path) (near, far side) {
	at := -1
	for i, h := range path.Hops {
		if h.Ref == nil && (at < 0 || h.Kind == inventory.EthernetSwitch) {
			at = i
		}
	}
	open := len(path.Gaps) > 0
	if at < 0 {
		return side{end: path.From, open: open}, side{end: path.To, open: open}
	}
	before := slices.Clone(path.Hops[:at])
	slices.Reverse(before)
	kind := path.Hops[at].Kind
	return side{path.From, ports(before), kind, open}, side{path.To, ports(path.Hops[at+1:]), kind, open}
}

// ports are the first element of hops, the one next to the switch, and if that
// is a member of an EtherChannel the others too.
func ports(hops []inventory.Hop) []inventory.Ref {
	var out []inventory.Ref
	for _, h := range hops {
		if h.Ref == nil || len(out) > 0 && h.Note != member {
			break
		}
		out = append(out, *h.Ref)
		if h.Note != member {
			break
		}
	}
	slices.SortFunc(out, func(a, b inventory.Ref) int { return inventory.Natural(a.Element, b.Element) })
	return out
}

// member is the note of a path's hop that is a port of an EtherChannel.
const member = "member"

// name of the switch's port of a side.
func (s side) name() string {
	names := make([]string, len(s.ports))
	for i, r := range s.ports {
		names[i] = r.String()
	}
	all := strings.Join(names, " and ")
	switch {
	case len(names) == 0:
		return "the switch port of what carries " + s.end.String()
	case s.kind == inventory.HypervisorSwitch:
		return "the hypervisor switch, at " + all
	case len(names) > 1:
		return "the switch ports of " + all
	}
	return "the switch port of " + all
}

// suspect is that port.
func (s side) suspect(why string) Suspect {
	switch {
	case len(s.ports) == 0:
		why += "; the devices between were not read (name its VIOS too)"
	case len(s.ports) > 1:
		why += " (one of them is enough: frames of one pair of hosts take one port)"
	}
	out := Suspect{Is: s.name(), Why: why}
	if len(s.ports) > 0 {
		out.Port = &s.ports[0]
	}
	return out
}

// words for what witnesses show, of packets that pass or are in time.
type words struct {
	takes    string // WITNESS takes them from HOST
	one      string // WITNESS takes them from HOST and not from the other
	inwards  string // of a port that is well: a link behind it can be at fault
	neither  string // what the ends themselves show
	together string // the ports of both are well
}

func sizeWords(w *Way) words {
	takes := fmt.Sprintf("%%s takes %d bytes from %%s", probing(w))
	return words{takes, takes + " and not from %s",
		", so that its port passes them; or a link inside the network does not",
		"every element that a host can see says that it carries such packets", "the ports of both pass them inwards"}
}

// blame says what the witnesses have shown, and no more: an end whose packets
// arrive somewhere beyond the switch is well as far as that; one whose packets
// do not arrive where the other's do is not. A packet that nobody gets through
// to a witness says nothing, since the witness may not take it.
func blame(w *Way, near, far side, say words) []Suspect {
	var a, b verdictOf
	var inside *Witness
	for i := range w.Witnesses {
		x := &w.Witnesses[i]
		n, f := x.outcome(w.From), x.outcome(w.To)
		a.hear(x, n, f)
		b.hear(x, f, n)
		if x.behind && n == Passed {
			inside = x
		}
	}
	takes := func(by *Witness, from side) string { return fmt.Sprintf(say.takes, by, from.end.Host) }
	several := len(near.ports) > 1 || len(far.ports) > 1
	switch {
	case b.bad != nil && a.bad == nil:
		return []Suspect{far.suspect(fmt.Sprintf(say.one, b.bad, near.end.Host, far.end.Host))}
	case a.bad != nil && b.bad == nil:
		return []Suspect{near.suspect(fmt.Sprintf(say.one, a.bad, far.end.Host, near.end.Host))}
	case inside != nil && !several:
		return []Suspect{{Is: fmt.Sprintf("what is between %s and %s", inside.Is, far.end),
			Why: takes(inside, near) + ", by the same switch ports"}}
	case a.good != nil && b.good != nil && !several:
		return []Suspect{{Is: "a link inside the network, between " + near.name() + " and " + far.name(),
			Why: fmt.Sprintf("%s, and %s from %s: %s", takes(a.good, near), b.good, far.end.Host, say.together)}}
	case a.good != nil && b.good == nil && len(near.ports) < 2:
		return []Suspect{far.suspect(takes(a.good, near) + say.inwards)}
	case b.good != nil && a.good == nil && len(far.ports) < 2:
		return []Suspect{near.suspect(takes(b.good, far) + say.inwards)}
	}
	reason := say.neither + "; the other points do not show which of the two"
	if len(w.Witnesses) == 0 {
		reason = say.neither + "; no other point of the subnet is known that could show which of the two"
	}
	return []Suspect{near.suspect(reason), far.suspect(reason)}
}

// verdictOf an end: who has shown that its packets pass, and who that they do
// not although those of the other end do.
type verdictOf struct{ good, bad *Witness }

func (v *verdictOf) hear(x *Witness, own, other Outcome) {
	switch {
	case own == Passed && v.good == nil:
		v.good = x
	case own == Lost && other == Passed && v.bad == nil:
		v.bad = x
	}
}
