package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/inventory"
	"seaworthy/report/drawing"
)

// matter lists, by kind, the attributes that decide how traffic passes.
var matter = map[inventory.Kind][]string{
	inventory.Interface:    {"mtu", "mtu_bypass", "tcp_sendspace", "tcp_recvspace", "rfc1323", "thread"},
	inventory.Virtual:      {"chksum_offload", "buf_mode", "platform_lso"},
	inventory.VNIC:         {"chksum_offload", "large_send", "large_receive", "jumbo_frames"},
	inventory.SEA:          {"largesend", "large_receive", "jumbo_frames", "thread", "ha_mode", "adapter_reset"},
	inventory.EtherChannel: {"mode", "hash_mode", "use_jumbo_frame", "backup_adapter"},
	inventory.Physical:     {"jumbo_frames", "large_send", "large_receive", "chksum_offload", "flow_ctrl", "media_speed"},
}

// matterLinux does so for Linux, whose devices are interface and adapter in one.
var matterLinux = []string{"mtu", "tso", "gro", "lro", "tx", "rx", "pause", "rings", "channels", "rps_cpus", "ibmveth-pools",
	"bonding-mode", "xmit_hash_policy", "lacp_rate", "ovs-bond-mode", "ovs-lacp", "hw-offload", "guest-model", "guest-backend",
	"guest-queues", "guest-cpus"}

// Path prints every hop with its attributes that matter. An attribute whose
// running and next-boot value differ shows both.
func Path(p *Printer, fleet *inventory.Fleet, path *inventory.Path) {
	p.Line("%s → %s", path.From, path.To)
	t := Table{Head: []string{" ", "element", "kind", "connected by", "main attributes"}, Wrap: true}
	for i, h := range path.Hops {
		name, attrs := "·", ""
		if h.Ref != nil {
			name = h.Ref.String()
			attrs = strings.Join(Attributes(fleet, *h.Ref), "  ")
		}
		t.Add(fmt.Sprint(i+1), Safe(name), h.Kind, Safe(h.Note), Safe(attrs))
	}
	t.Print(p)
	for _, g := range path.Gaps {
		p.Prose("gap", g.What+": "+g.Why)
	}
}

// Attributes gives name=value of an element's attributes that matter.
func Attributes(fleet *inventory.Fleet, ref inventory.Ref) []string {
	var out []string
	for _, h := range fleet.Hosts {
		if h.Name != ref.Host || h.Elements[ref.Element] == nil {
			continue
		}
		el := h.Elements[ref.Element]
		names := matter[el.Kind]
		if h.Platform == inventory.Linux {
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
func Value(a *inventory.Attr) string {
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
func Host(p *Printer, h *inventory.Host) {
	head := fmt.Sprintf("%s  %s", h.Name, h.Platform)
	for _, s := range []string{h.OS, h.Level, h.IOSLevel, h.MachineID, h.Partition.Name} {
		if s != "" {
			head += "  " + s
		}
	}
	p.Line("%s", p.Style("head", Safe(head)))
	fleet := &inventory.Fleet{Hosts: []*inventory.Host{h}}
	t := Table{Head: []string{"element", "kind", "on", "link", "main attributes"}, Wrap: true}
	for _, n := range slices.SortedFunc(maps.Keys(h.Elements), inventory.Natural) {
		el := h.Elements[n]
		t.Add(Safe(n), string(el.Kind), Safe(under(el)), link(el.LinkUp, el.SpeedMb),
			Safe(strings.Join(Attributes(fleet, inventory.Ref{Host: h.Name, Element: n}), "  ")))
	}
	t.Print(p)
	for _, g := range h.Gaps {
		p.Prose("gap", g.What+": "+g.Why)
	}
}

func under(el *inventory.Element) string {
	switch el.Kind {
	case inventory.SEA:
		return strings.TrimSpace(el.Real + " " + strings.Join(el.Trunks, " "))
	case inventory.EtherChannel:
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
func Map(p *Printer, segments []drawing.Segment) {
	t := Table{Head: []string{"system", "switch", " VLAN", " LPARs", "active SEA", "standby"}, Wrap: true}
	for _, s := range segments {
		active := named(s.Active)
		switch {
		case len(s.Active) > 1:
			active = p.Style("bad", active+" (split brain)")
		case len(s.Unknown) > 0:
			active = "not known: " + named(s.Unknown)
		}
		t.Add(Safe(Dash(s.System)), Safe(Dash(s.VSwitch)), fmt.Sprint(s.VLAN), fmt.Sprint(len(s.Clients)), active, named(s.Standby))
	}
	if len(t.Rows) == 0 {
		p.Line("No virtual Ethernet was read.")
		return
	}
	t.Print(p)
}

func named(refs []inventory.Ref) string {
	var names []string
	for _, r := range refs {
		names = append(names, Safe(r.String()))
	}
	return Dash(strings.Join(names, ", "))
}
