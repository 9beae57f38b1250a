package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// owner is the SEA that an element of a VIOS is part of, or nil.
func owner(h *inventory.Host, el *inventory.Element) *inventory.Element {
	for range 3 { // member of an EtherChannel, that of an SEA
		if el == nil || el.Kind == inventory.SEA {
			return el
		}
		el = h.Elements[el.MemberOf]
	}
	return nil
}

// peerSEA is the SEA on the other VIOS of the managed system that stands in for
// one: it has a trunk adapter on the same hypervisor switch and VLAN.
func peerSEA(f *inventory.Fleet, h *inventory.Host, sea *inventory.Element) (*inventory.Host, *inventory.Element) {
	for _, o := range f.Hosts {
		if o == h || o.MachineID == "" || o.MachineID != h.MachineID {
			continue
		}
		for _, name := range o.Names(inventory.SEA) {
			if peer := o.Elements[name]; sharesVLAN(h, sea, o, peer) {
				return o, peer
			}
		}
	}
	return nil, nil
}

// sharesVLAN says whether SEAs of two VIOSes have trunk adapters on the same
// hypervisor switch and VLAN.
func sharesVLAN(h *inventory.Host, sea *inventory.Element, o *inventory.Host, peer *inventory.Element) bool {
	for _, mine := range sea.Trunks {
		for _, other := range peer.Trunks {
			a, b := h.Elements[mine], o.Elements[other]
			if a != nil && b != nil && a.PVID != nil && b.PVID != nil && *a.PVID == *b.PVID && a.VSwitch == b.VSwitch {
				return true
			}
		}
	}
	return false
}

// rolloutOrder is a VIOS's place in a change that rolls over a pair: the backup first,
// since its clients are elsewhere, then, after a failover, the primary. Of
// ha_mode itself the primary is first, or both could pass packets at once.
func rolloutOrder(it *item) int {
	sea := owner(it.host, it.host.Elements[it.want.Element])
	if it.host.Platform != inventory.VIOS || sea == nil {
		return 0
	}
	primary := strings.HasPrefix(sea.HAState, "PRIMARY")
	switch {
	case !primary && !strings.HasPrefix(sea.HAState, "BACKUP"):
		return 0
	case (it.want.Attr == haMode) == primary:
		return 1
	}
	return 2
}

// haWarnings says how a step on an SEA, or on a part of one, affects its
// pair: what to check or to do first.
func haWarnings(f *inventory.Fleet, it item) []string {
	if it.host.Platform != inventory.VIOS || window(it) == AnyTime {
		return nil
	}
	sea := owner(it.host, it.host.Elements[it.want.Element])
	if sea == nil {
		return nil
	}
	other, peer := peerSEA(f, it.host, sea)
	ref := inventory.Ref{Host: it.host.Name, Element: sea.Name}
	var ns []string
	switch {
	case sea.HAState == "" && peer == nil:
		meanwhile := "meanwhile"
		if window(it) == Restart {
			meanwhile = "during the restart"
		}
		ns = append(ns, fmt.Sprintf("no other SEA is known to take over for %s: its clients have no network %s", ref, meanwhile))
	case peer == nil:
		ns = append(ns, fmt.Sprintf("%s is %s, but its peer was not read: make sure that it is healthy first", ref, sea.HAState))
	case !strings.HasPrefix(peer.HAState, "PRIMARY") && !strings.HasPrefix(peer.HAState, "BACKUP"):
		ns = append(ns, fmt.Sprintf("the peer %s:%s is %q: restore redundancy first", other.Name, peer.Name, peer.HAState))
	case strings.HasPrefix(sea.HAState, "PRIMARY") && it.want.Attr != haMode && window(it) == Restart:
		ns = append(ns, fmt.Sprintf("%s is %s: fail over to %s:%s first (chdev -dev %s -attr ha_mode=standby), and back when it is done "+
			"(ha_mode=%s)", ref, sea.HAState, other.Name, peer.Name, sea.Name, cmp.Or(attr(sea, haMode), "auto")))
	}
	if reset := attr(sea, "adapter_reset"); reset == "yes" && (window(it) == Restart || it.want.Attr == haMode) {
		ns = append(ns, fmt.Sprintf("%s has adapter_reset=yes: with LACP a failover takes up to 30 s; set it to no before", ref))
	}
	return ns
}

// attr is an attribute's running value, or else that of the next boot.
func attr(el *inventory.Element, name string) string {
	return el.Attrs[name].Current()
}

// alike says which trunk adapters of the same SEA would differ from this one
// afterwards: one VLAN would then drop where another does not.
func (b *builder) alike(it item) []string {
	el := it.host.Elements[it.want.Element]
	if el == nil || el.MemberOf == "" {
		return nil
	}
	sea := it.host.Elements[el.MemberOf]
	if sea == nil || !slices.Contains(sea.Trunks, el.Name) {
		return nil
	}
	var ns []string
	for _, t := range sea.Trunks {
		other := it.host.Elements[t]
		if t == el.Name || other == nil {
			continue
		}
		will := attr(other, it.want.Attr)
		for _, o := range b.items {
			if o.host == it.host && o.want.Element == t && o.want.Attr == it.want.Attr {
				will = o.want.Value
			}
		}
		if will != it.want.Value && will != "" {
			ns = append(ns, fmt.Sprintf("%s, a trunk adapter of %s too, stays at %s=%s: set all alike", t, sea.Name, it.want.Attr, will))
		}
	}
	return ns
}

// waiting are the attributes of a host that a restart brings into force in addition to
// those of the plan.
func waiting(it item) []string {
	if !it.pend {
		return nil
	}
	list := leftForBoot(it.host, slices.Collect(maps.Keys(it.host.Elements)), func(s inventory.Ref, attr string) bool {
		return s == it.want.Ref && attr == it.want.Attr
	})
	if len(list) == 0 {
		return nil
	}
	return []string{"the restart also brings into force what was set with -P before: " + strings.Join(list, ", ")}
}
