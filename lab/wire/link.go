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
	s := n.netns[e.Namespace]
	if s == nil {
		return Link{}, fmt.Errorf("%s: no such namespace in this lab", e.Namespace)
	}
	fail := func(err error) (Link, error) {
		return Link{}, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
	}
	l, err := s.nl.LinkByName(e.Device)
	if err != nil {
		return fail(err)
	}
	f, err := s.eth.features(e.Device)
	if err != nil {
		return fail(err)
	}
	addrs, err := s.nl.AddrList(l, netlink.FAMILY_V4)
	if err != nil {
		return fail(err)
	}
	a := l.Attrs()
	k := Link{
		Up: a.Flags&net.FlagUp != 0, Carrier: a.RawFlags&unix.IFF_LOWER_UP != 0, MTU: a.MTU + s.spare(a.Name), MAC: a.HardwareAddr.String(),
		TSO: f["tx-tcp-segmentation"].active, GRO: f["rx-gro"].active,
		TxChecksum: f["tx-checksum-ip-generic"].active, RxChecksum: f["rx-checksum"].active,
	}
	for _, a := range addrs {
		ip, _ := netip.AddrFromSlice(a.IP.To4())
		ones, _ := a.Mask.Size()
		k.Addresses = append(k.Addresses, netip.PrefixFrom(ip, ones))
	}
	return k, nil
}
