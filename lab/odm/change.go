package odm

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// method is the change method of a device.
func method(r *Device) string {
	switch {
	case r.Class == "if":
		return "/usr/lib/methods/chgif"
	case r.Kind == inventory.SEA:
		return "/usr/lib/methods/chgsea"
	case r.Class == "adapter":
		return "/usr/lib/methods/chgent"
	case r.Name == "inet0":
		return "/usr/lib/methods/chginet"
	}
	return "/usr/lib/methods/chgsys"
}

// Change runs a device's change method over all settings at once: either all
// are written or none. Errors are *Error.
func (s *Store) Change(device string, set []Setting, mode Mode) error {
	return s.editDevice(device, func(d *data, r *Device) error {
		m, into := method(r), mode
		if r.Status != Available {
			into = NextBoot
		}
		set, err := aliases(r, m, set, mode)
		if err == nil {
			err = checkEach(r, m, set)
		}
		if err == nil {
			err = d.checkTogether(r, m, set, mode)
		}
		if err == nil && into != NextBoot {
			err = d.checkBusy(r, m, set, mode)
		}
		if err != nil {
			return err
		}
		for _, w := range set {
			if a := r.attr(w.Attr); mode != RunningOnly || into == mode {
				a.write(w.Value, into)
			}
		}
		if into != NextBoot && r.Class == "if" {
			d.follow(r, set)
		}
		return nil
	})
}

// checkEach checks every name and value on its own.
func checkEach(r *Device, m string, set []Setting) error {
	var unknown, fixed, bad []string
	for _, w := range set {
		switch a := r.attr(w.Attr); {
		case a == nil:
			unknown = append(unknown, w.Attr)
		case !a.Settable:
			fixed = append(fixed, w.Attr+"\t"+a.Label)
		case !a.Allows(w.Value):
			bad = append(bad, w.Attr+"\t"+a.Label)
		}
	}
	switch {
	case len(unknown) > 0:
		return Unknown(m, unknown...)
	case len(fixed) > 0:
		return ReadOnly(m, fixed...)
	case len(bad) > 0:
		return NotValid(m, bad...)
	}
	return nil
}

// checkTogether checks what the values mean together.
func (d *data) checkTogether(r *Device, m string, set []Setting, mode Mode) error {
	will := func(name string) string {
		for _, w := range slices.Backward(set) {
			if w.Attr == name {
				return w.Value
			}
		}
		return r.value(name, mode)
	}
	for _, w := range set {
		if reason := d.conflict(r, w, will, mode); reason != "" {
			e := NotValid(m, w.Attr+"\t"+r.attr(w.Attr).Label)
			e.Reason = reason
			return e
		}
	}
	return nil
}

// conflict says why a value that is allowed by itself cannot be, or nothing.
func (d *data) conflict(r *Device, w Setting, will func(string) string, mode Mode) string {
	if pool, ok := strings.CutPrefix(w.Attr, "min_buf_"); ok && above(w.Value, will("max_buf_"+pool)) {
		return fmt.Sprintf("%s=%s is above max_buf_%s=%s", w.Attr, w.Value, pool, will("max_buf_"+pool))
	}
	if pool, ok := strings.CutPrefix(w.Attr, "max_buf_"); ok && above(will("min_buf_"+pool), w.Value) {
		return fmt.Sprintf("%s=%s is below min_buf_%s=%s", w.Attr, w.Value, pool, will("min_buf_"+pool))
	}
	if r.Class != "if" {
		return ""
	}
	switch w.Attr {
	case "mtu":
		on := d.device(r.On)
		if on == nil {
			return ""
		}
		if max := d.largestMTU(on, mode); above(w.Value, strconv.Itoa(max)) {
			return fmt.Sprintf("%s passes packets up to %d bytes", on.Name, max)
		}
	case "tcp_sendspace", "tcp_recvspace":
		if t := find(d.tunables, "sb_max"); t != nil && above(w.Value, t.Running) {
			return fmt.Sprintf("%s is above sb_max = %s", w.Value, t.Running)
		}
	case "netaddr":
		if a, err := netip.ParseAddr(w.Value); w.Value != "" && (err != nil || !a.Is4()) {
			return w.Value + " is not an IPv4 address"
		}
	case "netmask":
		if _, ok := maskBits(w.Value); w.Value != "" && !ok {
			return w.Value + " is not a network mask"
		}
	}
	return ""
}

