package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

type comparison struct {
	*Diff
	before, now *model.Host
	probes      func() uint64 // datagrams that the two collections sent to the host
}

// aspect is something that an element or a host shows. An empty text says that it
// was not read.
type aspect[T any] struct {
	kind Kind
	what string
	of   func(T) string
	list bool // empty may also mean that there is none
}

var ofElement = []aspect[*model.Element]{
	{kind: Active, what: "state", of: func(e *model.Element) string { return e.HAState }},
	{kind: Active, what: "channel", of: func(e *model.Element) string { return e.Channel }},
	{kind: Active, what: "carried by", of: carrier},
	{kind: Topology, what: "kind", of: func(e *model.Element) string { return string(e.Kind) }},
	{kind: Topology, what: Adapter, of: func(e *model.Element) string { return e.On }},
	{kind: Topology, what: RealAdapter, of: func(e *model.Element) string { return e.Real }},
	{kind: Topology, what: TrunkAdapters, of: func(e *model.Element) string { return names(e.Trunks) }, list: true},
	{kind: Topology, what: "control channel", of: func(e *model.Element) string { return e.Control }},
	{kind: Topology, what: Members, of: func(e *model.Element) string { return names(e.Members) }, list: true},
	{kind: Topology, what: "port VLAN", of: func(e *model.Element) string { return shown("%d", e.PVID) }},
	{kind: Topology, what: "VLANs", of: vlans, list: true},
	{kind: Topology, what: "hypervisor switch", of: func(e *model.Element) string { return e.VSwitch }},
	{kind: Topology, what: "trunk priority", of: func(e *model.Element) string { return shown("%d", e.Priority) }},
	{kind: Topology, what: MACAddress, of: func(e *model.Element) string { return e.MAC }},
	{kind: Topology, what: "location", of: func(e *model.Element) string { return e.Location }},
	{kind: Topology, what: "addresses", of: addresses, list: true},
	{kind: Link, what: "link", of: func(e *model.Element) string { return either(e.LinkUp, "up", "down") }},
	{kind: Link, what: "speed", of: func(e *model.Element) string { return shown("%d Mbit/s", e.SpeedMb) }},
	{kind: Link, what: "interface", of: func(e *model.Element) string { return either(e.Up, "up", "down") }},
	{kind: Link, what: "flow control", of: func(e *model.Element) string { return either(e.FlowControl, "in force", "not in force") }},
}

var ofHost = []aspect[*model.Host]{
	{kind: Level, what: "oslevel", of: func(h *model.Host) string { return h.Level }},
	{kind: Level, what: "ioslevel", of: func(h *model.Host) string { return h.IOSLevel }},
	{kind: Level, what: "distribution", of: func(h *model.Host) string { return h.OS }},
	{kind: Level, what: ManagedSystem, of: func(h *model.Host) string { return h.MachineID }},
	{kind: Level, what: PartitionNumber, of: func(h *model.Host) string { return shown("%d", h.Partition.Number) }},
	{kind: Level, what: "partition type", of: func(h *model.Host) string { return h.Partition.Type }},
	{kind: Level, what: "partition mode", of: func(h *model.Host) string { return h.Partition.Mode }},
	{kind: Level, what: "entitled cores", of: func(h *model.Host) string { return shown("%g", h.Partition.Entitled) }},
	{kind: Level, what: "virtual CPUs", of: func(h *model.Host) string { return shown("%d", h.Partition.VirtualCPUs) }},
	{kind: Level, what: "capacity weight", of: func(h *model.Host) string { return shown("%d", h.Partition.Weight) }},
}

func (c *comparison) at(element string) model.Ref {
	return model.Ref{Host: c.now.Name, Element: element}
}

func (c *comparison) change(element string, kind Kind, what, value string, before, after *string) {
	c.Changes = append(c.Changes, Change{Ref: c.at(element), Kind: kind, What: what, Value: value, Before: before, After: after})
}

func (c *comparison) unread(element string, what ...string) {
	if len(what) > 0 {
		c.Unread = append(c.Unread, Unread{Ref: c.at(element), What: what})
	}
}

func (c *comparison) host() {
	c.unread("host", aspects(c, "host", ofHost, c.before, c.now)...)
	tunables := tunablesOf(c.now)
	c.unread(tunables, c.settings(tunables, c.before.Tunables, c.now.Tunables)...)
	if c.before.Routes == nil || c.now.Routes == nil {
		return
	}
	was, is := routes(c.before), routes(c.now)
	for _, r := range without(was, is) {
		c.change("host", Topology, "route", "", &r, nil)
	}
	for _, r := range without(is, was) {
		c.change("host", Topology, "route", "", nil, &r)
	}
}

