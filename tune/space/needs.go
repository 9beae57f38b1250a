package space

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"seaworthy/inventory"
)

// need is what a value of one attribute takes of another one.
type need struct {
	attr  string
	when  func(value string) bool
	other string
	holds func(value, other string) bool
	why   string
	below bool // the other one is of the adapter that the element stands on
	ofNo  bool // the other one is a tunable of the host
}

func is(want ...string) func(string) bool {
	return func(v string) bool {
		return slices.Contains(want, v)
	}
}

func notOff(_, other string) bool { return other != "no" && other != "off" && other != "0" }

func above(n int64) func(string) bool {
	return func(v string) bool { x, err := strconv.ParseInt(v, 10, 64); return err == nil && x > n }
}

func atMost(share int64) func(value, other string) bool {
	return func(value, other string) bool {
		a, err1 := strconv.ParseInt(value, 10, 64)
		b, err2 := strconv.ParseInt(other, 10, 64)
		return err1 != nil || err2 != nil || a*share <= b
	}
}

// needed are the prerequisites that hold between settings of one run. Their sources
// are the "needs" of the catalogue's attributes.
var needed = sync.OnceValue(func() []need {
	list := []need{
		{attr: "mtu_bypass", when: is("on"), other: "chksum_offload", holds: notOff, below: true, why: "largesend needs checksum offload"},
		{attr: "large_send", when: is("yes"), other: "chksum_offload", holds: notOff, why: "largesend needs checksum offload"},
		{attr: "tso", when: is("on"), other: "tx", holds: notOff, why: "TSO needs checksum offload"},
		{attr: "tso", when: is("on"), other: "sg", holds: notOff, why: "TSO needs scatter-gather"},
		{attr: "napi_defer_hard_irqs", when: above(0), other: "gro_flush_timeout", holds: notOff,
			why: "without gro_flush_timeout nothing is deferred"},
	}
	for _, window := range []string{"tcp_sendspace", "tcp_recvspace"} {
		list = append(list,
			need{attr: window, when: above(65535), other: "rfc1323", holds: notOff, why: "a window above 65535 bytes needs rfc1323"},
			need{attr: window, when: above(0), other: "sb_max", holds: atMost(2), ofNo: true, why: "sb_max must be twice the window"})
	}
	for _, pool := range []string{"tiny", "small", "medium", "large", "huge", "control"} {
		list = append(list, need{attr: "min_buf_" + pool, when: above(0), other: "max_buf_" + pool, holds: atMost(1),
			why: "the minimum of buffers must not exceed their maximum"})
	}
	return list
})

// Allowed says which prerequisite a run breaks, going by what it sets and, for the
// rest, by the hosts as they were read; nil: none. What is not known does not break one.
func (s *Space) Allowed(fleet *inventory.Fleet, r Run) error {
	type target struct {
		inventory.Ref
		attr string
	}
	set := map[target]string{}
	for _, d := range s.Desired(r) {
		set[target{d.Ref, d.Attr}] = d.Value
	}
	value := func(at inventory.Ref, attr string) string {
		if v, ok := set[target{at, attr}]; ok {
			return v
		}
		h := fleet.Host(at.Host)
		if h == nil {
			return ""
		}
		if el := h.Elements[at.Element]; el != nil {
			return el.Attrs[attr].Current()
		}
		return h.Tunables[attr].Current()
	}
	for _, x := range s.Desired(r) {
		// A value that is set here can break the need of one that is not, as well.
		for _, n := range needed() {
			at := []inventory.Ref{x.Ref}
			if n.below && x.Attr == n.other {
				at = on(fleet, x.Ref)
			}
			if x.Attr != n.attr && x.Attr != n.other {
				continue
			}
			for _, ref := range at {
				v := value(ref, n.attr)
				other := ref
				switch {
				case n.below:
					el := fleet.Element(ref)
					if el == nil || el.On == "" {
						continue
					}
					other.Element = el.On
				case n.ofNo:
					other.Element = "no"
				}
				if o := value(other, n.other); v != "" && o != "" && n.when(v) && !n.holds(v, o) {
					return fmt.Errorf("%s: %s %s=%s and %s %s=%s", n.why, ref, n.attr, v, other, n.other, o)
				}
			}
		}
	}
	return nil
}

// on are the interfaces that stand on an adapter.
func on(fleet *inventory.Fleet, adapter inventory.Ref) []inventory.Ref {
	h := fleet.Host(adapter.Host)
	if h == nil {
		return nil
	}
	var out []inventory.Ref
	for name, el := range h.Elements {
		if el.On == adapter.Element {
			out = append(out, inventory.Ref{Host: adapter.Host, Element: name})
		}
	}
	return out
}
