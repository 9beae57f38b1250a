package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// matter lists, by kind, the attributes that decide how traffic passes.
var matter = map[model.Kind][]string{
	model.Interface:    {"mtu", "mtu_bypass", "tcp_sendspace", "tcp_recvspace", "rfc1323", "thread"},
	model.Virtual:      {"chksum_offload", "buf_mode", "platform_lso"},
	model.VNIC:         {"chksum_offload", "large_send", "large_receive", "jumbo_frames"},
	model.SEA:          {"largesend", "large_receive", "jumbo_frames", "thread", "ha_mode", "adapter_reset"},
	model.EtherChannel: {"mode", "hash_mode", "use_jumbo_frame", "backup_adapter"},
	model.Physical:     {"jumbo_frames", "large_send", "large_receive", "chksum_offload", "flow_ctrl", "media_speed"},
}

// matterLinux does so for Linux, whose devices are interface and adapter in one.
var matterLinux = []string{"mtu", "tso", "gro", "lro", "tx", "rx", "pause", "rings", "channels", "rps_cpus", "ibmveth-pools",
	"bonding-mode", "xmit_hash_policy", "lacp_rate", "ovs-bond-mode", "ovs-lacp", "hw-offload", "guest-model", "guest-backend",
	"guest-queues", "guest-cpus"}

// Path prints every hop with its attributes that matter. An attribute whose
// running and next-boot value differ shows both.
func Path(p *Printer, fleet *model.Fleet, path *model.Path) {
	p.Lay("path", struct {
		*model.Path
		Fleet *model.Fleet
	}{path, fleet})
}

// Attributes gives name=value of an element's attributes that matter.
func Attributes(fleet *model.Fleet, ref model.Ref) []string {
	var out []string
	for _, h := range fleet.Hosts {
		if h.Name != ref.Host || h.Elements[ref.Element] == nil {
			continue
		}
		el := h.Elements[ref.Element]
		names := matter[el.Kind]
		if h.Platform == model.Linux {
			names = matterLinux
		}
		for _, name := range names {
			if a := el.Attrs[name]; a != nil {
				out = append(out, name+"="+Value(a))
			}
		}
	}
	return out
}

// Value shows what an attribute is now, and what it will be if that differs.
func Value(a *model.Attr) string {
	switch {
	case a.Running == nil:
		return or(a.NextBoot, "unset")
	// Unset in the ODM means that the driver's own default runs, and will.
	case a.NextBoot == nil || *a.NextBoot == "" || *a.NextBoot == *a.Running:
		return or(a.Running, "unset")
	}
	return or(a.Running, "unset") + " (next boot: " + *a.NextBoot + ")"
}

// or is a value, or the word for an empty one; a dash where it is not known.
func or(v *string, empty string) string {
	if v == nil {
		return "-"
	}
	return cmp.Or(*v, empty)
}

// Host prints a host's elements.
func Host(p *Printer, h *model.Host) {
	head := fmt.Sprintf("%s  %s", h.Name, h.Platform)
	for _, s := range []string{h.OS, h.Level, h.IOSLevel, h.MachineID, h.Partition.Name} {
		if s != "" {
			head += "  " + s
		}
	}
	p.Line("%s", p.Style("head", Safe(head)))
	fleet := &model.Fleet{Hosts: []*model.Host{h}}
	t := Table{Head: []string{"element", "kind", "on", "link", "main attributes"}, Wrap: true}
	for _, n := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		el := h.Elements[n]
		t.Add(Safe(n), string(el.Kind), Safe(under(el)), link(el.LinkUp, el.SpeedMb),
			Safe(strings.Join(Attributes(fleet, model.Ref{Host: h.Name, Element: n}), "  ")))
	}
	t.Print(p)
	p.Lay("gaps", h.Gaps)
}

func under(el *model.Element) string {
	switch el.Kind {
	case model.SEA:
		return strings.TrimSpace(el.Real + " " + strings.Join(el.Trunks, " "))
	case model.EtherChannel:
		return strings.Join(el.Members, " ")
	}
	if len(el.Members) > 0 { // a Linux bridge
		return strings.Join(el.Members, " ")
	}
	return cmp.Or(el.On, el.Peer)
}

func link(up *bool, speed *int64) string {
	switch {
	case up == nil:
		return "-"
	case !*up:
		return "down"
	case speed != nil:
		return fmt.Sprintf("up %d Mbit/s", *speed)
	}
	return "up"
}

// Map prints a row a VLAN of a hypervisor switch: who is in it, and who bridges
// it. Two active SEAs are a split brain; none leaves it cut off.
func Map(p *Printer, segments []graph.Segment) { p.Lay("map", segments) }
