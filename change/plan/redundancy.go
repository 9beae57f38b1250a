package plan

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit/finding"
	"seaworthy/inventory"
)

// redundant says why a step must not interrupt an SEA of a pair: nobody would
// carry its clients meanwhile, or both SEAs would.
func (b *builder) redundant(it *item) error {
	p := b.pairOf(it.host, it.want.Element)
	if p == nil || p.sea.HAState == "" {
		return nil // without failover there is nothing to wait for: a note says so
	}
	mode := it.want.Attr == haMode
	leaves := mode && leaving(it.want.Value)
	if p.other == nil {
		if mode && !leaves {
			return nil // it comes back; a note says that the peer was not read
		}
		return fmt.Errorf("%s is %s, but its peer was not read, so whether it can take over is unknown: read both VIOSes",
			p.ref(), p.sea.HAState)
	}
	both := fmt.Sprintf("%s and %s", p.ref(), p.otherRef())
	switch {
	case leaves && it.want.Value == "disabled":
		return fmt.Errorf("without failover %s would both pass packets of the same VLANs, a loop: "+
			"ha_mode=standby takes one out", both)
	case leaves && b.leavesToo(p.otherRef()):
		return fmt.Errorf("%s would both be on standby: no SEA would carry their clients", both)
	case leaves && !leads(p.sea) && leads(p.other):
		return nil // it carries nobody
	case !mode && !paired(p.other):
		return fmt.Errorf("the peer %s of %s is %q: restore redundancy first", p.otherRef(), p.ref(), p.other.HAState)
	case leads(p.sea) && leads(p.other) && !leaves:
		return fmt.Errorf("%s are both %s, so they do not hear each other over their control channel: repair that first, or take one out "+
			"with ha_mode=standby", both, p.sea.HAState)
	case leaves, !mode && (leads(p.sea) || strings.HasSuffix(p.sea.HAState, "_SH")):
		if err := takesOver(p.otherHost, p.other); err != nil {
			return fmt.Errorf("%s cannot take over from %s: %w", p.otherRef(), p.ref(), err)
		}
	}
	return nil
}

// leaving says that an SEA set so takes no part in its pair.
func leaving(mode string) bool { return slices.Contains(leavingModes, mode) }

var leavingModes = []string{"standby", "disabled"}

// leavesToo says that a peer is to stand by as well.
func (b *builder) leavesToo(sea inventory.Ref) bool {
	return slices.ContainsFunc(leavingModes, func(mode string) bool {
		return b.wanted[finding.Setting{Ref: sea, Attr: haMode, Value: mode}]
	})
}

// takesOver says why an SEA could not carry its peer's clients; nil: it could,
// as far as is known.
func takesOver(h *inventory.Host, sea *inventory.Element) error {
	real := h.Elements[sea.Real]
	switch {
	case !paired(sea):
		return fmt.Errorf("its state is %q", sea.HAState)
	case leaving(attr(sea, haMode)):
		return fmt.Errorf("its ha_mode is %s", attr(sea, haMode))
	case real != nil && real.LinkUp != nil && !*real.LinkUp:
		return fmt.Errorf("the link of %s is down", real.Name)
	}
	return nil
}
