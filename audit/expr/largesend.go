package expr

import (
	"slices"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// Three things show whether an AIX interface uses largesend: the flag
// LARGESEND that ifconfig prints, the running and the next-boot value of
// mtu_bypass. ifconfig may set the flag without the attribute, until the next
// boot.

// largesend says whether any of the three is on. Where they disagree, that is
// another rule's business.
func (s *Session) largesend(e *graph.Element) (bool, error) {
	votes, err := s.largesendVotes(e)
	if slices.Contains(votes, true) {
		return true, nil
	}
	return false, err
}

// largesendDiffers says whether the three disagree, as far as they are known.
func (s *Session) largesendDiffers(e *graph.Element) (bool, error) {
	votes, err := s.largesendVotes(e)
	if err != nil {
		return false, err
	}
	if len(votes) < 2 && !s.masked(e) {
		return false, e.Missing("largesend flag", "ifconfig "+e.Name)
	}
	for _, v := range votes {
		if v != votes[0] {
			return true, nil
		}
	}
	return false, nil
}

// largesendVotes gives what each of the three says, as far as it is known; an
// error with some says that another could not be read.
func (s *Session) largesendVotes(e *graph.Element) ([]bool, error) {
	var votes []bool
	a := e.Is.Attrs["mtu_bypass"]
	for _, p := range attrValues(a) {
		if p == nil {
			continue
		}
		v, ok := Bool(*p)
		if !ok {
			return nil, e.Missing("mtu_bypass: "+*p+" is neither on nor off", "")
		}
		votes = append(votes, v)
		s.recordAttr(e, "mtu_bypass", *p)
	}
	if len(votes) == 0 {
		return nil, e.Missing("mtu_bypass", s.howToRead(e, "mtu_bypass"))
	}
	if ifconfigRead(e) && e.Used() {
		v, err := s.flag(e, "LARGESEND")
		switch {
		case err != nil && a.Running != nil: // by the bits next to the names
		case err != nil:
			return votes, err
		case v || !s.masked(e):
			votes = append(votes, v)
		}
	}
	return votes, nil
}

// masked says that the adapter below keeps the flag LARGESEND from showing,
// whatever mtu_bypass is: it does not write checksums, or does not cut. That
// is a finding about the adapter, not about the interface.
func (s *Session) masked(e *graph.Element) bool {
	a, err := e.Adapter()
	if err != nil {
		return false
	}
	for _, name := range []string{"chksum_offload", "large_send", "largesend"} {
		if x := a.Is.Attrs[name]; x != nil {
			if on, ok := Bool(x.Current()); ok && !on {
				return true
			}
		}
	}
	return false
}

func attrValues(a *inventory.Attr) []*string {
	if a == nil {
		return nil
	}
	return []*string{a.Running, a.NextBoot}
}
