package odm

import (
	"errors"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"seaworthy/internal/inventory/model"
)

// Store is the device database of one node. It is safe for concurrent use.
type Store struct {
	changing sync.Mutex
	data     atomic.Pointer[data] // never changed, but replaced
}

// data is a database at one time.
type data struct {
	devices   []*Device
	tunables  []*Attribute
	addresses map[string][]netip.Prefix // by interface, running
	routes    []Route
}

// Snapshot is the whole content of a store at one time.
type Snapshot struct{ *data }

// Snapshot is the store as it is now.
func (s *Store) Snapshot() Snapshot {
	if d := s.data.Load(); d != nil {
		return Snapshot{d}
	}
	return Snapshot{&data{addresses: map[string][]netip.Prefix{}}}
}

// Restore puts an earlier state back.
func (s *Store) Restore(c Snapshot) { s.data.Store(c.data) }

// edit lets f change a copy, which takes the place of the database unless f fails.
func (s *Store) edit(f func(d *data) error) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	was := s.Snapshot()
	d := &data{tunables: copies(was.tunables), addresses: maps.Clone(was.addresses), routes: slices.Clone(was.routes)}
	for _, r := range copies(was.devices) {
		r.Attrs = copies(r.Attrs)
		d.devices = append(d.devices, r)
	}
	err := f(d)
	if err == nil {
		s.data.Store(d)
	}
	return err
}

// editDevice is edit for a change of one device.
func (s *Store) editDevice(name string, f func(d *data, r *Device) error) error {
	return s.edit(func(d *data) error {
		if r := d.device(name); r != nil {
			return f(d, r)
		}
		return NotFound(name)
	})
}

func copies[T any](list []*T) (out []*T) {
	for _, x := range list {
		out = append(out, new(*x))
	}
	return out
}

func find(list []*Attribute, name string) *Attribute {
	if i := slices.IndexFunc(list, func(a *Attribute) bool { return a.Name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

func (d *data) device(name string) *Device {
	if i := slices.IndexFunc(d.devices, func(r *Device) bool { return r.Name == name && !r.Deleted }); i >= 0 {
		return d.devices[i]
	}
	return nil
}

// Device returns a device by name.
func (s *Store) Device(name string) (Device, bool) {
	if r := s.Snapshot().device(name); r != nil {
		return *r, true
	}
	return Device{}, false
}

// Devices returns all devices, in the order they were configured.
func (s *Store) Devices() (out []Device) {
	for _, r := range s.Snapshot().devices {
		if !r.Deleted {
			out = append(out, *r)
		}
	}
	return out
}

// Attached says whether the IP layer knows an interface, up or down. Only a
// detached one lets go of its adapter.
func (s *Store) Attached(iface string) bool {
	r, _ := s.Device(iface)
	return r.Attached
}

// Attributes returns the attributes of a device in the order lsattr prints.
func (s *Store) Attributes(device string) (out []Attribute, err error) {
	r, ok := s.Device(device)
	if !ok {
		return nil, NotFound(device)
	}
	for _, a := range r.Attrs {
		out = append(out, *a)
	}
	return out, nil
}

// Running is the value a device works with now; false if it has no such attribute.
func (s *Store) Running(device, attr string) (string, bool) {
	r, _ := s.Device(device)
	if a := r.attr(attr); a != nil {
		return a.Running, true
	}
	return "", false
}

// Tunable is an option of no(1); false if there is none of that name.
func (s *Store) Tunable(name string) (Attribute, bool) {
	if t := find(s.Snapshot().tunables, name); t != nil {
		return *t, true
	}
	return Attribute{}, false
}

// TunablesOf are the options of a command, sorted by name; "" is no(1).
func (s *Store) TunablesOf(command string) (out []Attribute) {
	for _, t := range s.Snapshot().tunables {
		if t.Command == command {
			out = append(out, *t)
		}
	}
	return out
}

// Addresses are the addresses an interface answers to now.
func (s *Store) Addresses(iface string) []netip.Prefix {
	return slices.Clone(s.Snapshot().addresses[iface])
}

// Routes are the static routes of inet0.
func (s *Store) Routes() []Route { return slices.Clone(s.Snapshot().routes) }

// AddRoute sets a route that only the kernel has. An interface must reach its
// gateway.
func (s *Store) AddRoute(to netip.Prefix, via netip.Addr) error {
	return s.edit(func(d *data) error {
		if slices.ContainsFunc(d.routes, func(r Route) bool { return r.Active && r.To == to && r.Via == via }) {
			return errors.New("writing to routing socket: File exists")
		}
		for dev, addresses := range d.addresses {
			if slices.ContainsFunc(addresses, func(p netip.Prefix) bool { return p.Contains(via) && p.Addr() != via }) {
				d.routes = append(d.routes, Route{To: to, Via: via, Dev: dev, Active: true, Kernel: true})
				return nil
			}
		}
		return errors.New("writing to routing socket: Network is unreachable")
	})
}

// DeleteRoute takes a route out of the kernel; the database keeps what it has.
func (s *Store) DeleteRoute(to netip.Prefix, via netip.Addr) error {
	return s.edit(func(d *data) error {
		i := slices.IndexFunc(d.routes, func(r Route) bool { return r.Active && r.To == to && (!via.IsValid() || r.Via == via) })
		switch {
		case i < 0:
			return errors.New("writing to routing socket: not in table")
		case d.routes[i].Kernel:
			d.routes = slices.Delete(d.routes, i, i+1)
		default:
			d.routes[i].Active = false
		}
		return nil
	})
}

// Holder returns the SEA or EtherChannel that has an adapter open.
func (s *Store) Holder(adapter string) (name string, held bool) {
	for _, d := range s.Devices() {
		if slices.Contains(d.Members, adapter) && d.Kind != model.VLANDevice {
			return d.Name, true
		}
	}
	return "", false
}
