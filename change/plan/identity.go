package plan

import (
	"fmt"
	"slices"

	"seaworthy/inventory"
)

// Identity is the address of an adapter of a host. A name can lead to another
// machine than when the plan was made, and that one's values may well be the
// same; its adapters' addresses are not.
type Identity struct {
	Host    string `json:"host"`
	Element string `json:"element"`
	MAC     string `json:"mac"` // aa:bb:cc:dd:ee:ff
}

// identities are one for each host, of its first adapter; none for a host that
// did not say any.
func (x *index) identities(hosts []string) []Identity {
	var out []Identity
	for _, name := range hosts {
		h := x.hosts[name]
		if el := firstMAC(h); el != nil {
			out = append(out, Identity{Host: name, Element: el.Name, MAC: el.MAC})
		}
	}
	return out
}

// firstMAC is the adapter whose address identifies the host; nil: none shows one.
// Members of an EtherChannel share theirs.
func firstMAC(h *inventory.Host) *inventory.Element {
	for _, kind := range []inventory.Kind{inventory.Virtual, inventory.VNIC, inventory.Physical} {
		for _, name := range h.Names(kind) {
			el := h.Elements[name]
			group := h.Elements[el.MemberOf]
			if el.MAC != "" && (group == nil || group.Kind != inventory.EtherChannel) {
				return el
			}
		}
	}
	return nil
}

// Differs says why a host is another one than is meant; nil: nothing shows that.
func (i Identity) Differs(name string, h *inventory.Host) error {
	el := h.Elements[i.Element]
	if i.Host != name || el != nil && el.MAC == "" {
		return nil
	}
	has := "it has none"
	if el != nil {
		if el.MAC == i.MAC {
			return nil
		}
		has = "its own has " + el.MAC
	}
	var there []string
	for n, e := range h.Elements {
		if e.MAC == i.MAC {
			there = append(there, n)
		}
	}
	if len(there) > 0 {
		slices.Sort(there)
		return fmt.Errorf("%s: the adapter with the address %s is %s now, not %s (make a new plan)", name, i.MAC, there[0], i.Element)
	}
	return fmt.Errorf("%s is another host than the plan was made for, or its adapter was replaced: %s had the address %s, %s (does "+
		"the name lead where it should? Then make a new plan)", name, i.Element, i.MAC, has)
}
