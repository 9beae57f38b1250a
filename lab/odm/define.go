package odm

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/lab/topology"
)

// Define adds an adapter that the topology has got, and the interfaces on it, to
// the database. Unless it stays defined it is configured.
func (s *Store) Define(sys *topology.System, n *topology.Node, adapter string, c Catalogue, configure bool) {
	b := &builder{sys: sys, node: n, cat: c, s: &Store{node: n.Name}}
	for i := range n.Adapters {
		if n.Adapters[i].Name == adapter {
			b.adapter(i, &n.Adapters[i])
		}
	}
	b.iface(strings.TrimPrefix(adapter, "ent"), adapter)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range b.s.data.Devices {
		r.Status = Defined
		if configure {
			s.configure(r)
		}
		// It is listed among its class by number, as if it had been there.
		at := len(s.data.Devices)
		for i, o := range slices.Backward(s.data.Devices) {
			if o.Class != r.Class || o.Subclass != r.Subclass && r.Class == "if" {
				continue
			}
			if at = i + 1; unit(o.Name) <= unit(r.Name) {
				break
			}
			at = i
		}
		s.data.Devices = slices.Insert(s.data.Devices, at, r)
	}
}

// unit is the number at the end of a device's name.
func unit(name string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))
	return n
}

// Forget takes an adapter and the interfaces on it out of the database for good.
func (s *Store) Forget(adapter string) {
	nr := strings.TrimPrefix(adapter, "ent")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data.Devices = slices.DeleteFunc(s.data.Devices, func(r *record) bool {
		return r.Name == adapter || r.Name == "en"+nr || r.Name == "et"+nr
	})
	delete(s.data.Addresses, "en"+nr)
	s.data.Routes = slices.DeleteFunc(s.data.Routes, func(r Route) bool { return r.Dev == "en"+nr })
}
