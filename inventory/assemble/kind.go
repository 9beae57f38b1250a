package assemble

import (
	"strings"

	"seaworthy/inventory"
)

// kindOf tells an Ethernet adapter's kind from its description in lsdev. The
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

// telling names attributes that the ODM has for one kind of adapter only, so
// that a host whose lsdev and entstat were not given is still read rightly.
var telling = map[string]inventory.Kind{
	"min_buf_tiny": inventory.Virtual, "max_buf_tiny": inventory.Virtual, "min_buf_small": inventory.Virtual,
	"max_buf_small": inventory.Virtual, "min_buf_medium": inventory.Virtual, "max_buf_medium": inventory.Virtual,
	"min_buf_large": inventory.Virtual, "max_buf_large": inventory.Virtual, "min_buf_huge": inventory.Virtual,
	"max_buf_huge": inventory.Virtual, "max_buf_control": inventory.Virtual, "buf_mode": inventory.Virtual,
	"desired_mapmem": inventory.Virtual, "poll_uplink": inventory.Virtual, "dcbflush_local": inventory.Virtual,
	"platform_lso": inventory.Virtual,

	"virt_adapters": inventory.SEA, "real_adapter": inventory.SEA, "pvid_adapter": inventory.SEA,
	"ctl_chan": inventory.SEA, "largesend": inventory.SEA, "accounting": inventory.SEA, "ha_mode": inventory.SEA,
	"plso_bridge": inventory.SEA,

	"adapter_names": inventory.EtherChannel, "use_jumbo_frame": inventory.EtherChannel,
	"backup_adapter": inventory.EtherChannel, "hash_mode": inventory.EtherChannel, "noloss_failover": inventory.EtherChannel,

	"base_adapter": inventory.VLANDevice, "vlan_tag_id": inventory.VLANDevice,

	"media_speed": inventory.Physical, "jumbo_size": inventory.Physical, "flow_ctrl": inventory.Physical,
	"rxdesc_que_sz": inventory.Physical, "txdesc_que_sz": inventory.Physical, "tx_que_size": inventory.Physical,
	"rx_hog": inventory.Physical, "intr_rate": inventory.Physical, "rxbuf_pool_sz": inventory.Physical,
	"tx_send_cnt": inventory.Physical, "delay_open": inventory.Physical,
}

// kindByAttributes tells an adapter's kind from the names of its attributes.
// Names of two kinds, or of none, leave it an adapter of a kind not known.
func kindByAttributes(attrs map[string]*inventory.Attr) inventory.Kind {
	kind := inventory.Adapter
	for name := range attrs {
		switch of := telling[name]; {
		case of == "" || of == kind:
		case kind == inventory.Adapter:
			kind = of
		default:
			return inventory.Adapter
		}
	}
	return kind
}

// unknownKinds says of which adapters it could not be told what they are.
func (b *builder) unknownKinds() {
	for name, e := range b.host.Elements {
		if e.Kind == inventory.Adapter {
			b.gap(name, "what kind of adapter it is: neither lsdev nor entstat says, and its attributes do not tell")
		}
	}
}
