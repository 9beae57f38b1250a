package odm

import (
	"net/netip"
	"slices"

	"seaworthy/inventory"
)

// configure loads a device with the values of the database. The caller holds
// the lock.
func (s *Store) configure(r *record) {
	if r.Deleted {
		return
	}
	r.Status = Available
	for _, a := range r.Attrs {
		a.Running = a.NextBoot
	}
	if r.Class != "if" {
		return
	}
	state := value(r, "state", NextBoot)
	r.Attached = state == "up" || state == "down" && value(r, "netaddr", NextBoot) != ""
	delete(s.data.Addresses, r.Name)
	if r.Attached {
		s.data.Addresses[r.Name] = addresses(r, NextBoot)
	}
}

// restoreRoutes sets the static routes again whose interface is there.
func (s *Store) restoreRoutes() {
	for i := range s.data.Routes {
		r := s.data.device(s.data.Routes[i].Dev)
		s.data.Routes[i].Active = r != nil && r.Attached
	}
}

// Configure is mkdev: a defined device becomes available with the values of
// the database, so what chdev -P left there takes effect. For inet0 it sets
// the static routes again.
func (s *Store) Configure(device string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.data.device(device)
	if r == nil {
		return NotFound(device)
	}
	if device == "inet0" {
		s.restoreRoutes()
		return nil
	}
	needs, method := r.Members, "/usr/lib/methods/cfgsea"
	if r.Class == "if" {
		needs, method = []string{r.On}, "/usr/lib/methods/cfgif"
	}
	for _, name := range needs {
		if on := s.data.device(name); on == nil || on.Status != Available {
			return &Error{Method: method, Code: "0514-040", Text: "the device did not come up", Reason: name + " is not available"}
		}
	}
	if r.Status != Available {
		s.configure(r)
	} else if r.Class == "if" && !r.Attached && value(r, "netaddr", NextBoot) != "" {
		s.configure(r) // detached by ifconfig
	}
	return nil
}

// Unconfigure is rmdev: the device goes to Defined, or out of the database.
func (s *Store) Unconfigure(device string, remove bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.data.device(device)
	if r == nil {
		return NotFound(device)
	}
	method := "/usr/lib/methods/ucfgent"
	switch {
	case r.Class == "if":
		method = "/usr/lib/methods/ucfgif"
		if value(r, "state", Both) == "up" && r.Attached {
			return Busy(method)
		}
	case r.Kind == inventory.SEA || r.Kind == inventory.EtherChannel:
		method = "/usr/lib/methods/ucfgcommo"
		if s.inUse(r) || value(r, "lldpsvc", Both) == "yes" {
			return Busy(method)
		}
	case r.Class == "adapter":
		if s.inUse(r) {
			return Busy(method)
		}
	default:
		return Busy("/usr/lib/methods/ucfgdevice") // sys0, inet0, lo0: always in use
	}
	r.Status = Defined
	r.Deleted = remove
	if r.Class == "if" {
		s.detach(r)
	}
	return nil
}

// detach takes an interface from the IP layer: address and routes go.
func (s *Store) detach(r *record) {
	r.Attached = false
	delete(s.data.Addresses, r.Name)
	s.data.Routes = slices.DeleteFunc(s.data.Routes, func(x Route) bool { return x.Kernel && x.Dev == r.Name })
	for i := range s.data.Routes {
		if s.data.Routes[i].Dev == r.Name {
			s.data.Routes[i].Active = false
		}
	}
}

// inUse says that an adapter is open: its interface is attached, or an SEA or
// EtherChannel holds it.
func (s *Store) inUse(r *record) bool {
	for _, o := range s.data.Devices {
		if o.Deleted || o.Status != Available {
			continue
		}
		if o.Class == "if" && o.On == r.Name && o.Attached {
			return true
		}
		if slices.Contains(o.Members, r.Name) {
			return true
		}
	}
	return false
}

// Discover is cfgmgr: deleted devices that are still there come back, and
// defined ones are configured where nothing prevents it.
func (s *Store) Discover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.data.Devices {
		if r.Kind == inventory.SEA {
			continue
		}
		r.Deleted = false
		if r.Class == "adapter" && r.Status == Defined {
			s.configure(r)
		}
	}
}

// Reboot makes every next-boot value the running one and configures every
// device. Values that only ran (ifconfig, chdev -T) are gone.
func (s *Store) Reboot() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data.Addresses = map[string][]netip.Prefix{}
	s.data.Routes = slices.DeleteFunc(s.data.Routes, func(r Route) bool { return r.Kernel })
	for _, r := range s.data.Devices {
		r.Deleted = r.Deleted && r.Kind == inventory.SEA // only discovered devices come back
		s.configure(r)
	}
	for _, t := range s.data.Tunables {
		t.Running = t.NextBoot
	}
	s.restoreRoutes()
}