// above compares two numbers; text that is not a number is above nothing.
func above(a, b string) bool {
	x, err1 := strconv.ParseInt(a, 10, 64)
	y, err2 := strconv.ParseInt(b, 10, 64)
	return err1 == nil && err2 == nil && x > y
}

// largestMTU is the largest IP packet an adapter takes as it is set. A virtual
// adapter passes the hypervisor's frame of 65408 bytes.
func (d *data) largestMTU(r *Device, mode Mode) int {
	if r.Kind == inventory.VLANDevice {
		base := d.device(r.value("base_adapter", mode))
		if base == nil {
			return 1500
		}
		if base.Kind == inventory.Virtual {
			return 65390 // less by the tag
		}
		return d.largestMTU(base, mode)
	}
	if r.Kind == inventory.EtherChannel {
		if r.value("use_jumbo_frame", mode) == "yes" {
			return 9000
		}
		return 1500
	}
	if r.attr("jumbo_frames") == nil {
		return 65394
	}
	if r.value("jumbo_frames", mode) != "yes" {
		return 1500
	}
	if size, err := strconv.Atoi(r.value("jumbo_size", mode)); err == nil {
		return size - 14
	}
	return 9000
}

// Allows says whether a value is in the list or range of an attribute.
func (a *Attribute) Allows(v string) bool {
	if v == "" {
		return a.Optional
	}
	if len(a.Values) > 0 {
		return slices.Contains(a.Values, v)
	}
	if a.Min == nil && a.Max == nil {
		return !strings.ContainsAny(v, "\n\x00") && (a.Type != "int" || number(v))
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || a.Min != nil && n < *a.Min || a.Max != nil && n > *a.Max {
		return false
	}
	return a.Step == nil || *a.Step == 0 || a.Min == nil || (n-*a.Min)%*a.Step == 0
}

func number(v string) bool {
	_, err := strconv.ParseInt(v, 0, 64)
	return err == nil
}

// checkBusy refuses what a device in use cannot change.
func (d *data) checkBusy(r *Device, m string, set []Setting, mode Mode) error {
	for _, w := range set {
		a := r.attr(w.Attr)
		if w.Value == a.Running && (mode == RunningOnly || w.Value == a.NextBoot) {
			continue // nothing to change
		}
		switch {
		case r.Class == "if" && mode == Both && (w.Attr == "mtu" || w.Attr == "remmtu") && r.Attached &&
			a.Running != w.Value && r.value("state", Both) == "up",
			r.Class == "adapter" && !Dynamic(r.Kind, a.Class) && d.inUse(r):
			return Busy(m)
		}
	}
	return nil
}

// Dynamic says whether an attribute of an outage class can be changed while
// its adapter is open. An SEA changes while it bridges: its switch-sensitive
// attributes (class O5) too.
func Dynamic(k inventory.Kind, c catalog.Class) bool {
	return c == catalog.O0 || c == catalog.O1 || k == inventory.SEA
}

// follow lets the IP layer follow an interface's new values.
func (d *data) follow(r *Device, set []Setting) {
	for _, w := range set {
		switch up := w.Attr == "state" && w.Value == "up"; {
		case w.Attr == "state" && w.Value == "detach":
			d.detach(r)
		case up && !r.Attached, r.Attached && slices.Contains([]string{"netaddr", "netmask", "alias4"}, w.Attr):
			r.Attached = true
			d.addresses[r.Name] = addresses(r, Both)
		}
	}
}
