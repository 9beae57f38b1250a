package drawing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// kinds are the words in a box, as topas and the manuals have them.
var kinds = map[string]string{
	string(model.Interface): "interface", string(model.Virtual): "virtual adapter", string(model.VNIC): "vNIC",
	string(model.SEA): "SEA", string(model.EtherChannel): "EtherChannel", string(model.Physical): "port",
	string(model.VLANDevice): "VLAN device", string(model.Patch): "patch port",
	string(model.TunnelPort): "tunnel port", string(model.Adapter): "adapter",
	model.HypervisorSwitch: "hypervisor switch", model.EthernetSwitch: "Ethernet switch",
}

// mostAddresses is how many addresses of an interface its box has.
const mostAddresses = 2

func factsOf(h *model.Host, el *model.Element) []string {
	var out []string
	for i, address := range el.Addrs {
		if i == mostAddresses {
			out = append(out, fmt.Sprintf("and %d more", len(el.Addrs)-i))
			break
		}
		out = append(out, address.String())
	}
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
	for _, shown := range knowledge.BuiltIn().Display().Of(string(el.Kind), h.Platform == model.Linux) {
		if a := el.Attrs[shown.Attribute]; a != nil && shown.Label != "" {
			out = append(out, shown.Label+" "+valueOf(a))
		}
	}
	return out
}

// valueOf returns what an attribute is now, and what the next boot will make it.
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
	for _, loss := range knowledge.BuiltIn().Display().Losses {
		if v, ok := el.Counters.Get(loss.Counter); ok && v > most {
			most, text = v, fmt.Sprintf("%s %d since the counters began", loss.Name(), v)
		}
	}
	return text
}

// Excerpt keeps what Path needs to draw a path later.
func Excerpt(f *model.Fleet, p *model.Path) *model.Excerpt {
	shown := knowledge.BuiltIn().Display()
	// Which elements stand by, the backup adapter says.
	return f.Excerpt(p, append(shown.Attributes(), "backup_adapter"), shown.Counters())
}
