package wire

import (
	"fmt"
	"os"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// mtuTap passes what the largest frame of a virtual adapter holds.
const mtuTap = 65394

// Tap makes a port of a system's hypervisor switch for a machine outside the lab: an
// Ethernet device whose other end is the file. It goes when the last copy of the file
// is closed.
func (n *Network) Tap(system string, vlan int) (*os.File, error) {
	name, bridge := HypervisorNS(system), vlanName(vlan)
	s := n.netns[name]
	if s == nil {
		return nil, fmt.Errorf("%s: no such managed system in this lab", system)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	br, err := s.nl.LinkByName(bridge)
	if err != nil {
		return nil, fmt.Errorf("%s: its hypervisor switch has no VLAN %d: %w", system, vlan, err)
	}
	var f *os.File
	err = s.in(func() (err error) {
		f, err = openTap()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: make port of the hypervisor switch: %w", system, err)
	}
	if err := s.joinTap(f, br); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: port of the hypervisor switch: %w", system, err)
	}
	return f, nil
}

// openTap makes a device in this thread's namespace. The kernel chooses its name.
func openTap() (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	r, err := unix.NewIfreq("tap%d")
	if err == nil {
		// With the header that says what is left to offload: checksums and segments.
		r.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI | unix.IFF_VNET_HDR)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, r)
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	return os.NewFile(uintptr(fd), r.Name()), nil
}

func (s *netns) joinTap(f *os.File, bridge netlink.Link) error {
	s.log("add tap", f.Name(), "bridge", bridge.Attrs().Name)
	l, err := s.nl.LinkByName(f.Name())
	if err != nil {
		return err
	}
	if err := s.nl.LinkSetMTU(l, mtuTap); err != nil {
		return fmt.Errorf("MTU %d: %w", mtuTap, err)
	}
	if err := s.nl.LinkSetMaster(l, bridge); err != nil {
		return err
	}
	return s.nl.LinkSetUp(l)
}
