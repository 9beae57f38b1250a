package odm

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

func (d *data) configure(r *Device) {
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
	state := r.value("state", NextBoot)
	r.Attached = state == "up" || state == "down" && r.value("netaddr", NextBoot) != ""
	delete(d.addresses, r.Name)
	if r.Attached {
		d.addresses[r.Name] = addresses(r, NextBoot)
	}
}

// restoreRoutes sets the static routes again whose interface is there.
func (d *data) restoreRoutes() {
	for i := range d.routes {
		r := d.device(d.routes[i].Dev)
		d.routes[i].Active = r != nil && r.Attached
	}
}

// Configure is mkdev: a defined device becomes available with the values of
// the database, so what chdev -P left there takes effect. For inet0 it sets
// the static routes again.
func (s *Store) Configure(device string) error {
	return s.editDevice(device, func(d *data, r *Device) error {
		if device == "inet0" {
			d.restoreRoutes()
			return nil
		}
		needs, method := r.Members, "/usr/lib/methods/cfgsea"
		if r.Class == "if" {
			needs, method = []string{r.On}, "/usr/lib/methods/cfgif"
		}
		for _, name := range needs {
			if on := d.device(name); on == nil || on.Status != Available {
				return &Error{Method: method, Code: "0514-040", Text: "the device did not come up", Reason: name + " is not available"}
			}
		}
		detached := r.Class == "if" && !r.Attached && r.value("netaddr", NextBoot) != "" // by ifconfig
		if r.Status != Available || detached {
			d.configure(r)
		}
		return nil
	})
}

// Unconfigure is rmdev: the device goes to Defined, or out of the database.
func (s *Store) Unconfigure(device string, remove bool) error {
	return s.editDevice(device, func(d *data, r *Device) error {
		method, busy := "ucfgdevice", true // sys0, inet0, lo0: always in use
		switch {
		case r.Class == "if":
			method, busy = "ucfgif", r.value("state", Both) == "up" && r.Attached
		case r.Kind == model.SEA || r.Kind == model.EtherChannel:
			method, busy = "ucfgcommo", d.inUse(r) || r.value("lldpsvc", Both) == "yes"
		case r.Class == "adapter":
			method, busy = "ucfgent", d.inUse(r)
		}
		if busy {
			return Busy("/usr/lib/methods/" + method)
		}
		r.Status, r.Deleted = Defined, remove
		if r.Class == "if" {
			d.detach(r)
		}
		return nil
	})
}

// detach takes an interface from the IP layer: address and routes go.
func (d *data) detach(r *Device) {
	r.Attached = false
	delete(d.addresses, r.Name)
	d.routes = slices.DeleteFunc(d.routes, func(x Route) bool { return x.Kernel && x.Dev == r.Name })
	for i := range d.routes {
		d.routes[i].Active = d.routes[i].Active && d.routes[i].Dev != r.Name
	}
}

// inUse says that an adapter is open: its interface is attached, or an SEA or
// EtherChannel holds it.
func (d *data) inUse(r *Device) bool {
	return slices.ContainsFunc(d.devices, func(o *Device) bool {
		return !o.Deleted && o.Status == Available && (o.Class == "if" && o.On == r.Name && o.Attached || slices.Contains(o.Members, r.Name))
	})
}

// Discover is cfgmgr: deleted devices that are still there come back, and
// defined ones are configured where nothing prevents it.
func (s *Store) Discover() {
	_ = s.edit(func(d *data) error {
		for _, r := range d.devices {
			if r.Kind == model.SEA {
				continue
			}
			r.Deleted = false
			if r.Class == "adapter" && r.Status == Defined {
				d.configure(r)
			}
		}
		return nil
	})
}

// Reboot makes every next-boot value the running one and configures every
// device. Values that only ran (ifconfig, chdev -T) are gone.
func (s *Store) Reboot() {
	_ = s.edit(func(d *data) error {
		d.addresses = map[string][]netip.Prefix{}
		d.routes = slices.DeleteFunc(d.routes, func(r Route) bool { return r.Kernel })
		for _, r := range d.devices {
			r.Deleted = r.Deleted && r.Kind == model.SEA // only discovered devices come back
			d.configure(r)
		}
		for _, t := range d.tunables {
			t.Running = t.NextBoot
		}
		d.restoreRoutes()
		return nil
	})
}

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
				at = i + 1
				if unit(o.Name) <= unit(r.Name) {
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
