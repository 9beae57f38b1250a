package wire

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Apply makes the kernel agree with st, changing only what differs: applying
// the same state twice changes nothing the second time. Ends that st does not
// name are left alone. An error names the end and the setting.
func (n *Network) Apply(ctx context.Context, st State) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	byNetns := map[string][]End{}
	for e := range st.Ends {
		s, err := n.at(e.Namespace)
		if err != nil {
			return fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
		}
		if !s.device(e.Device).missing {
			byNetns[e.Namespace] = append(byNetns[e.Namespace], e)
		}
	}
	var on []End // switched on just now
	defer func() { n.waitLinkUp(ctx, on) }()
	for _, name := range n.Layout.Namespaces {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := n.netns[name]
		upped, err := s.applyEnds(st.Ends, byNetns[name])
		on = append(on, upped...)
		if routes, ok := st.Routes[name]; ok && err == nil {
			err = s.applyRoutes(routes, st.Ends)
		}
		if err != nil {
			return err
		}
	}
	if err := n.applyLAGs(st.LAGs); err != nil {
		return err
	}
	for name, keys := range st.Sysctls {
		s, err := n.at(name)
		if err == nil {
			err = s.applySysctls(keys)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// applyEnds gives the ends that it switched on.
func (s *netns) applyEnds(want map[End]Settings, ends []End) (on []End, err error) {
	if len(ends) == 0 {
		return nil, nil
	}
	links, err := s.nl.LinkList()
	if err != nil {
		return nil, fmt.Errorf("%s: list devices: %w", s.name, err)
	}
	byName := map[string]netlink.Link{}
	for _, l := range links {
		byName[l.Attrs().Name] = l
	}
	addrs, err := s.nl.AddrList(nil, netlink.FAMILY_V4)
	if err != nil {
		return nil, fmt.Errorf("%s: list addresses: %w", s.name, err)
	}
	qdiscs, err := s.nl.QdiscList(nil)
	if err != nil {
		return nil, fmt.Errorf("%s: list queues: %w", s.name, err)
	}
	for _, e := range ends {
		if byName[e.Device] == nil {
			return nil, fmt.Errorf("%s %s: no such device in this lab", e.Namespace, e.Device)
		}
	}
	// Ports before their bridge: a bridge refuses an MTU above its ports'. A bond gives its
	// ports its own. Lines before the ports that share them: a line that is not up drops frames.
	rank := func(e End) int {
		return slices.Index([]string{"ifb", "veth", "bond", "bridge"}, byName[e.Device].Type())
	}
	slices.SortFunc(ends, func(a, b End) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Device, b.Device)) })
	s.shown.Store(slices.ContainsFunc(ends, func(e End) bool { return want[e].Delay > 0 || want[e].late() }))
	// Nothing is joined to a bridge before what has to go is out: two ways at once
	// would be a loop.
	for _, plugged := range []bool{false, true} {
		for _, e := range ends {
			if want[e].Unplugged != plugged {
				if err := s.applyBridge(byName[e.Device], plugged, byName); err != nil {
					return on, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
				}
			}
		}
	}
	for _, e := range ends {
		l := byName[e.Device]
		if want[e].Up && l.Attrs().Flags&net.FlagUp == 0 {
			on = append(on, e)
		}
		if err := s.applyEnd(l, want[e], addrs, qdiscs); err != nil {
			return on, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
		}
	}
	return on, nil
}

