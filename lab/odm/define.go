package odm

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/lab/topology"
)

// Define adds an adapter that the topology has got, and the interfaces on it, to
// the database. Available, they are configured.
func (s *Store) Define(sys *topology.System, n *topology.Node, adapter string, c Catalogue, status Status) error {
	b := &builder{sys: sys, node: n, cat: c, data: &data{}}
	if err := b.devices(); err != nil {
		return err
	}
	return s.edit(func(d *data) error {
		for _, r := range b.data.devices {
			if !isOf(r.Name, adapter) {
				continue
			}
			r.Status = Defined
			if status == Available {
				d.configure(r)
			}
			// It is listed among its class by number, as if it had been there.
			at := len(d.devices)
			for i, o := range slices.Backward(d.devices) {
				if o.Class != r.Class || o.Subclass != r.Subclass && r.Class == "if" {
					continue
				}
				if at = i + 1; unit(o.Name) <= unit(r.Name) {
					break
				}
				at = i
			}
			d.devices = slices.Insert(d.devices, at, r)
		}
		return nil
	})
}

// isOf says whether a device is an adapter, or one of its interfaces.
func isOf(device, adapter string) bool {
	nr := strings.TrimPrefix(adapter, "ent")
	return device == adapter || device == "en"+nr || device == "et"+nr
}

func unit(name string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))
	return n
}

// Forget takes an adapter and the interfaces on it out of the database for good.
func (s *Store) Forget(adapter string) {
	_ = s.edit(func(d *data) error {
		d.devices = slices.DeleteFunc(d.devices, func(r *Device) bool { return isOf(r.Name, adapter) })
		maps.DeleteFunc(d.addresses, func(iface string, _ []netip.Prefix) bool { return isOf(iface, adapter) })
		d.routes = slices.DeleteFunc(d.routes, func(r Route) bool { return isOf(r.Dev, adapter) })
		return nil
	})
}
