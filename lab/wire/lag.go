package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"seaworthy/lab/packetfilter"
)

// An EtherChannel is a veth pair in its own namespace: the stack, or an SEA's
// bridge, has one end, and what comes out of the other is redirected to a port
// by a chain of classifiers, one per port. What a port receives is forwarded
// into the pair the other way. All of it an unprivileged user may do.

// applyLAGs makes the classifiers agree with want, and changes nothing if they do.
func (n *Network) applyLAGs(want map[End]Aggregate) error {
	for _, d := range n.Layout.Devices {
		a, ok := want[d.End]
		if d.Place != Distributor || !ok {
			continue
		}
		have, made := n.aggregates[d.End]
		if made && have.Hash == a.Hash && slices.Equal(have.Ports, a.Ports) {
			continue
		}
		s := n.netns[d.Namespace]
		if err := s.in(func() error { return s.rewire(d.Device, have.Ports, a) }); err != nil {
			return fmt.Errorf("%s %s: spread frames over %v: %w", d.Namespace, d.Device, a.Ports, err)
		}
		n.aggregates[d.End] = Aggregate{Ports: slices.Clone(a.Ports), Hash: a.Hash}
	}
	return nil
}

// rewire replaces the classifiers. The caller is on a thread in the namespace.
func (s *netns) rewire(distributor string, before []string, a Aggregate) error {
	out, err := s.nl.LinkByName(distributor)
	if err != nil {
		return err
	}
	for _, port := range before {
		if !slices.Contains(a.Ports, port) {
			if err := unforward(port); err != nil {
				return fmt.Errorf("%s: %w", port, err)
			}
		}
	}
	index := out.Attrs().Index
	if err := s.classify(index, true); err != nil {
		return err
	}
	for i, port := range a.Ports {
		program := everything()
		if i < len(a.Ports)-1 {
			program = chooses(a.Hash, i, len(a.Ports))
		}
		s.log("redirect frames", distributor, "port", port, "hash", a.Hash)
		to, err := s.nl.LinkByName(port)
		if err == nil {
			err = redirect(index, to.Attrs().Index, netlink.HANDLE_MIN_INGRESS, uint16(i+1), program)
		}
		if err == nil && !slices.Contains(before, port) { // else it leads here already
			err = forward(port, index)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", port, err)
		}
	}
	return nil
}

// forward leads what arrives at a port into the distributor, from where it comes
// out of the EtherChannel. The packet filter does it, so that its other chains
// (lost frames, counters) see the frames first.
func forward(port string, to int) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		chain := b.Ingress(b.AddTable(forwardTable(port)), port, packetfilter.Forwarding)
		b.Rule(chain,
			&expr.Immediate{Register: unix.NFT_REG_1, Data: binary.NativeEndian.AppendUint32(nil, uint32(to))},
			&expr.Dup{RegDev: unix.NFT_REG_1, IsRegDevSet: true},
			&expr.Verdict{Kind: expr.VerdictDrop})
	})
}

func unforward(port string) error { return packetfilter.Remove(forwardTable(port)) }

func forwardTable(port string) *nftables.Table {
	return packetfilter.Device("seaworthy-channel-" + port)
}

// classify makes an empty qdisc for the classifiers of a device in place of the one that
// is there, or none.
func (s *netns) classify(index int, on bool) error {
	q := &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: index, Parent: netlink.HANDLE_CLSACT,
		Handle: netlink.MakeHandle(0xffff, 0)}}
	err := s.nl.QdiscDel(q)
	if err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("remove classifiers: %w", err)
	}
	if !on {
		return nil
	}
	if err := s.nl.QdiscAdd(q); err != nil {
		return fmt.Errorf("this kernel has no classifiers (sch_clsact): %w", err)
	}
	return nil
}

// redirect attaches a classifier to a device, at the hook that parent names: frames
// that the program takes leave by another one. The caller is on a thread in the
// namespace.
func redirect(from, to int, parent uint32, priority uint16, program []unix.SockFilter) error {
	const everyProtocol = unix.ETH_P_ALL
	m := nl.NewNetlinkRequest(unix.RTM_NEWTFILTER, unix.NLM_F_CREATE|unix.NLM_F_EXCL|unix.NLM_F_ACK)
	m.AddData(&nl.TcMsg{Family: nl.FAMILY_ALL, Ifindex: int32(from), Parent: parent,
		Info: uint32(priority)<<16 | uint32(nl.Swap16(everyProtocol))})
	m.AddData(nl.NewRtAttr(nl.TCA_KIND, nl.ZeroTerminated("bpf")))
	code := make([]byte, 0, 8*len(program))
	for _, f := range program {
		code = binary.NativeEndian.AppendUint16(code, f.Code)
		code = append(code, f.Jt, f.Jf)
		code = binary.NativeEndian.AppendUint32(code, f.K)
	}
	options := nl.NewRtAttr(nl.TCA_OPTIONS, nil)
	options.AddRtAttr(nl.TCA_BPF_OPS_LEN, nl.Uint16Attr(uint16(len(program))))
	options.AddRtAttr(nl.TCA_BPF_OPS, code)
	if err := netlink.EncodeActions(options.AddRtAttr(nl.TCA_BPF_ACT, nil), []netlink.Action{netlink.NewMirredAction(to)}); err != nil {
		return err
	}
	m.AddData(options)
	if _, err := m.Execute(unix.NETLINK_ROUTE, 0); err != nil {
		return fmt.Errorf("this kernel cannot redirect frames (cls_bpf, act_mirred): %w", err)
	}
	return nil
}

// The VLAN instances of a port are devices of their own, but a port has one line. Where
// there are several, what they send is led through one more device, an IFB,
// whose token bucket has the port's rate; it hands each frame back to the device
// that it came from. Large frames stay whole on that way, and a sender whose
// frames wait there is slowed down as by a bucket of its own.

// errNoLines says why VLAN instances do not share a rate here.
var errNoLines = errors.New("this kernel has no IFB devices")

// makeLine makes the device; false if this kernel has no such.
func (s *netns) makeLine(attrs netlink.LinkAttrs) (bool, error) {
	err := s.nl.LinkAdd(&netlink.Ifb{LinkAttrs: attrs})
	if errors.Is(err, unix.EOPNOTSUPP) {
		return false, nil
	}
	return err == nil, err
}

// applyLine leads what a device sends through its line, or does so no more.
func (s *netns) applyLine(name string, index int, line string) error {
	d := s.device(name)
	if d.line == line {
		return nil
	}
	s.log("share line", name, "line", line)
	if err := s.classify(index, line != ""); err != nil {
		return fmt.Errorf("share line %s: %w", line, err)
	}
	d.line = ""
	if line == "" {
		return nil
	}
	to, err := s.nl.LinkByName(line)
	if err == nil {
		err = s.in(func() error { return redirect(index, to.Attrs().Index, netlink.HANDLE_MIN_EGRESS, 1, everything()) })
	}
	if err != nil {
		return fmt.Errorf("share line %s: %w", line, err)
	}
	d.line = line
	return nil
}

// OwnRates says why the VLAN instances of a port have its line rate each to themselves
// in this lab; nil if they share it, or if no port has several.
func (n *Network) OwnRates() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.netns {
		for _, d := range s.devices {
			if d.missing {
				return errNoLines
			}
		}
	}
	return nil
}
