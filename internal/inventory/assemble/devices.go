package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
)

// device is one line of lsdev, whatever its form.
func (b *builder) device(name, state, location, description string) {
	switch {
	case ethernet(name):
		e := b.element(name, kindOf(description))
		e.Kind = kindOf(description)
		e.Driver, e.State, e.Location = description, state, location
	case iface(name):
		e := b.element(name, model.Interface)
		e.State = state
		e.On = "ent" + name[2:]
	}
}

func ethernet(name string) bool { return numbered(name, "ent") }
func iface(name string) bool    { return numbered(name, "en") }

func numbered(name, prefix string) bool {
	n, ok := strings.CutPrefix(name, prefix)
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// structure joins elements after all outputs are read.
func (b *builder) structure() {
	h := b.host
	for name, e := range h.Elements {
		if e.Kind == model.Interface && e.On == "" && iface(name) {
			e.On = "ent" + name[2:]
		}
	}
	for name, e := range h.Elements {
		switch e.Kind {
		case model.SEA:
			b.bridge(name, e)
		case model.EtherChannel:
			e.Members = list(value(e, "adapter_names"), e.Members)
			owned := slices.Clone(e.Members)
			if backup := value(e, "backup_adapter"); backup != "" && backup != "NONE" {
				owned = append(owned, backup)
			}
			b.own(name, owned...)
		case model.VLANDevice:
			if base := value(e, "base_adapter"); base != "" {
				e.On = base
			}
			if n, err := strconv.Atoi(value(e, "vlan_tag_id")); err == nil && n >= 1 && n <= 4094 {
				e.VLANs = []int{n}
			}
		}
	}
	b.masked()
	b.unknownKinds()
}

func (b *builder) bridge(name string, e *model.Element) {
	if v := value(e, "real_adapter"); v != "" {
		e.Real = v
	}
	e.Trunks = list(value(e, "virt_adapters"), e.Trunks)
	if v := value(e, "ctl_chan"); v != "" {
		e.Control = v
	}
	b.own(name, append(slices.Clone(e.Trunks), e.Real, e.Control)...)
}

func (b *builder) own(owner string, names ...string) {
	for _, n := range names {
		if m := b.host.Elements[n]; m != nil && n != owner {
			m.MemberOf = owner
		}
	}
}

// list reads ent1,ent2; what the text does not say is taken from known.
func list(text string, known []string) []string {
	var out []string
	for _, n := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if ethernet(n) {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return known
	}
	return out
}

// masked forgets running values that an output cannot show. A driver cuts no
// large packets while it writes no checksums or the SEA above passes none, and
// an interface then does not show LARGESEND: that the flag is missing says
// nothing of large_send and mtu_bypass themselves.
func (b *builder) masked() {
	for _, e := range b.host.Elements {
		off := func(on *model.Element, names ...string) bool {
			return on != nil && slices.ContainsFunc(names, func(n string) bool { return is(on, n, "no") || is(on, n, "0") })
		}
		switch on := b.host.Elements[e.On]; e.Kind {
		case model.Physical, model.VNIC:
			sea := b.host.Elements[e.MemberOf]
			if sea != nil && sea.Kind == model.EtherChannel {
				sea = b.host.Elements[sea.MemberOf]
			}
			if off(e, "chksum_offload") || off(sea, "largesend") {
				forget(e, "large_send", "no")
			}
		case model.Interface:
			if off(on, "chksum_offload", "large_send", "largesend") {
				forget(e, "mtu_bypass", "off")
			}
		}
	}
}

func is(e *model.Element, name, v string) bool {
	return e.Attrs[name] != nil && value(e, name) == v
}

// forget drops a running value, where the ODM has one to go by.
func forget(e *model.Element, name, v string) {
	if a := e.Attrs[name]; a != nil && a.Running != nil && *a.Running == v && a.NextBoot != nil {
		a.Running = nil
	}
}
