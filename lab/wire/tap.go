package wire

import (
	"cmp"
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
	if err = s.in(func() (err error) { f, err = openTap(); return err }); err == nil {
		s.log("add tap", f.Name(), "bridge", bridge)
		var l netlink.Link
		if l, err = s.nl.LinkByName(f.Name()); err == nil {
			err = cmp.Or(s.nl.LinkSetMTU(l, mtuTap), s.nl.LinkSetMaster(l, br), s.nl.LinkSetUp(l))
		}
		if err != nil {
			f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: make port of the hypervisor switch: %w", system, err)
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
