package pathmtu

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// side is one end of a path, up to the switch in the middle.
type side struct {
	end   model.Ref   // the interface
	ports []model.Ref // what is cabled to the switch: more than one below an EtherChannel
	kind  string      // of the switch; empty: there is none
	open  bool        // what is between the end and the switch was not all read
}

// sides divides a path at its switch: the Ethernet switch if there is one.
func sides(path *model.Path) (near, far side) {
	at := -1
	for i, h := range path.Hops {
		if h.Ref == nil && (at < 0 || h.Kind == model.EthernetSwitch) {
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
func ports(hops []model.Hop) []model.Ref {
	var out []model.Ref
	for _, h := range hops {
		if h.Ref == nil || len(out) > 0 && h.Note != member {
			break
		}
		out = append(out, *h.Ref)
		if h.Note != member {
			break
		}
	}
	slices.SortFunc(out, func(a, b model.Ref) int { return model.Natural(a.Element, b.Element) })
	return out
}

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
	case s.kind == model.HypervisorSwitch:
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

// carries is the largest IP packet that an element says it passes; false if it
// does not say.
func carries(el *model.Element) (int, bool) {
	return passing(el, func(a *model.Attr) *string { return a.Running })
}

// setForBoot is the next boot's setting of an element whose running value is
// unknown: most often that runs already.
func setForBoot(el *model.Element) (int, bool) {
	return passing(el, func(a *model.Attr) *string {
		if a.Running != nil {
			return nil
		}
		return a.NextBoot
	})
}

func passing(el *model.Element, which func(*model.Attr) *string) (int, bool) {
	if el == nil {
		return 0, false
	}
	value := func(role knowledge.Role) string {
		name := nameOf(el, role)
		if a := el.Attrs[name]; a != nil {
			if v := which(a); v != nil {
				return *v
			}
		}
		return ""
	}
	if n, err := strconv.Atoi(value(knowledge.FrameSize)); err == nil && n > 0 {
		return n, true
	}
	switch value(knowledge.JumboFrames) {
	case "yes":
		return 9000, true
	case "no":
		return 1500, true
	}
	return 0, false
}

// nameOf is the attribute of an element that has a role; of Linux elements those of any
// kind are in one layer.
func nameOf(el *model.Element, role knowledge.Role) string {
	cat := knowledge.BuiltIn()
	return cmp.Or(cat.ByRole(string(el.Kind), role), cat.ByRole("linux", role))
}