func (s *netns) applyEnd(l netlink.Link, w Settings, addrs []netlink.Addr, qdiscs []netlink.Qdisc) error {
	a := l.Attrs()
	begun := s.device(a.Name).begun
	if w.Own && begun {
		return cmp.Or(s.applySegments(l, w.Segments), s.applyLoss(a.Name, impairment{w.Loss, w.Damage}))
	}
	// A bridge follows its ports, which may have got theirs since it was read.
	if mtu := w.MTU - s.spare(a.Name); w.MTU > 0 && (a.MTU != mtu || l.Type() == "bridge") {
		s.log("set MTU", a.Name, "mtu", mtu)
		if err := s.nl.LinkSetMTU(l, mtu); err != nil {
			return fmt.Errorf("mtu %d: %w", w.MTU, err)
		}
	}
	if w.Line != "" {
		line := s.device(w.Line)
		if line.missing {
			w.Line = ""
		}
	}
	if w.Line != "" {
		w.RateBits = 0
	}
	for _, step := range []func() error{
		func() error { return s.applyOffloads(a.Name, w) },
		func() error { return s.applySegments(l, w.Segments) },
		func() error { return s.applyQueues(a.Name, w) },
		func() error { return s.applyRate(a.Name, a.Index, w.RateBits, w.QueueBytes, qdiscs) },
		func() error { return s.applyLate(a.Name, w.late()) },
		func() error { return s.applyLine(a.Name, a.Index, w.Line) },
		func() error { return s.applyAddresses(l, w.Addresses, addrs) },
		func() error { return s.applyLoss(a.Name, impairment{w.Loss, w.Damage}) },
		func() error { return s.applyDelay(a.Name, a.Index, w.Delay) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := s.applyFlags(l, w); err != nil {
		return err
	}
	if w.Own {
		s.device(a.Name).begun = true
		routes := w.Routes
		if w.Gateway.IsValid() {
			routes = append(slices.Clone(routes), Route{To: prefixOf(nil), Via: w.Gateway})
		}
		for _, r := range routes {
			err := s.addRoute(r)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// applyFlags turns ARP on or off and the device up or down.
func (s *netns) applyFlags(l netlink.Link, w Settings) error {
	a := l.Attrs()
	silent, up := a.RawFlags&unix.IFF_NOARP != 0, a.Flags&net.FlagUp != 0
	for _, turn := range []struct {
		due  bool
		what string
		do   func(netlink.Link) error
	}{
		{w.NoARP && !silent, "ARP off", s.nl.LinkSetARPOff},
		{!w.NoARP && silent, "ARP on", s.nl.LinkSetARPOn},
		{w.Up && !up, "up", s.nl.LinkSetUp},
		{!w.Up && up, "down", s.nl.LinkSetDown},
	} {
		if turn.due {
			s.log(turn.what, a.Name)
			if err := turn.do(l); err != nil {
				return fmt.Errorf("%s: %w", turn.what, err)
			}
		}
	}
	return nil
}

// spare is how much more than its MTU the kernel lets a bridge's port pass:
// room for a VLAN tag (is_skb_forwardable), which no frame here carries. An
// element that passes 1500 bytes would else pass 1504. Where the chains of IP
// packets see bridged frames the kernel holds them against the MTU itself
// (br_nf_dev_queue_xmit), and would drop what has just the size.
func (s *netns) spare(device string) int {
	if s.bridge(device) == "" || s.shown.Load() {
		return 0
	}
	return 4
}

// applyBridge makes a device a port of its bridge, or takes it out: the bridge
// forgets the addresses it has learned there.
func (s *netns) applyBridge(l netlink.Link, plugged bool, byName map[string]netlink.Link) error {
	bridge := byName[s.bridge(l.Attrs().Name)]
	switch {
	case bridge == nil:
		return nil
	case plugged && l.Attrs().MasterIndex != bridge.Attrs().Index:
		s.log("join bridge", l.Attrs().Name, "bridge", bridge.Attrs().Name)
		if err := s.nl.LinkSetMasterByIndex(l, bridge.Attrs().Index); err != nil {
			return fmt.Errorf("join bridge %s: %w", bridge.Attrs().Name, err)
		}
	case !plugged && l.Attrs().MasterIndex != 0:
		s.log("leave bridge", l.Attrs().Name)
		if err := s.nl.LinkSetNoMaster(l); err != nil {
			return fmt.Errorf("leave bridge %s: %w", bridge.Attrs().Name, err)
		}
	}
	return nil
}
