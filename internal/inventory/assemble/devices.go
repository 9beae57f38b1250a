package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/linewise"
)

// deviceFeed makes elements of the devices of AIX and VIOS, and of what belongs to which.
type deviceFeed struct{ *hostBuilder }

var deviceRows = []row{
	{"lsdev-Cc-adapter lsdev-Cc-if lsdev", feeds(0, deviceFeed.devices)},
	{"lsdev-slots", feeds(1, deviceFeed.slots)},
	{"lscfg", feeds(1, deviceFeed.lscfg)},
}

// device is one line of lsdev, whatever its form.
func (b deviceFeed) device(name, state, location, description string) {
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
func (b deviceFeed) structure() {
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
	netdevFeed(b).unknownKinds()
}

func (b deviceFeed) bridge(name string, e *model.Element) {
	if v := value(e, "real_adapter"); v != "" {
		e.Real = v
	}
	e.Trunks = list(value(e, "virt_adapters"), e.Trunks)
	if v := value(e, "ctl_chan"); v != "" {
		e.Control = v
	}
	b.own(name, append(slices.Clone(e.Trunks), e.Real, e.Control)...)
}

func (b deviceFeed) own(owner string, names ...string) {
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
func (b deviceFeed) masked() {
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
				dropRunning(e, "large_send", "no")
			}
		case model.Interface:
			if off(on, "chksum_offload", "large_send", "largesend") {
				dropRunning(e, "mtu_bypass", "off")
			}
		}
	}
}

func is(e *model.Element, name, v string) bool {
	return e.Attrs[name] != nil && value(e, name) == v
}

// dropRunning drops a running value, where the ODM has one to go by.
func dropRunning(e *model.Element, name, v string) {
	if a := e.Attrs[name]; a != nil && a.Running != nil && *a.Running == v && a.NextBoot != nil {
		a.Running = nil
	}
}

func (b deviceFeed) devices(o Output, l *lsdev.List) {
	for _, d := range l.Devices {
		b.device(d.Name, d.Status, d.Location, d.Description)
	}
	if b.host.Platform == model.VIOS && o.ID != "lsdev-Cc-if" {
		b.virtualSCSI(o, l)
	}
}

// virtualSCSI counts the server adapters of virtual SCSI in a list of all
// adapters.
func (b deviceFeed) virtualSCSI(o Output, l *lsdev.List) {
	var lines []int
	adapters := false
	for _, d := range l.Devices {
		adapters = adapters || ethernet(d.Name)
		if numbered(d.Name, "vhost") && (d.Status == "Available" || d.Status == "") {
			lines = append(lines, d.Line)
		}
	}
	if adapters && entire(o, &l.Report) {
		b.count(o, model.VirtualSCSI, lines)
	}
}

// lscfg has the locations of adapters; those of virtual ones name the slot
// under which an HMC knows them.
func (b deviceFeed) lscfg(o Output, l *lscfg.List) {
	for _, r := range l.Resources {
		if !ethernet(r.Name) {
			continue
		}
		if b.host.Elements[r.Name] == nil && r.Description != "" {
			b.device(r.Name, "", "", r.Description)
		}
		b.setLocation(o, r.Name, r.Location)
		if e := b.host.Elements[r.Name]; e != nil && e.MAC == "" {
			e.MAC = r.MAC()
		}
		b.microcode(r)
	}
}

// microcode keeps the level of an adapter's microcode, and by which codes IBM knows the adapter.
func (b deviceFeed) microcode(r *lscfg.Resource) {
	e := b.host.Elements[r.Name]
	if e == nil {
		return
	}
	if level, ok := r.Field("ROM Level.(alterable)"); ok {
		e.Firmware = strings.TrimSpace(level)
	}
	var codes []string
	for _, label := range []string{"Feature Code/Marketing ID", "Customer Card ID Number"} {
		if code, ok := r.Field(label); ok && code != "" {
			codes = append(codes, strings.TrimSpace(code))
		}
	}
	if len(codes) > 0 {
		e.Product = strings.Join(codes, " ")
	}
}

// slots has the slot of each adapter, the name by which an HMC knows it.
func (b deviceFeed) slots(o Output, l *linewise.SlotList) {
	for _, s := range l.Slots {
		for _, d := range s.Devices {
			if ethernet(d) {
				b.setLocation(o, d, s.Location)
			}
		}
	}
}
