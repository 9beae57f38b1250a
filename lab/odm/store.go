package odm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
)

// Store is the device database of one node. It is safe for concurrent use.
type Store struct {
	mu   sync.RWMutex
	node string
	data data
}

// data is everything a Snapshot holds.
type data struct {
	Devices   []*record                 `json:"devices"`
	Tunables  []*Attribute              `json:"tunables"`
	Addresses map[string][]netip.Prefix `json:"addresses"` // by interface, running
	Routes    []Route                   `json:"routes"`
}

type record struct {
	Device
	Attached bool         `json:"attached,omitempty"` // interface: known to the IP layer, up or down
	Deleted  bool         `json:"deleted,omitempty"`  // rmdev -d: comes back with cfgmgr or a reboot
	Attrs    []*Attribute `json:"attrs"`
}

func (r *record) attr(name string) *Attribute { return find(r.Attrs, name) }

// find is the attribute of a name; nil if there is none.
func find(list []*Attribute, name string) *Attribute {
	if i := slices.IndexFunc(list, func(a *Attribute) bool { return a.Name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

func (d *data) device(name string) *record {
	for _, r := range d.Devices {
		if r.Name == name && !r.Deleted {
			return r
		}
	}
	return nil
}

// Device returns a device by name.
func (s *Store) Device(name string) (Device, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.data.device(name)
	if r == nil {
		return Device{}, false
	}
	return r.copy(), true
}

func (r *record) copy() Device {
	d := r.Device
	d.Members = slices.Clone(d.Members)
	return d
}

// Devices returns all devices, in the order they were configured.
func (s *Store) Devices() []Device {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Device
	for _, r := range s.data.Devices {
		if !r.Deleted {
			out = append(out, r.copy())
		}
	}
	return out
}

// Attached says whether the IP layer knows an interface, up or down. Only a
// detached one lets go of its adapter.
func (s *Store) Attached(iface string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.data.device(iface)
	return r != nil && r.Attached
}

// Attributes returns the attributes of a device in the order lsattr prints.
func (s *Store) Attributes(device string) ([]Attribute, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.data.device(device)
	if r == nil {
		return nil, NotFound(device)
	}
	out := make([]Attribute, 0, len(r.Attrs))
	for _, a := range r.Attrs {
		out = append(out, *a)
	}
	return out, nil
}

// Running is the value a device works with now; false if it has no such attribute.
func (s *Store) Running(device, attr string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r := s.data.device(device); r != nil {
		if a := r.attr(attr); a != nil {
			return a.Running, true
		}
	}
	return "", false
}

// Tunable is an option of no(1); false if there is none of that name.
func (s *Store) Tunable(name string) (Attribute, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if t := find(s.data.Tunables, name); t != nil {
		return *t, true
	}
	return Attribute{}, false
}

// TunablesOf are the options of a command, sorted by name; "" is no(1).
func (s *Store) TunablesOf(command string) []Attribute {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Attribute
	for _, t := range s.data.Tunables {
		if t.Command == command {
			out = append(out, *t)
		}
	}
	return out
}

// Addresses are the addresses an interface answers to now.
func (s *Store) Addresses(iface string) []netip.Prefix {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.data.Addresses[iface])
}

// Routes are the static routes of inet0.
func (s *Store) Routes() []Route {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.data.Routes)
}

// AddRoute sets a route that only the kernel has. An interface must reach its
// gateway.
func (s *Store) AddRoute(to netip.Prefix, via netip.Addr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.data.Routes, func(r Route) bool { return r.Active && r.To == to && r.Via == via }) {
		return errors.New("writing to routing socket: File exists")
	}
	for dev, addresses := range s.data.Addresses {
		if slices.ContainsFunc(addresses, func(p netip.Prefix) bool { return p.Contains(via) && p.Addr() != via }) {
			s.data.Routes = append(s.data.Routes, Route{To: to, Via: via, Dev: dev, Active: true, Kernel: true})
			return nil
		}
	}
	return errors.New("writing to routing socket: Network is unreachable")
}

// DeleteRoute takes a route out of the kernel; the database keeps what it has.
func (s *Store) DeleteRoute(to netip.Prefix, via netip.Addr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.data.Routes, func(r Route) bool { return r.Active && r.To == to && (!via.IsValid() || r.Via == via) })
	switch {
	case i < 0:
		return errors.New("writing to routing socket: not in table")
	case s.data.Routes[i].Kernel:
		s.data.Routes = slices.Delete(s.data.Routes, i, i+1)
	default:
		s.data.Routes[i].Active = false
	}
	return nil
}

// Snapshot is the whole content of a store at one time.
type Snapshot struct{ raw []byte }

// Snapshot copies the store.
func (s *Store) Snapshot() (Snapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	raw, err := json.Marshal(&s.data)
	if err != nil {
		return Snapshot{}, fmt.Errorf("%s: copy of the device database: %w", s.node, err)
	}
	return Snapshot{raw}, nil
}

// Restore puts a copy back.
func (s *Store) Restore(c Snapshot) error {
	var d data
	if err := json.Unmarshal(c.raw, &d); err != nil {
		return fmt.Errorf("%s: copy of the device database: %w", s.node, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = d
	return nil
}

// value is a running or next-boot value, empty if there is no such attribute.
func value(r *record, attr string, mode Mode) string {
	a := r.attr(attr)
	switch {
	case a == nil:
		return ""
	case mode == NextBoot:
		return a.NextBoot
	}
	return a.Running
}
