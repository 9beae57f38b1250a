package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect/aix/hmc"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

func flag(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// tagged says whether an adapter takes tagged frames (IEEE 802.1Q).
func tagged(a *topology.Adapter) bool { return a.Trunk || len(a.VLANs) > 0 }

func vlans(a *topology.Adapter) string {
	var ids []string
	for _, v := range a.VLANs {
		ids = append(ids, strconv.Itoa(v))
	}
	return strings.Join(ids, ",")
}

// priority of a trunk; 0 of an adapter that is none.
func priority(a *topology.Adapter) int {
	if !a.Trunk {
		return 0
	}
	return max(a.Priority, 1)
}

// maxSlots is how many virtual slots a partition may have, as the numbers of its devices allow.
const maxSlots = 200

func (c *Console) ethernet(s *topology.System) (list []hmc.Record) {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for j := range n.Adapters {
			a := &n.Adapters[j]
			if a.Kind != topology.Virtual {
				continue
			}
			words := append(ids(n), "slot_num", strconv.Itoa(topology.Slot(j)), "state", "1", "is_required", "1", "is_trunk", flag(a.Trunk))
			if a.Trunk {
				words = append(words, "trunk_priority", strconv.Itoa(priority(a)))
			}
			mac := strings.ToUpper(strings.ReplaceAll(a.MAC, ":", ""))
			list = append(list, record(append(words, "ieee_virtual_eth", flag(tagged(a)), "port_vlan_id", strconv.Itoa(a.PVID),
				"vswitch", s.VSwitch, "addl_vlan_ids", vlans(a), "mac_addr", mac, "allowed_os_mac_addrs", "all", "qos_priority", "none")...))
		}
	}
	return list
}

func (c *Console) vswitches(s *topology.System) []hmc.Record {
	return []hmc.Record{record("vswitch", s.VSwitch, "switch_mode", "VEB", "allowed_lpar_ids", "all")}
}

func (c *Console) virtualSlots(s *topology.System) []hmc.Record {
	return ofPartitions(s, func(n *topology.Node) []string {
		used := map[int]bool{}
		for j := range n.Adapters {
			used[topology.Slot(j)] = n.Adapters[j].Kind == topology.Virtual
		}
		next := topology.Slot(0)
		for used[next] {
			next++
		}
		limit := strconv.Itoa(maxSlots)
		return append(ids(n), "curr_max_virtual_slots", limit, "pend_max_virtual_slots", limit,
			"next_avail_virtual_slot", strconv.Itoa(next))
	})
}

// slots are those of physical adapters, in the order of the slots.
func (c *Console) slots(s *topology.System) (list []hmc.Record) {
	unit := odm.Unit(s)
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for j := range n.Adapters {
			a := &n.Adapters[j]
			if a.Kind != topology.Physical {
				continue
			}
			at := s.PortSlot(a)
			list = append(list, record("unit_phys_loc", unit, "bus_id", strconv.Itoa(at), "phys_loc", fmt.Sprintf("C%d", at),
				"drc_index", fmt.Sprintf("2101%04X", at), "lpar_name", n.Name, "lpar_id", strconv.Itoa(n.Number), "slot_io_pool_id", "none",
				"description", odm.PortName(a.LineRate), "drc_name", fmt.Sprintf("%s-P1-C%d", unit, at)))
		}
	}
	slices.SortStableFunc(list, func(a, b hmc.Record) int {
		x, _ := a.Get("drc_index")
		y, _ := b.Get("drc_index")
		return strings.Compare(x, y)
	})
	return list
}

// record makes one out of names and values in turn.
func record(words ...string) hmc.Record {
	var r hmc.Record
	for i := 0; i+1 < len(words); i += 2 {
		r.Fields = append(r.Fields, hmc.Field{Name: words[i], Value: words[i+1]})
	}
	return r
}
