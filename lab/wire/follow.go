package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/topology"
)

// identity distinguishes a device of a lab from all others: its end, and the other one of its cable.
type identity struct {
	End
	peer  End
	place Place
}

func (d *Device) identity() identity { return identity{d.End, d.Peer, d.Place} }

// Follow makes the devices of the lab those of a changed topology: what it has no
// more goes, what is new is made, and is down until Apply is called with the
// state of the new topology. Nodes, systems and switch ports have to be the same
// as before. After an error Follow with the earlier topology leads back.
func (n *Network) Follow(ctx context.Context, t *topology.Topology) error {
	next, err := BuildLayout(t)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	wanted := map[identity]bool{}
	for _, d := range next.Devices {
		if _, err := n.at(d.Namespace); err != nil {
			return err
		}
		wanted[d.identity()] = true
	}
	// After an error the layout has the devices that exist.
	present := slices.Clone(n.Layout.Devices)
	defer func() {
		n.names.Lock()
		n.Layout = &Layout{Namespaces: next.Namespaces, Linux: next.Linux, Devices: present}
		n.names.Unlock()
	}()
	if err := n.rename(present, next.Devices); err != nil {
		return err
	}
	present, err = n.removeUnwanted(ctx, present, wanted)
	if err != nil {
		return err
	}
	fresh, moved := changed(present, next.Devices)
	done, err := n.add(ctx, fresh)
	if err != nil {
		present = slices.Concat(present, fresh[:done])
		return err
	}
	present = next.Devices
	return n.join(moved)
}

// removeUnwanted removes the devices that are not wanted, cables before the bridges that
// they lead to, and returns those that are left.
func (n *Network) removeUnwanted(ctx context.Context, present []Device, wanted map[identity]bool) ([]Device, error) {
	for i := len(present) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return present, err
		}
		d := present[i]
		if wanted[d.identity()] {
			continue
		}
		if err := n.remove(d); err != nil {
			return present, fmt.Errorf("%s %s: remove device: %w", d.Namespace, d.Device, err)
		}
		present = slices.Delete(present, i, i+1)
	}
	return present, nil
}

// changed returns the devices that have to be made, and those that have to be joined to
// their bridge: new ones, and those that become ports of another bridge.
func changed(present, next []Device) (fresh, moved []Device) {
	stays := map[identity]Device{}
	for _, d := range present {
		stays[d.identity()] = d
	}
	made := map[End]bool{}
	for _, d := range next {
		was, here := stays[d.identity()]
		if !here {
			fresh = append(fresh, d)
			made[d.End] = true
		}
		if !here || was.Bridge != d.Bridge || made[End{d.Namespace, d.Bridge}] {
			moved = append(moved, d)
		}
	}
	return fresh, moved
}

// rename gives the bridges of VLAN instances the names that they have next: a VLAN pseudo device
// is put on one, or taken off, while frames pass.
func (n *Network) rename(present, next []Device) error {
	names := map[Device]string{}
	for _, d := range next {
		names[d.instance()] = d.Device
	}
	for i, d := range present {
		name := names[d.instance()]
		if d.VLAN == 0 || d.Below == "" || d.Peer != (End{}) || name == "" || name == d.Device {
			continue
		}
		if err := n.netns[d.Namespace].rename(d.Device, name); err != nil {
			return fmt.Errorf("%s %s: rename device to %s: %w", d.Namespace, d.Device, name, err)
		}
		present[i].Device = name
	}
	return nil
}

// instance identifies a VLAN instance of an adapter, whatever its name.
func (d *Device) instance() Device {
	return Device{End: End{Namespace: d.Namespace}, Place: d.Place, Node: d.Node, Port: d.Port, Below: d.Below, VLAN: d.VLAN}
}

// rename gives a bridge another name. Kernels before 6.2 rename only what is down; Apply switches it on again.
func (s *netns) rename(was, name string) error {
	l, err := s.nl.LinkByName(was)
	if err != nil {
		return err
	}
	s.log("rename link", was, "name", name)
	err = s.nl.LinkSetName(l, name)
	if errors.Is(err, unix.EBUSY) {
		if err = s.nl.LinkSetDown(l); err == nil {
			err = s.nl.LinkSetName(l, name)
		}
	}
	if err != nil {
		return err
	}
	s.guard.Lock()
	defer s.guard.Unlock()
	if d, ok := s.devices[was]; ok {
		s.devices[name] = d
		delete(s.devices, was)
	}
	for _, d := range s.devices {
		if d.bridge == was {
			d.bridge = name
		}
	}
	return nil
}

// remove takes a device out, with all that the lab had hung on it.
func (n *Network) remove(d Device) error {
	s := n.netns[d.Namespace]
	if a, ok := n.aggregates[d.End]; ok {
		for _, port := range a.Ports {
			if err := s.in(func() error { return unforward(port) }); err != nil && !errors.Is(err, unix.ENOENT) {
				return fmt.Errorf("%s: %w", port, err)
			}
		}
		delete(n.aggregates, d.End)
	}
	for name, o := range s.devices {
		if o.line != d.Device {
			continue
		}
		l, err := s.nl.LinkByName(name)
		if err == nil {
			err = s.applyLine(name, l.Attrs().Index, "")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	// The packet filter would put what it had here on a later device of that name.
	if err := s.applyLoss(d.Device, impairment{}); err != nil {
		return err
	}
	if err := s.applyDelay(d.Device, 0, 0); err != nil {
		return err
	}
	l, err := s.nl.LinkByName(d.Device)
	var gone netlink.LinkNotFoundError
	switch {
	case errors.As(err, &gone): // with the other end of its cable
	case err != nil:
		return err
	default:
		s.log("delete link", d.Device)
		if err := s.nl.LinkDel(l); err != nil {
			return err
		}
	}
	s.guard.Lock()
	delete(s.devices, d.Device)
	s.guard.Unlock()
	n.names.Lock()
	delete(n.far, d.End)
	n.names.Unlock()
	return nil
}