// without gives those of a list that are not in another.
func without(list, others []string) (left []string) {
	there := make(map[string]bool, len(others))
	for _, x := range others {
		there[x] = true
	}
	for _, x := range list {
		if !there[x] {
			left = append(left, x)
		}
	}
	return left
}

func (c *comparison) elements(ctx context.Context) {
	for _, name := range slices.SortedFunc(maps.Keys(c.now.Elements), model.Natural) {
		if ctx.Err() != nil {
			return
		}
		b, e := c.before.Elements[name], c.now.Elements[name]
		if b == nil {
			kind := string(e.Kind)
			c.change(name, Topology, "element", "", nil, &kind)
			continue
		}
		missing := aspects(c, name, ofElement, b, e)
		c.unread(name, append(missing, c.settings(name, b.Attrs, e.Attrs)...)...)
	}
	for name, b := range c.before.Elements {
		if c.now.Elements[name] == nil {
			kind := string(b.Kind)
			c.change(name, Topology, "element", "", &kind, nil)
		}
	}
}

// aspects compares all of them and gives those that were read only before.
func aspects[T any](c *comparison, element string, all []aspect[T], before, now T) (missing []string) {
	for _, a := range all {
		was, is := a.of(before), a.of(now)
		switch {
		case was == is:
		case was != "" && is != "":
			c.change(element, a.kind, a.what, "", &was, &is)
		case a.list && was != "":
			c.change(element, a.kind, a.what, "", &was, nil)
		case a.list:
			c.change(element, a.kind, a.what, "", nil, &is)
		case was != "":
			missing = append(missing, a.what)
		}
	}
	return missing
}

// observed are attributes that nobody sets: what the other end or the IP layer
// says.
var observed = []string{"state", "synchronization", "partner_system", "partner_key", "lacp_expired", "lacp_defaulted", "duplex"}

// kindOf is the kind of an attribute.
func kindOf(attribute string) Kind {
	if slices.Contains(observed, attribute) {
		return Link
	}
	return Setting
}

// settings compares attributes and gives those that were read only before.
func (c *comparison) settings(element string, before, now map[string]*model.Attr) (missing []string) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		b, a := before[name], now[name]
		if a == nil {
			a = &model.Attr{}
		}
		if (b.Running != nil || b.NextBoot != nil) && a.Running == nil && a.NextBoot == nil {
			missing = append(missing, name)
			continue
		}
		running := b.Running != nil && a.Running != nil && *b.Running != *a.Running
		boot := b.NextBoot != nil && a.NextBoot != nil && *b.NextBoot != *a.NextBoot
		kind := kindOf(name)
		switch {
		case running && boot && *b.Running == *b.NextBoot && *a.Running == *a.NextBoot:
			c.change(element, kind, name, "", b.Running, a.Running)
			continue
		case running:
			c.change(element, kind, name, "running", b.Running, a.Running)
		}
		if boot {
			c.change(element, kind, name, "next boot", b.NextBoot, a.NextBoot)
		}
	}
	return missing
}

func names(list []string) string {
	return strings.Join(slices.SortedFunc(slices.Values(list), model.Natural), ",")
}

func vlans(e *model.Element) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(slices.Sorted(slices.Values(e.VLANs))), " ", ","), "[]")
}

func addresses(e *model.Element) string {
	var out []string
	for _, a := range e.Addrs {
		out = append(out, a.String())
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func routes(h *model.Host) []string {
	var out []string
	for _, r := range h.Routes {
		text := r.To.String()
		if r.Gateway.IsValid() {
			text += " via " + r.Gateway.String()
		}
		way := r.Origin // one that refuses has no interface
		if r.Interface != "" {
			way = "on " + r.Interface
		}
		out = append(out, text+" "+way)
	}
	return out
}

// carrier is the device that carries a vNIC now.
func carrier(e *model.Element) string {
	for _, b := range e.Backing {
		if b.Active != nil && *b.Active {
			return strings.TrimSpace(b.VIOS + " " + b.Device)
		}
	}
	return ""
}

func shown[T any](format string, v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

func either(b *bool, yes, no string) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return yes
	}
	return no
}
