package plan

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// redundant says why a step must not interrupt an SEA of a pair: nobody would
// carry its clients meanwhile, or both SEAs would.
func (b *builder) redundant(it *item) error {
	sea := owner(it.host, it.host.Elements[it.want.Element])
	if it.host.Platform != inventory.VIOS || sea == nil || sea.HAState == "" {
		return nil // without failover there is nothing to wait for: a note says so
	}
	other, peer := peerSEA(b.fleet, it.host, sea)
	leaves := it.want.Attr == haMode && leaving(it.want.Value)
	if peer == nil {
		if it.want.Attr == haMode && !leaves {
			return nil // it comes back; a note says that the peer was not read
		}
		return fmt.Errorf("%s:%s is %s, but its peer was not read, so whether it can take over is unknown: read both VIOSes",
			it.host.Name, sea.Name, sea.HAState)
	}
	pair := fmt.Sprintf("%s:%s and %s:%s", it.host.Name, sea.Name, other.Name, peer.Name)
	lead := func(e *inventory.Element) bool { return strings.HasPrefix(e.HAState, "PRIMARY") }
	switch {
	case leaves && it.want.Value == "disabled":
		return fmt.Errorf("without failover %s would both pass packets of the same VLANs, a loop: "+
			"ha_mode=standby takes one out", pair)
	case leaves && b.leavesToo(other, peer):
		return fmt.Errorf("%s would both be on standby: no SEA would carry their clients", pair)
	case leaves && !lead(sea) && lead(peer):
		return nil // it carries nobody
	case it.want.Attr != haMode && !paired(peer.HAState):
		return fmt.Errorf("the peer %s:%s of %s:%s is %q: restore redundancy first", other.Name, peer.Name, it.host.Name, sea.Name, peer.HAState)
	case lead(sea) && lead(peer) && !leaves:
		return fmt.Errorf("%s are both %s, so they do not hear each other over their control channel: repair that first, or take one out "+
			"with ha_mode=standby", pair, sea.HAState)
	case leaves, it.want.Attr != haMode && (lead(sea) || strings.HasSuffix(sea.HAState, "_SH")):
		if err := takesOver(other, peer); err != nil {
			return fmt.Errorf("%s:%s cannot take over from %s:%s: %w", other.Name, peer.Name, it.host.Name, sea.Name, err)
		}
	}
	return nil
}

// leaving says that an SEA set so takes no part in its pair.
func leaving(mode string) bool { return mode == "standby" || mode == "disabled" }

// leavesToo says that a peer is to stand by as well.
func (b *builder) leavesToo(h *inventory.Host, sea *inventory.Element) bool {
	return slices.ContainsFunc(b.desired, func(w *merged) bool {
		return w.Ref == inventory.Ref{Host: h.Name, Element: sea.Name} && w.Attr == haMode && leaving(w.Value)
	})
}
