package pathmtu

import (
	"net"
	"net/netip"

	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/linux/procarp"
)

// neighbour is an entry of a host's ARP table.
type neighbour struct {
	address netip.Addr
	mac     [6]byte
}

// universal says that a maker gave the address to a port. Those of virtual
// adapters are given by the hypervisor, which sets the bit of locally
// administered addresses (IEEE 802, second bit of the first byte).
func (n neighbour) universal() bool { return n.mac[0]&3 == 0 && n.mac != [6]byte{} }

// parseNeighbours reads arp -an or /proc/net/arp. Lines that are no complete
// entry are not taken.
func parseNeighbours(text []byte) []neighbour {
	var out []neighbour
	add := func(a netip.Addr, mac string) {
		if hw, err := net.ParseMAC(mac); err == nil && len(hw) == 6 {
			out = append(out, neighbour{a, [6]byte(hw)})
		}
	}
	if t, err := procarp.Parse(text); err == nil {
		for _, e := range t.Entries {
			if e.Complete() {
				add(e.Address, e.MAC)
			}
		}
		return out
	}
	// A text that is neither names nobody.
	if t, err := arp.Parse(text); err == nil {
		for _, e := range t.Entries {
			add(e.Address, e.MAC)
		}
	}
	return out
}
