package assemble

import (
	"strings"

	"seaworthy/internal/inventory/model"
)

// kindOf derives an Ethernet adapter's kind from its description in lsdev. The
// words are those of the AIX device catalogue; a description in none of these
// forms is that of a physical or SR-IOV port.
func kindOf(description string) model.Kind {
	d := strings.ToLower(description)
	switch {
	case d == "":
		return model.Adapter
	case strings.Contains(d, "l-lan"), strings.Contains(d, "virtual i/o ethernet"):
		return model.Virtual
	case strings.Contains(d, "shared ethernet"):
		return model.SEA
	case strings.Contains(d, "etherchannel"), strings.Contains(d, "link aggregation"):
		return model.EtherChannel
	case strings.Contains(d, "vnic"), strings.Contains(d, "virtual nic"):
		return model.VNIC
	case d == "vlan", strings.HasPrefix(d, "vlan "), strings.Contains(d, "virtual lan"):
		return model.VLANDevice
	}
	return model.Physical
}

// telling are attributes that the ODM has for one kind of adapter only, so
// that a host whose lsdev and entstat were not given is still read rightly.
var telling = map[model.Kind]string{
	model.Virtual: " min_buf_tiny max_buf_tiny min_buf_small max_buf_small min_buf_medium max_buf_medium min_buf_large max_buf_large " +
		"min_buf_huge max_buf_huge max_buf_control buf_mode desired_mapmem poll_uplink dcbflush_local platform_lso ",
	model.SEA:          " virt_adapters real_adapter pvid_adapter ctl_chan largesend accounting ha_mode plso_bridge ",
	model.EtherChannel: " adapter_names use_jumbo_frame backup_adapter hash_mode noloss_failover ",
	model.VLANDevice:   " base_adapter vlan_tag_id ",
	model.Physical: " media_speed jumbo_size flow_ctrl rxdesc_que_sz txdesc_que_sz tx_que_size rx_hog intr_rate rxbuf_pool_sz " +
		"tx_send_cnt delay_open ",
}

// kindByAttributes derives an adapter's kind from the names of its attributes.
// Names of two kinds, or of none, leave it an adapter of a kind not known.
func kindByAttributes(attrs map[string]*model.Attr) model.Kind {
	kind := model.Adapter
	for name := range attrs {
		for of, words := range telling {
			switch {
			case of == kind || !strings.Contains(words, " "+name+" "):
			case kind == model.Adapter:
				kind = of
			default:
				return model.Adapter
			}
		}
	}
	return kind
}
