package odm

import (
	"fmt"
	"net/netip"
	"slices"

	"seaworthy/internal/knowledge"
)

// SetTunable writes an option of no(1). Both is no -p, NextBoot no -r,
// RunningOnly no -o alone.
func (s *Store) SetTunable(name, v string, mode Mode) error {
	return s.edit(func(d *data) error {
		t := find(d.tunables, name)
		switch {
		case t == nil:
			return fmt.Errorf("there is no tunable %s", name)
		case !t.Settable:
			return fmt.Errorf("tunable %s cannot be changed", name)
		case !t.Allows(v):
			return fmt.Errorf("%s is not a value for tunable %s: it %s", v, name, t.Range())
		case t.Class == knowledge.O4 && mode != NextBoot && v != t.Running:
			return fmt.Errorf("tunable %s can only be changed for the next boot: use -r", name)
		}
		t.write(v, mode)
		return d.underCap(name, v)
	})
}

// underCap keeps every socket buffer at or below sb_max.
func (d *data) underCap(name, v string) error {
	spaces := []string{"tcp_sendspace", "tcp_recvspace", "udp_sendspace", "udp_recvspace"}
	for _, t := range d.tunables {
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
	return s.editDevice(iface, func(d *data, r *Device) error {
		r.Attached = true
		d.addresses[iface] = p
		return nil
	})
}

// SetRunning writes a running value past the method: what ifconfig does to an
// adapter below an interface that is up.
func (s *Store) SetRunning(device, attr, v string) error {
	return s.editDevice(device, func(_ *data, r *Device) error {
		err := checkEach(r, method(r), []Setting{{attr, v}})
		if err == nil {
			r.attr(attr).Running = v
		}
		return err
	})
}
