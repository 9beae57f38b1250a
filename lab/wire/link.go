package wire

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Link is what the kernel says about an end now.
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
		if *on, err = s.feature(e.Device, f); err != nil {
			return fail(err)
		}
	}
	for _, a := range addrs {
		k.Addresses = append(k.Addresses, prefixOf(a.IPNet))
	}
	return k, nil
}
