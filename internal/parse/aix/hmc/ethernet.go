package hmc

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// VirtualEthernet is a virtual Ethernet adapter of a partition, as lshwres -r
// virtualio --rsubtype eth --level lpar lists it. Nil or empty: not printed.
type VirtualEthernet struct {
	LPAR          string `json:"lpar" from:"lpar_name"`
	LPARID        *int   `json:"lpar_id,omitempty" from:"lpar_id"`
	Slot          *int   `json:"slot,omitempty" from:"slot_num"`
	Active        *bool  `json:"active,omitempty" from:"state"`
	PVID          *int   `json:"pvid,omitempty" from:"port_vlan_id"`
	VLANs         []int  `json:"vlans,omitempty"`                        // tagged
	IEEE          *bool  `json:"ieee,omitempty" from:"ieee_virtual_eth"` // 802.1Q aware
	Trunk         *bool  `json:"trunk,omitempty" from:"is_trunk"`
	TrunkPriority *int   `json:"trunk_priority,omitempty" from:"trunk_priority"` // trunks only
	VSwitch       string `json:"vswitch,omitempty" from:"vswitch"`               // not on old HMCs
	MAC           string `json:"mac,omitempty" from:"mac_addr"`                  // aa:bb:cc:dd:ee:ff
	Line          int    `json:"-"`
}

// Ethernet lists the virtual Ethernet adapters. VLAN ids that are no numbers
// are left out and give a warning in the list's report when it is parsed. A vNIC
// and a logical port too have a port VLAN, but no hypervisor switch.
func (l *List) Ethernet() []VirtualEthernet {
	return listed(l, "port_vlan_id", func(r *Record, e *VirtualEthernet) bool {
		e.MAC, e.Line = parse.MAC(e.MAC), r.Line
		e.VLANs, _ = r.vlans()
		_, vnic := r.Get("backing_devices")
		_, port := r.Get("logical_port_id")
		return !vnic && !port
	})
}

// vlans are the tagged VLAN ids, and the words that are not.
func (r *Record) vlans() (ids []int, odd []string) {
	for w := range strings.FieldsFuncSeq(r.text("addl_vlan_ids"), func(c rune) bool { return c == ',' || c == '"' }) {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		switch {
		case w == "none" || w == "null": // -F prints what is not set so
		case err != nil || n < 1 || n > 4094:
			odd = append(odd, w)
		default:
			ids = append(ids, n)
		}
	}
	return ids, odd
}
