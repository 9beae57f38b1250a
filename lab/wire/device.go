package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/topology"
)

// add makes devices, of cables both ends at once, and says how many were made
// before an error.
func (n *Network) add(ctx context.Context, devices []Device) (made int, err error) {
	for i, d := range devices {
		if n.far[d.End] == d.Peer && d.Peer != (End{}) {
			continue // the other end of a cable that was just made
		}
		if err := ctx.Err(); err != nil {
			return i, err
		}
		if err := n.makeDevice(d); err != nil {
			return i, fmt.Errorf("%s %s: make device: %w", d.Namespace, d.Device, err)
		}
	}
	return len(devices), nil
}

func (n *Network) makeDevice(d Device) error {
	s := n.netns[d.Namespace]
	attrs := netlink.NewLinkAttrs()
	attrs.Name = d.Device
	if d.Place == Line {
		made, err := s.makeLine(attrs)
		if !made && err == nil {
			s.device(d.Device).missing = true
		}
		return err
	}
	s.log("add link", d.Device, "peer", d.Peer, "mac", d.MAC)
	var err error
	if d.MAC != "" {
		if attrs.HardwareAddr, err = net.ParseMAC(d.MAC); err != nil {
			return err
		}
	}
	if d.Mode != "" {
		return s.makeBond(attrs, d)
	}
	if d.Peer == (End{}) {
		return s.nl.LinkAdd(&netlink.Bridge{LinkAttrs: attrs, MulticastSnooping: new(false)})
	}
	attrs.TxQLen = 1000
	if d.Place == Physical || d.Place == SwitchPort {
		attrs.NumRxQueues, attrs.NumTxQueues = PortQueues, PortQueues
	}
	err = s.nl.LinkAdd(&netlink.Veth{LinkAttrs: attrs, PeerName: d.Peer.Device, PeerNamespace: netlink.NsFd(n.netns[d.Peer.Namespace].fd)})
	if err == nil {
		n.names.Lock()
		n.far[d.End], n.far[d.Peer] = d.Peer, d.End
		n.names.Unlock()
	}
	return err
}

// join makes devices ports of their bridges and bonds, once every device exists.
func (n *Network) join(devices []Device) error {
	for _, d := range devices {
		s, above := n.netns[d.Namespace], cmp.Or(d.Bridge, d.Bond)
		if above == "" {
			continue
		}
		s.setBridge(d.Device, d.Bridge)
		s.log("join", d.Device, "above", above)
		master, err := s.nl.LinkByName(above)
		if err == nil {
			var l netlink.Link
			if l, err = s.nl.LinkByName(d.Device); err == nil {
				err = s.nl.LinkSetMaster(l, master)
			}
		}
		if err != nil {
			return fmt.Errorf("%s %s: join %s: %w", d.Namespace, d.Device, above, err)
		}
	}
	return nil
}

// monitored is how often, in ms, a bond looks at the links of its ports.
const monitored = 100

// errNoBonding: bonds cannot be stood in for, since their failovers and LACP are what a
// lab with them is for.
var errNoBonding = errors.New("this kernel has no bonding driver (modprobe bonding loads it where there is one): " +
	"start this lab on a kernel that has, for example in a guest, as docs/lab.md says")

// makeBond makes a bond as a host's network configuration does: links monitored, and
// with LACP connections spread by addresses and ports, where the topology does not say otherwise.
func (s *netns) makeBond(attrs netlink.LinkAttrs, d Device) error {
	b := netlink.NewLinkBond(attrs)
	b.Mode, b.Miimon = netlink.StringToBondMode(d.Mode), monitored
	if d.Mode == topology.LACP {
		b.XmitHashPolicy = netlink.BOND_XMIT_HASH_POLICY_LAYER3_4
	}
	if d.Hash != "" {
		b.XmitHashPolicy = netlink.StringToBondXmitHashPolicy(d.Hash)
	}
	if d.LACPRate != "" && d.Mode == topology.LACP {
		b.LacpRate = netlink.StringToBondLacpRate(d.LACPRate)
	}
	if ms, err := strconv.Atoi(d.Monitor); err == nil {
		b.Miimon = ms
	}
	err := s.nl.LinkAdd(b)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return errNoBonding
	}
	if err != nil {
		return fmt.Errorf("bond, mode %s: %w", d.Mode, err)
	}
	return nil
}
