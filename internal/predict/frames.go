package predict

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// frames finds how large the packets are that each host handles, from the settings
// of every hop, and what of the line is payload.
func (b *setupBuilder) frames() {
	mtu, segment := b.segment()
	if segment <= 0 || len(b.s.Unknown) > 0 {
		return
	}
	large := max(segment, min(largest, oneWindow*b.s.Window))
	b.s.Segment, b.s.Sent = segment, segment
	if b.largesend() {
		b.s.Sent = large
	}
	b.s.Received = b.received(segment, large)
	sending := true
	for i := range b.s.Nodes {
		n := &b.s.Nodes[i]
		if n.Role == Receiver || n.Role == Bridge && !sending {
			n.Frame = b.s.Received
			continue
		}
		n.Frame = b.s.Sent
		sending = !b.leaves(n.Host)
	}
	b.s.Rate = b.line()
	b.s.Line = b.s.Rate * segment / (mtu + onWire)
}

// segment is the path's MTU, and the payload of its frames.
func (b *setupBuilder) segment() (mtu, payload float64) {
	mtu = min(b.number(b.path.From, knowledge.FrameSize), b.number(b.path.To, knowledge.FrameSize))
	payload = mtu - headers
	if b.value(b.path.From, knowledge.WindowScaling) != "0" && b.value(b.path.To, knowledge.WindowScaling) != "0" {
		payload -= timestamps
	}
	b.passes(mtu)
	return mtu, payload
}

// messages finds how large the frames are that carry requests and responses. Largesend has nothing
// to join of messages that one frame holds; larger ones are counted in frames of the MTU all the same.
func (b *setupBuilder) messages() {
	_, segment := b.segment()
	if segment <= 0 || len(b.s.Unknown) > 0 {
		return
	}
	b.s.Segment = segment
	for i := range b.s.Nodes {
		b.s.Nodes[i].Frame = segment
	}
	b.s.Rate = b.line()
	b.assume("nothing that was read", "the programs set TCP_NODELAY")
}

// line returns what the slowest line carries of these streams, in bit/s: each takes one port of an
// EtherChannel. 0: there is none, or a port does not say its speed, and the setup that.
func (b *setupBuilder) line() float64 {
	all := float64(b.fleet.LineRate(b.path))
	for _, hop := range b.path.Hops {
		if hop.Ref == nil || hop.Kind != string(model.Physical) || all == 0 {
			continue
		}
		if ports := float64(max(b.s.Streams, b.s.Sessions)) * float64(*b.fleet.Element(*hop.Ref).SpeedMb) * 1e6; ports < all {
			all = ports
		}
	}
	if slices.ContainsFunc(b.path.Hops, func(h model.Hop) bool { return h.Kind == string(model.EtherChannel) }) {
		b.assume("nothing that was read", "streams spread evenly over the ports of an EtherChannel")
	}
	if all == 0 && b.wired() {
		b.unknown("a port of the path does not say its speed")
	}
	return all
}

// passes reports elements that drop packets of this size.
func (b *setupBuilder) passes(mtu float64) {
	const ordinary = 1500
	if mtu <= ordinary {
		return
	}
	for _, hop := range b.path.Hops {
		if hop.Ref != nil && b.wired() && b.value(*hop.Ref, knowledge.JumboFrames) == "no" {
			b.unknown("packets of %.0f bytes do not pass %s (%s=no)", mtu, hop.Ref, b.name(*hop.Ref, knowledge.JumboFrames))
		}
	}
}

// switchAt is the place of the Ethernet switch on the path, -1 if there is none.
func (b *setupBuilder) switchAt() int {
	return slices.IndexFunc(b.path.Hops, func(h model.Hop) bool { return h.Kind == model.EthernetSwitch })
}

// wired says whether the path leaves a managed system.
func (b *setupBuilder) wired() bool { return b.switchAt() >= 0 }

// leaves says whether the path leaves a host for the Ethernet switch.
func (b *setupBuilder) leaves(host string) bool {
	i := b.switchAt()
	return i > 0 && b.path.Hops[i-1].Ref != nil && b.path.Hops[i-1].Ref.Host == host
}

// largesend says whether TCP hands packets of up to 64 KB down.
func (b *setupBuilder) largesend() bool {
	if v := b.need(b.path.From, knowledge.LargeSend); v != "on" && v != "plso" {
		return false
	}
	for _, hop := range b.path.Hops {
		if hop.Ref == nil {
			break // what is behind the first switch is another host's
		}
		unsummed := hop.Ref.Host == b.path.From.Host && b.value(*hop.Ref, knowledge.ChecksumOffload) == "no"
		if unsummed || b.value(*hop.Ref, knowledge.LargeSend) == "no" {
			return false
		}
	}
	for _, hop := range b.path.Hops {
		if hop.Kind == model.EthernetSwitch {
			break
		}
		if hop.Kind == string(model.SEA) && b.need(*hop.Ref, knowledge.LargeSend) == "0" {
			b.unknown("%s has %s=0 while its client sends large packets", hop.Ref, b.name(*hop.Ref, knowledge.LargeSend))
		}
	}
	return true
}

// received is the size of the packets that the receiving side handles: within a
// system those that were sent, from a line those that its port joins.
func (b *setupBuilder) received(segment, large float64) float64 {
	if !b.wired() {
		return b.s.Sent
	}
	if !b.joins() {
		return segment
	}
	if b.s.Sent > segment {
		return large
	}
	b.assume("the lab's kernel", "large receive joins two segments of a sender without largesend")
	return 2 * segment
}

// joins says whether the receiving side's port joins segments.
func (b *setupBuilder) joins() bool {
	for _, hop := range b.path.Hops[b.switchAt()+1:] {
		switch hop.Kind {
		case string(model.SEA):
			if b.need(*hop.Ref, knowledge.LargeReceive) != "yes" {
				return false
			}
		case string(model.Physical):
			if b.value(*hop.Ref, knowledge.LargeReceive) == "no" {
				return false
			}
		}
	}
	return true
}

// receiving is the adapter that the receiving host takes packets from.
func (b *setupBuilder) receiving() model.Ref {
	for _, hop := range slices.Backward(b.path.Hops) {
		if hop.Ref != nil && hop.Ref.Element != b.path.To.Element {
			return *hop.Ref
		}
	}
	return b.path.To
}
