package wire

import (
	"errors"
	"fmt"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Driver is a kind of network device that Linux nodes can have on some kernels only.
type Driver struct {
	Name string `json:"name"` // of the kernel's module
	Here bool   `json:"here"`
}

// Drivers asks for a device of each kind in a namespace of its own, which also loads a
// driver that is a module: one that is there wants to know more of the device, or makes
// it. It needs the right to administer networks.
func Drivers() ([]Driver, error) {
	s, err := newNetns("drivers", mtuLoopbackLinux)
	if err != nil {
		return nil, fmt.Errorf("make network namespace: %w", err)
	}
	defer s.close()
	var out []Driver
	for _, k := range []struct{ driver, kind string }{{"8021q", "vlan"}, {"bonding", "bond"}, {"macvlan", "macvlan"}} {
		attrs := netlink.NewLinkAttrs()
		attrs.Name = k.driver
		err := s.nl.LinkAdd(&netlink.GenericLink{LinkAttrs: attrs, LinkType: k.kind})
		if err != nil && !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.EINVAL) {
			return nil, fmt.Errorf("%s: %w", k.driver, err)
		}
		out = append(out, Driver{k.driver, !errors.Is(err, unix.EOPNOTSUPP)})
	}
	return out, nil
}
