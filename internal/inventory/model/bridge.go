package model

import (
	"slices"
	"strings"
)

// Bridge is an SEA that carries a virtual adapter's VLAN to the outside.
type Bridge struct {
	SEA   Ref
	Trunk string
	VLAN  int
	// Standby: the SEA leaves this VLAN to its pair now. Nil: it does not say.
	Standby *bool
	// Counted: the SEA counted the client's frames, but VLAN and switch did not
	// prove the join.
	Counted bool
}

type trunk struct {
	Bridge
	vswitch string
	system  string // of one that was seen: the managed system, if known
}

// Standby reports whether an SEA leaves the VLAN of one of its trunk adapters to
// its pair: by the adapter itself, else by the SEA's state. Two that share have
// each some of the VLANs, whatever they are called; so the state says nothing.
func Standby(sea, t *Element, vlan int) *bool {
	switch {
	case t != nil && t.Bridges != nil:
		return new(!*t.Bridges)
	case len(sea.Shared) > 0 && strings.HasSuffix(sea.HAState, "_SH"):
		return new(!slices.Contains(sea.Shared, vlan))
	case sea.HAState == "BACKUP" || sea.HAState == "LIMBO":
		return new(true)
	case sea.HAState == "" || sea.HAState == "PRIMARY":
		return new(false)
	}
	return nil
}

// is reports whether two are the same trunk for a VLAN.
func (t *trunk) is(x *trunk) bool {
	return t.SEA == x.SEA && t.Trunk == x.Trunk && t.VLAN == x.VLAN
}

// activeFirst orders trunk adapters: those that bridge now, those that do not say, those
// on standby.
func activeFirst(list []trunk) []Bridge {
	slices.SortStableFunc(list, func(x, y trunk) int { return turn(y.Standby) - turn(x.Standby) })
	var out []Bridge
	for _, t := range list {
		out = append(out, t.Bridge)
	}
	return out
}
