package wire

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
	named := func(name string) netlink.LinkAttrs {
		a := netlink.NewLinkAttrs()
		a.Name = name
		return a
	}
	cable := &netlink.Veth{LinkAttrs: named("near"), PeerName: "far"}
	if err := s.nl.LinkAdd(cable); err != nil {
		return nil, fmt.Errorf("veth: %w", err)
	}
	on := func(name string) netlink.LinkAttrs {
		a := named(name)
		a.ParentIndex = cable.Index
		return a
	}
	links := map[string]netlink.Link{
		"bonding": netlink.NewLinkBond(named("bond")),
		"8021q":   &netlink.Vlan{LinkAttrs: on("vlan"), VlanId: 10, VlanProtocol: netlink.VLAN_PROTOCOL_8021Q},
		"macvlan": &netlink.Macvlan{LinkAttrs: on("macvlan"), Mode: netlink.MACVLAN_MODE_BRIDGE},
	}
	var out []Driver
	for _, name := range slices.Sorted(maps.Keys(links)) {
		err := s.nl.LinkAdd(links[name])
		if err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, Driver{name, err == nil})
	}
	return out, nil
}
