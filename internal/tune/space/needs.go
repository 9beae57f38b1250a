package space

import (
	"fmt"
	"strconv"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// need holds what a value of one attribute takes of another one: not to be off, or to be so many
// times as large.
type need struct {
	attr  string
	is    string // the value; empty: every number above over
	over  int64
	other string
	times int64 // 0: it must not be off
	why   string
	below bool // the other one is of the adapter that the element stands on
	ofNo  bool // the other one is a tunable of the host
}

// needed are the prerequisites that hold between settings of one run. Their sources
// are the "needs" of the catalogue's attributes.
var needed = sync.OnceValue(func() []need {
	named := knowledge.BuiltIn().ByRole
	port, iface, no := string(model.Physical), string(model.Interface), "no"
	checksum, tso := named(port, knowledge.ChecksumOffload), named("linux", knowledge.LargeSend)
	list := []need{
		{attr: named(iface, knowledge.LargeSend), is: "on", other: checksum, below: true, why: "largesend needs checksum offload"},
		{attr: named(port, knowledge.LargeSend), is: "yes", other: checksum, why: "largesend needs checksum offload"},
		{attr: tso, is: "on", other: named("linux", knowledge.ChecksumOffload), why: "TSO needs checksum offload"},
		{attr: tso, is: "on", other: named("linux", knowledge.ScatterGather), why: "TSO needs scatter-gather"},
		{attr: "napi_defer_hard_irqs", other: "gro_flush_timeout", why: "without gro_flush_timeout nothing is deferred"},
	}
	scaling, ceiling := named(iface, knowledge.WindowScaling), named(no, knowledge.BufferCeiling)
	for _, role := range []knowledge.Role{knowledge.SendWindow, knowledge.ReceiveWindow} {
		window := named(iface, role)
		list = append(list,
			need{attr: window, over: 65535, other: scaling, why: "a window above 65535 bytes needs " + scaling},
			need{attr: window, other: ceiling, times: 2, ofNo: true, why: ceiling + " must be twice the window"})
	}
	for _, pool := range []string{"tiny", "small", "medium", "large", "huge", "control"} {
		list = append(list, need{attr: "min_buf_" + pool, other: "max_buf_" + pool, times: 1,
			why: "the minimum of buffers must not exceed their maximum"})
	}
	return list
})

// broken says whether two values do not go together; what is not known breaks nothing.
func (n *need) broken(value, other string) bool {
	a, err := strconv.ParseInt(value, 10, 64)
	b, err2 := strconv.ParseInt(other, 10, 64)
	switch {
	case n.is != "" && value != n.is, n.is == "" && (err != nil || a <= n.over), other == "":
		return false
	case n.times > 0:
		return err2 == nil && a*n.times > b
	}
	return other == "no" || other == "off" || other == "0"
}

// Allowed says which prerequisite a run breaks, going by what it sets and, for the
// rest, by the hosts as they were read; nil: none. What is not known does not break one.
func (s *Space) Allowed(fleet *model.Fleet, r Run) error {
	type target struct {
		model.Ref
		attr string
	}
	set := map[target]string{}
	for _, d := range s.Desired(r) {
		set[target{d.Ref, d.Attr}] = d.Value
	}
	value := func(at model.Ref, attr string) string {
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
			at := []model.Ref{x.Ref}
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
				if o := value(other, n.other); n.broken(v, o) {
					return fmt.Errorf("%s: %s %s=%s and %s %s=%s", n.why, ref, n.attr, v, other, n.other, o)
				}
			}
		}
	}
	return nil
}

// on are the interfaces that stand on an adapter.
func on(fleet *model.Fleet, adapter model.Ref) []model.Ref {
	h := fleet.Host(adapter.Host)
	if h == nil {
		return nil
	}
	var out []model.Ref
	for name, el := range h.Elements {
		if el.On == adapter.Element {
			out = append(out, model.Ref{Host: adapter.Host, Element: name})
		}
	}
	return out
}
