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

// Drivers makes a device of each kind in a namespace of its own, which also loads a
// driver that is a module. It needs the right to administer networks.
func Drivers() ([]Driver, error) {
	s, err := newNetns("drivers", mtuLoopbackLinux)
	if err != nil {
		return nil, fmt.Errorf("make network namespace: %w", err)
	}
	defer s.close()
	cable := &netlink.Veth{LinkAttrs: netlink.NewLinkAttrs(), PeerName: "far"}
	cable.Name = "near"
	if err := s.nl.LinkAdd(cable); err != nil {
		return nil, fmt.Errorf("veth: %w", err)
	}
	var out []Driver
	for _, k := range []struct {
		driver string
		make   func(netlink.LinkAttrs) netlink.Link
	}{
		{"8021q", func(a netlink.LinkAttrs) netlink.Link {
			return &netlink.Vlan{LinkAttrs: a, VlanId: 10, VlanProtocol: netlink.VLAN_PROTOCOL_8021Q}
		}},
		{"bonding", func(a netlink.LinkAttrs) netlink.Link { a.ParentIndex = 0; return netlink.NewLinkBond(a) }},
		{"macvlan", func(a netlink.LinkAttrs) netlink.Link {
			return &netlink.Macvlan{LinkAttrs: a, Mode: netlink.MACVLAN_MODE_BRIDGE}
		}},
	} {
		attrs := netlink.NewLinkAttrs()
		attrs.Name, attrs.ParentIndex = k.driver, cable.Index
		err := s.nl.LinkAdd(k.make(attrs))
		if err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
			return nil, fmt.Errorf("%s: %w", k.driver, err)
		}
		out = append(out, Driver{k.driver, err == nil})
	}
	return out, nil
}
