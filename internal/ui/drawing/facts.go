package drawing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
)

// shown are the attributes that decide how frames pass, by kind, with the word
// before the value.
var shown = map[model.Kind][][2]string{
	model.Interface:    {{"mtu", "MTU"}, {"mtu_bypass", "largesend"}},
	model.SEA:          {{"largesend", "largesend"}, {"large_receive", "large receive"}, {"jumbo_frames", "jumbo frames"}},
	model.VNIC:         {{"large_send", "largesend"}, {"jumbo_frames", "jumbo frames"}},
	model.EtherChannel: {{"mode", "mode"}, {"hash_mode", "hash"}, {"use_jumbo_frame", "jumbo frames"}},
	model.Physical:     {{"jumbo_frames", "jumbo frames"}, {"large_send", "largesend"}, {"flow_ctrl", "flow control"}},
}

// shownLinux are those of Linux, whose devices are interface and adapter in one.
var shownLinux = [][2]string{{"mtu", "MTU"}, {"tso", "TSO"}, {"gro", "GRO"}, {"bonding-mode", "mode"}, {"xmit_hash_policy", "hash"}}

// kinds are the words in a box, as topas and the manuals have them.
var kinds = map[string]string{
	string(model.Interface): "interface", string(model.Virtual): "virtual adapter", string(model.VNIC): "vNIC",
	string(model.SEA): "SEA", string(model.EtherChannel): "EtherChannel", string(model.Physical): "port",
	string(model.VLANDevice): "VLAN device", string(model.Patch): "patch port",
	string(model.TunnelPort): "tunnel port", string(model.Adapter): "adapter",
	model.HypervisorSwitch: "hypervisor switch", model.EthernetSwitch: "Ethernet switch",
}

// losses are counters of packets that an element lost, as hosts print them. Some
// count the same packets twice, so they are not added up.
var losses = []string{"rx.No Resource Errors", "No Resource Errors", "Hypervisor Receive Failures", "tx.Packets Dropped",
	"rx.Packets Dropped", "rx_dropped", "tx_dropped", "rx_missed_errors", "rx_no_buffer"}

func factsOf(h *model.Host, el *model.Element) []string {
	var out []string
	switch {
	case el.SpeedMb != nil && *el.SpeedMb >= 1000 && *el.SpeedMb%1000 == 0:
		out = append(out, fmt.Sprintf("%d Gbit/s", *el.SpeedMb/1000))
	case el.SpeedMb != nil && *el.SpeedMb > 0:
		out = append(out, fmt.Sprintf("%d Mbit/s", *el.SpeedMb))
	}
	if el.PVID != nil {
		text := "PVID " + strconv.Itoa(*el.PVID)
		if len(el.VLANs) > 0 {
			text += ", VLANs " + numbers(el.VLANs)
		}
		out = append(out, text)
	} else if el.Kind == model.VLANDevice && len(el.VLANs) > 0 {
		out = append(out, "VLAN "+numbers(el.VLANs))
	}
	names := shown[el.Kind]
	if h.Platform == model.Linux {
		names = shownLinux
	}
	for _, x := range names {
		if a := el.Attrs[x[0]]; a != nil {
			out = append(out, x[1]+" "+valueOf(a))
		}
	}
	return out
}

// valueOf is what an attribute is now, and what the next boot will make it.
func valueOf(a *model.Attr) string {
	now := a.Current()
	if now == "" {
		now = "unset"
	}
	if a.Running != nil && a.NextBoot != nil && *a.NextBoot != "" && *a.NextBoot != *a.Running {
		now += ", next boot " + *a.NextBoot
	}
	return now
}

// numbers lists VLANs, the first few of many.
func numbers(list []int) string {
	var parts []string
	for i, n := range slices.Sorted(slices.Values(list)) {
		if i == 4 && len(list) > 5 {
			return strings.Join(parts, ",") + fmt.Sprintf(" and %d more", len(list)-i)
		}
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}

// lost is the counter by which an element lost most packets, in words; "" if it
// counts none.
func lost(el *model.Element) string {
	most, text := uint64(0), ""
	for _, name := range losses {
		if v, ok := el.Counters.Get(name); ok && v > most {
			words := strings.TrimPrefix(strings.TrimPrefix(name, "rx."), "tx.")
			most, text = v, fmt.Sprintf("%s %d since the counters began", words, v)
		}
	}
	return text
}

// Excerpt keeps what Path needs to draw a path later.
func Excerpt(f *model.Fleet, p *model.Path) *model.Excerpt {
	attrs := []string{"backup_adapter"} // which elements stand by
	for _, list := range shown {
		for _, x := range list {
			attrs = append(attrs, x[0])
		}
	}
	for _, x := range shownLinux {
		attrs = append(attrs, x[0])
	}
	return f.Excerpt(p, attrs, losses)
}
