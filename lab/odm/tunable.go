package odm

import (
	"fmt"
	"net/netip"
	"slices"

	"seaworthy/catalog"
)

// SetTunable writes an option of no(1). Both is no -p, NextBoot no -r,
// RunningOnly no -o alone.
func (s *Store) SetTunable(name, v string, mode Mode) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := find(s.data.Tunables, name)
	if t == nil {
		return fmt.Errorf("there is no tunable %s", name)
	}
	if !t.Settable {
		return fmt.Errorf("tunable %s cannot be changed", name)
	}
	if !t.Allows(v) {
		return fmt.Errorf("%s is not a value for tunable %s: it %s", v, name, t.Range())
	}
	if t.Class == catalog.O4 && mode != NextBoot && v != t.Running {
		return fmt.Errorf("tunable %s can only be changed for the next boot: use -r", name)
	}
	if err := s.underCap(name, v); err != nil {
		return err
	}
	if mode != RunningOnly {
		t.NextBoot = v
	}
	if mode != NextBoot {
		t.Running = v
	}
	return nil
}

// underCap keeps every socket buffer at or below sb_max.
func (s *Store) underCap(name, v string) error {
	spaces := []string{"tcp_sendspace", "tcp_recvspace", "udp_sendspace", "udp_recvspace"}
	for _, t := range s.data.Tunables {
		if name == "sb_max" && slices.Contains(spaces, t.Name) && above(t.Running, v) {
			return fmt.Errorf("%s is not a value for tunable sb_max: below %s = %s", v, t.Name, t.Running)
		}
		if slices.Contains(spaces, name) && t.Name == "sb_max" && above(v, t.Running) {
			return fmt.Errorf("%s is not a value for tunable %s: above sb_max = %s", v, name, t.Running)
		}
	}
	return nil
}

// Range says in words what an attribute may be.
func (a *Attribute) Range() string {
	switch {
	case len(a.Values) > 0:
		return fmt.Sprintf("must be one of %v", a.Values)
	case a.Min != nil && a.Max != nil:
		return fmt.Sprintf("must be between %d and %d", *a.Min, *a.Max)
	case a.Min != nil:
		return fmt.Sprintf("must be at least %d", *a.Min)
	case a.Max != nil:
		return fmt.Sprintf("must be at most %d", *a.Max)
	}
	return "is not a value of type " + a.Type
}

// SetAddresses replaces the running addresses of an attached interface:
// ifconfig enN inet, alias, delete. It attaches the interface.
func (s *Store) SetAddresses(iface string, p []netip.Prefix) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.data.device(iface)
	if r == nil {
		return NotFound(iface)
	}
	r.Attached = true
	s.data.Addresses[iface] = slices.Clone(p)
	return nil
}

// SetRunning writes a running value past the method: what ifconfig does to an
// adapter below an interface that is up.
func (s *Store) SetRunning(device, attr, v string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.data.device(device)
	if r == nil {
		return NotFound(device)
	}
	a := r.attr(attr)
	if a == nil {
		return Unknown(method(r), attr)
	}
	if !a.Allows(v) {
		return NotValid(method(r), attr+"\t"+a.Label)
	}
	a.Running = v
	return nil
}
