package wire

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Link is the state of an end in the kernel.
type Link struct {
	Up         bool // administratively
	Carrier    bool
	MTU        int
	TSO        bool
	GRO        bool
	TxChecksum bool
	RxChecksum bool
	MAC        string // aa:bb:cc:dd:ee:ff
	Addresses  []netip.Prefix
}

// Link reads an end back.
func (n *Network) Link(e End) (Link, error) {
	s, err := n.at(e.Namespace)
	if err != nil {
		return Link{}, err
	}
	fail := func(err error) (Link, error) {
		return Link{}, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
	}
	l, err := s.nl.LinkByName(e.Device)
	if err != nil {
		return fail(err)
	}
	addrs, err := s.nl.AddrList(l, netlink.FAMILY_V4)
	if err != nil {
		return fail(err)
	}
	a := l.Attrs()
	k := Link{Up: a.Flags&net.FlagUp != 0, Carrier: a.RawFlags&unix.IFF_LOWER_UP != 0,
		MTU: a.MTU + s.spare(a.Name), MAC: a.HardwareAddr.String()}
	for f, on := range map[feature]*bool{tso: &k.TSO, gro: &k.GRO, txChecksum: &k.TxChecksum, rxChecksum: &k.RxChecksum} {
		if *on, err = s.eth.feature(e.Device, f); err != nil {
			return fail(err)
		}
	}
	for _, a := range addrs {
		k.Addresses = append(k.Addresses, prefixOf(a.IPNet))
	}
	return k, nil
}

// Add adds the counters of another end.
func (s *Stats) Add(o Stats) {
	for i, n := range s.all() {
		*n += *o.all()[i]
	}
}

// Stats reads the kernel's counters of an end. Frames that a fault took from
// the cable count as receive errors, as damaged ones do.
func (n *Network) Stats(e End) (Stats, error) {
	s, err := n.at(e.Namespace)
	if err != nil {
		return Stats{}, err
	}
	l, err := s.nl.LinkByName(e.Device)
	if err != nil {
		return Stats{}, fmt.Errorf("%s %s: read counters: %w", e.Namespace, e.Device, err)
	}
	k := l.Attrs().Statistics
	if k == nil {
		return Stats{}, fmt.Errorf("%s %s: the kernel gave no counters", e.Namespace, e.Device)
	}
	n.mu.Lock()
	bad, err := s.lossErrors(e.Device)
	n.mu.Unlock()
	if err != nil {
		return Stats{}, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
	}
	return Stats{
		TxPackets: k.TxPackets, TxBytes: k.TxBytes, TxErrors: k.TxErrors, TxDropped: k.TxDropped,
		RxPackets: k.RxPackets, RxBytes: k.RxBytes, RxErrors: k.RxErrors + bad[0] + bad[1], RxDropped: k.RxDropped,
		Multicast: k.Multicast, CRCErrors: k.RxCrcErrors + bad[1],
	}, nil
}

// Since takes off what another reading had. A counter that is smaller now has
// been reset: it stays as it is.
func (s Stats) Since(o Stats) Stats {
	for i, n := range s.all() {
		if before := *o.all()[i]; *n >= before {
			*n -= before
		}
	}
	return s
}

func (s *Stats) all() []*uint64 {
	return []*uint64{&s.TxPackets, &s.TxBytes, &s.TxErrors, &s.TxDropped,
		&s.RxPackets, &s.RxBytes, &s.RxErrors, &s.RxDropped, &s.Multicast, &s.CRCErrors}
}
