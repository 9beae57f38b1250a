package assemble

import (
	"maps"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// kindOf derives an Ethernet adapter's kind from its description in lsdev. The
// words are those of the AIX device catalogue; a description in none of these
// forms is that of a physical or SR-IOV port.
func kindOf(description string) inventory.Kind {
	d := strings.ToLower(description)
	switch {
	case d == "":
		return inventory.Adapter
	case strings.Contains(d, "l-lan"), strings.Contains(d, "virtual i/o ethernet"):
		return inventory.Virtual
	case strings.Contains(d, "shared ethernet"):
		return inventory.SEA
	case strings.Contains(d, "etherchannel"), strings.Contains(d, "link aggregation"):
		return inventory.EtherChannel
	case strings.Contains(d, "vnic"), strings.Contains(d, "virtual nic"):
		return inventory.VNIC
	case d == "vlan", strings.HasPrefix(d, "vlan "), strings.Contains(d, "virtual lan"):
		return inventory.VLANDevice
	}
	return inventory.Physical
}

// telling are attributes that the ODM has for one kind of adapter only, so
// that a host whose lsdev and entstat were not given is still read rightly.
var telling = map[inventory.Kind]string{
	inventory.Virtual: " min_buf_tiny max_buf_tiny min_buf_small max_buf_small min_buf_medium max_buf_medium min_buf_large max_buf_large " +
		"min_buf_huge max_buf_huge max_buf_control buf_mode desired_mapmem poll_uplink dcbflush_local platform_lso ",
	inventory.SEA:          " virt_adapters real_adapter pvid_adapter ctl_chan largesend accounting ha_mode plso_bridge ",
	inventory.EtherChannel: " adapter_names use_jumbo_frame backup_adapter hash_mode noloss_failover ",
	inventory.VLANDevice:   " base_adapter vlan_tag_id ",
	inventory.Physical: " media_speed jumbo_size flow_ctrl rxdesc_que_sz txdesc_que_sz tx_que_size rx_hog intr_rate rxbuf_pool_sz " +
		"tx_send_cnt delay_open ",
}

// kindByAttributes derives an adapter's kind from the names of its attributes.
// Names of two kinds, or of none, leave it an adapter of a kind not known.
func kindByAttributes(attrs map[string]*inventory.Attr) inventory.Kind {
	kind := inventory.Adapter
	for name := range attrs {
		for of, words := range telling {
			switch {
			case of == kind || !strings.Contains(words, " "+name+" "):
			case kind == inventory.Adapter:
				kind = of
			default:
				return inventory.Adapter
			}
		}
	}
	return kind
}

// unknownKinds reports the adapters whose kind is unknown.
func (b *builder) unknownKinds() {
	for _, name := range slices.SortedFunc(maps.Keys(b.host.Elements), inventory.Natural) {
		if b.host.Elements[name].Kind == inventory.Adapter {
			b.gap(name, "adapter kind unknown: neither lsdev nor entstat nor its attributes show it")
		}
	}
}
