package odm

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

func method(r *Device) string {
	switch {
	case r.Class == "if":
		return "/usr/lib/methods/chgif"
	case r.Kind == model.SEA:
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
			a := r.attr(w.Attr)
			if mode != RunningOnly || into == mode {
				a.write(w.Value, into)
			}
		}
		if into != NextBoot && r.Class == "if" {
			d.follow(r, set)
		}
		return nil
	})
}

func checkEach(r *Device, m string, set []Setting) error {
	refused := map[string][]string{}
	for _, w := range set {
		switch a := r.attr(w.Attr); {
		case a == nil:
			refused[unknown] = append(refused[unknown], w.Attr)
		case !a.Settable:
			refused[readOnly] = append(refused[readOnly], w.Attr+"\t"+a.Label)
		case !a.Allows(w.Value):
			refused[notValid] = append(refused[notValid], w.Attr+"\t"+a.Label)
		}
	}
	for _, code := range []string{unknown, readOnly, notValid} {
		if items := refused[code]; items != nil {
			return attributes(m, code, items)
		}
	}
	return nil
}

// notNow is a value that is refused for a reason of this lab.
func notNow(m, attr string, a *Attribute, reason string) error {
	e := NotValid(m, attr+"\t"+a.Label)
	e.Reason = reason
	return e
}

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
			return notNow(m, w.Attr, r.attr(w.Attr), reason)
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
		if on != nil && above(w.Value, strconv.Itoa(d.largestMTU(on, mode))) {
			return fmt.Sprintf("%s passes packets up to %d bytes", on.Name, d.largestMTU(on, mode))
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
	jumbo := "jumbo_frames"
	switch r.Kind {
	case model.VLANDevice:
		base := d.device(r.value("base_adapter", mode))
		if base == nil {
			return 1500
		}
		if base.Kind == model.Virtual {
			return 65390 // less by the tag
		}
		return d.largestMTU(base, mode)
	case model.EtherChannel:
		jumbo = "use_jumbo_frame"
	}
	size, err := strconv.Atoi(r.value("jumbo_size", mode))
	switch {
	case r.attr(jumbo) == nil && r.Kind != model.EtherChannel:
		return 65394
	case r.value(jumbo, mode) != "yes":
		return 1500
	case err == nil && r.Kind != model.EtherChannel:
		return size - 14
	}
	return 9000
}

// Allows says whether a value is in the list or range of an attribute.
func (a *Attribute) Allows(v string) bool {
	if v == "" {
		return a.Optional
	}
	n, err := strconv.ParseInt(v, 10, 64)
	switch {
	case len(a.Values) > 0:
		return slices.Contains(a.Values, v)
	case a.Min == nil && a.Max == nil:
		_, err = strconv.ParseInt(v, 0, 64)
		return !strings.ContainsAny(v, "\n\x00") && (a.Type != "int" || err == nil)
	case err != nil || a.Min != nil && n < *a.Min || a.Max != nil && n > *a.Max:
		return false
	}
	return a.Step == nil || *a.Step == 0 || a.Min == nil || (n-*a.Min)%*a.Step == 0
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
func Dynamic(k model.Kind, c knowledge.Class) bool {
	return c == knowledge.O0 || c == knowledge.O1 || k == model.SEA
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
