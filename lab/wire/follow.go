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

// identity distinguishes a device of a lab from all others, whatever its name: a
// VLAN instance of an SEA is renamed when a VLAN pseudo device is put on it.
type identity struct {
	namespace, node, below, port string
	place                        Place
	vlan                         int
	bridge                       string // a VLAN's bridge has nothing but its name
}

func (d *Device) identity() identity {
	id := identity{namespace: d.Namespace, node: d.Node, below: d.Below, port: d.Port, place: d.Place, vlan: d.VLAN}
	if d.Place == VLANBridge {
		id.bridge = d.Device
	}
	return id
}

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
	wanted := map[identity]Device{}
	for _, d := range next.Devices {
		if n.netns[d.Namespace] == nil {
			return fmt.Errorf("%s: no such namespace in this lab", d.Namespace)
		}
		wanted[d.identity()] = d
	}
	// What exists at any time is what an error leaves behind.
	present := slices.Clone(n.Layout.Devices)
	defer func() {
		n.names.Lock()
		n.Layout = &Layout{Namespaces: next.Namespaces, Linux: next.Linux, Devices: present}
		n.names.Unlock()
	}()
	if present, err = n.retain(ctx, present, wanted); err != nil {
		return err
	}
	for i := range present {
		delete(wanted, present[i].identity())
	}
	fresh := slices.DeleteFunc(slices.Clone(next.Devices), func(d Device) bool { _, lacks := wanted[d.identity()]; return !lacks })
	made, err := n.add(ctx, fresh)
	if err != nil {
		present = slices.Concat(present, fresh[:made])
		return err
	}
	present = next.Devices
	for _, d := range next.Devices {
		if d.Bridge != "" {
			n.netns[d.Namespace].setBridge(d.Device, d.Bridge)
		}
	}
	return n.join(fresh)
}

// retain removes the devices that are not wanted and renames others. It gives
// those that exist then, also with an error.
func (n *Network) retain(ctx context.Context, present []Device, wanted map[identity]Device) ([]Device, error) {
	// Cables before the bridges that they lead to.
	for i := len(present) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return present, err
		}
		d := present[i]
		w, stays := wanted[d.identity()]
		switch {
		case !stays:
			if err := n.remove(d); err != nil {
				return present, fmt.Errorf("%s %s: remove device: %w", d.Namespace, d.Device, err)
			}
			present = slices.Delete(present, i, i+1)
		case w.Device != d.Device && d.Peer != (End{}):
			return present, fmt.Errorf("%s %s: the end of a cable cannot become %s", d.Namespace, d.Device, w.Device)
		case w.Device != d.Device:
			if err := n.netns[d.Namespace].rename(d.Device, w.Device); err != nil {
				return present, fmt.Errorf("%s %s: rename device to %s: %w", d.Namespace, d.Device, w.Device, err)
			}
			present[i] = w
		}
	}
	return present, nil
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
	if d.Place == Line {
		for device := range s.line {
			if s.line[device] != d.Device {
				continue
			}
			l, err := s.nl.LinkByName(device)
			if err == nil {
				err = s.applyLine(device, l.Attrs().Index, "")
			}
			if err != nil {
				return fmt.Errorf("%s: %w", device, err)
			}
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
	s.setBridge(d.Device, "")
	delete(s.loss, d.Device)
	delete(s.lost, d.Device)
	delete(s.line, d.Device)
	delete(s.missing, d.Device)
	delete(s.offloads, d.Device)
	delete(s.late, d.Device)
	delete(s.begun, d.Device)
	n.names.Lock()
	delete(n.far, d.End)
	n.names.Unlock()
	return nil
}

// rename gives a bridge another name. Kernels before 6.2 rename only what is
// down; Apply switches it on again.
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
	if o, ok := s.offloads[was]; ok {
		s.offloads[name] = o
		delete(s.offloads, was)
	}
	s.ports.Lock()
	defer s.ports.Unlock()
	for device, bridge := range s.bridgeOf {
		if bridge == was {
			s.bridgeOf[device] = name
		}
	}
	return nil
}
