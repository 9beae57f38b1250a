package node

import (
	"fmt"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/inventory"
)

// virtual is the part of the l-lan driver.
func (b *statBuilder) virtual() {
	main := b.d.Description + " Specific Statistics"
	b.heading("", main, 0)
	if b.a.Trunk {
		b.text("Trunk Adapter", "True")
		b.number(1, "Priority", uint64(b.a.Priority))
		active := "False"
		if sea, held := b.w.holder(b.node, b.a.Name); held && b.link.Up {
			if f, _, _ := b.w.failover(b.node, sea); f.Active[b.a.Name] {
				active = "True"
			}
		}
		b.add(&entstat.Field{Level: 1, Label: "Active", Text: active})
	} else {
		b.text("Trunk Adapter", "False")
	}
	if b.link.Carrier {
		b.text("LAN State", "Operational")
	} else {
		b.text("LAN State", "Not operational")
	}
	b.failures()
	b.number(0, "Port VLAN ID", uint64(b.a.PVID))
	tags := &entstat.Field{Kind: entstat.List, Label: "VLAN Tag IDs", Text: "None"}
	if len(b.a.VLANs) > 0 {
		tags.Text, tags.Cells = "", cells(b.a.VLANs...)
	}
	b.add(tags)
	sys, _ := b.w.node(b.node)
	b.text("Switch ID", sys.VSwitch)
	b.text("Switch Mode", "VEB")
	b.receiveBuffers(main)
}

func cells(n ...int) []*uint64 {
	var out []*uint64
	for _, x := range n {
		v := uint64(x)
		out = append(out, &v)
	}
	return out
}

// physical is the part of a port's driver. Flow control is left out: the wire
// has no pause frames, so there is no state to print.
func (b *statBuilder) physical() {
	b.heading("", b.d.Description+" Specific Statistics", 0)
	speed := speedName(b.a.LineRate)
	if b.link.Carrier && b.link.Up {
		b.text("Link Status", "Up")
	} else {
		b.text("Link Status", "Down")
		speed = "Unknown"
	}
	selected := b.running("media_speed")
	if selected == "Auto_Negotiation" {
		selected = "Auto negotiation"
	}
	b.text("Media Speed Selected", selected)
	b.text("Media Speed Running", speed)
	check := b.running("chksum_offload") == "yes"
	b.text("Jumbo Frames", state(b.running("jumbo_frames") == "yes"))
	b.text("Transmit TCP segmentation offload", state(check && b.running("large_send") == "yes"))
	b.text("Receive TCP segment aggregation", state(b.aggregates()))
	b.text("Transmit checksum offload", state(check))
	b.text("Receive checksum offload", state(check))
}

// aggregates: an SEA with large_receive=no turns it off below.
func (b *statBuilder) aggregates() bool {
	if b.running("large_receive") != "yes" {
		return false
	}
	sea, held := b.w.holder(b.node, b.a.Name)
	if d, _ := b.w.Stores[b.node].Device(sea); held && d.Kind == inventory.EtherChannel {
		sea, held = b.w.holder(b.node, sea)
	}
	if !held {
		return true
	}
	v, _ := b.w.Stores[b.node].Running(sea, "large_receive")
	return v == "yes"
}

func state(on bool) string {
	if on {
		return "Enabled"
	}
	return "Disabled"
}

func speedName(bits uint64) string {
	if bits >= 1e9 && bits%1e9 == 0 {
		return fmt.Sprintf("%d Gbps Full Duplex", bits/1e9)
	}
	return fmt.Sprintf("%d Mbps Full Duplex", bits/1e6)
}

// sea is the SEA's own part and the adapters in it, each with its own counters.
func (b *statBuilder) sea() error {
	main := "Statistics for adapters in the Shared Ethernet Adapter"
	b.section = main + " " + b.a.Name
	b.add(&entstat.Field{Kind: entstat.Heading, Label: main, Text: b.a.Name})
	b.number(0, "Number of adapters", uint64(1+len(b.a.Trunks)))
	var on []string
	for _, f := range []struct{ attr, value, flag string }{
		{"thread", "1", "THREAD"}, {"largesend", "1", "LARGESEND"}, {"jumbo_frames", "yes", "JUMBO_FRAMES"},
		{"gvrp", "yes", "GVRP"}, {"large_receive", "yes", "LARGE_RECEIVE"}, {"accounting", "enabled", "ACCOUNTING"},
	} {
		if b.running(f.attr) == f.value {
			on = append(on, f.flag)
		}
	}
	b.add(&entstat.Field{Kind: entstat.List, Label: "SEA Flags", Items: on})
	own := b.section
	_, n := b.w.node(b.node)
	b.heading(own, "VLAN Ids", 0)
	for _, t := range b.a.Trunks {
		if a := adapterOf(n, t); a != nil {
			b.add(&entstat.Field{Kind: entstat.List, Level: 1, Label: t, Cells: cells(append([]int{a.PVID}, a.VLANs...)...)})
		}
	}
	if err := b.side(own, "Real Side Statistics", b.a.Real); err != nil {
		return err
	}
	if err := b.side(own, "Virtual Side Statistics", b.a.Trunks...); err != nil {
		return err
	}
	b.highAvailability(own)
	for i, m := range append([]string{b.a.Real}, b.a.Trunks...) {
		s, err := b.w.statistics(b.node, m, true)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		s.Role, s.RoleName = entstat.VirtualAdapter, m
		if i == 0 {
			s.Role = entstat.RealAdapter
		}
		s.Name = "" // the line above says it
		b.s.Members = append(b.s.Members, s)
	}
	return nil
}

// side adds up one side of the bridge.
func (b *statBuilder) side(own, title string, adapters ...string) error {
	var in, out, dropped uint64
	for _, a := range adapters {
		st, err := b.w.counters(b.node, a)
		if err != nil {
			return err
		}
		in += st.RxPackets
		out += st.TxPackets
		dropped += st.RxDropped + st.TxDropped
	}
	b.heading(own, title, 0)
	b.number(1, "Packets received", in)
	b.number(1, "Packets transmitted", out)
	b.number(1, "Packets dropped", dropped)
	return nil
}
