package wire

import (
	"errors"
	"fmt"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/topology"
)

// monitored is how often, in ms, a bond looks at the links of its ports.
const monitored = 100

// errNoBonding: bonds cannot be stood in for, since their failovers and LACP are what a
// lab with them is for.
var errNoBonding = errors.New("this kernel has no bonding driver (modprobe bonding loads it where there is one): " +
	"start this lab on a kernel that has, for example in a guest, as docs/lab.md says")

// makeBond makes a bond as a host's network configuration does: links monitored, and
// with LACP connections spread by addresses and ports.
func (s *netns) makeBond(attrs netlink.LinkAttrs, mode string) error {
	b := netlink.NewLinkBond(attrs)
	b.Mode, b.Miimon = netlink.StringToBondMode(mode), monitored
	if mode == topology.LACP {
		b.XmitHashPolicy = netlink.BOND_XMIT_HASH_POLICY_LAYER3_4
	}
	err := s.nl.LinkAdd(b)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return errNoBonding
	}
	if err != nil {
		return fmt.Errorf("bond, mode %s: %w", mode, err)
	}
	return nil
}
