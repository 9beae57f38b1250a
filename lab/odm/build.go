package odm

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"seaworthy/catalog"
	"seaworthy/inventory"
	"seaworthy/lab/topology"
)

// Catalogue is where attributes come from.
type Catalogue interface {
	Attributes(layer string) []catalog.Attribute
}

// New makes the database of a node as its installation and the topology give
// it, and boots the node once.
func New(sys *topology.System, n *topology.Node, c Catalogue) (*Store, error) {
	b := &builder{sys: sys, node: n, cat: c, data: &data{}}
	base, err := b.system()
	if err != nil {
		return nil, err
	}
	for _, d := range base.First {
		b.add(d.Device, append(d.Fixed, d.Free...))
	}
	for i := range n.Adapters {
		b.adapter(i, &n.Adapters[i])
	}
	for _, a := range n.Adapters {
		b.iface(strings.TrimPrefix(a.Name, "ent"), a.Name)
	}
	for _, d := range base.Last {
		b.add(d.Device, append(d.Fixed, d.Free...))
	}
	for _, a := range c.Attributes("no") {
		if t := b.attribute(a, "", nil); t != nil {
			b.data.tunables = append(b.data.tunables, t)
		}
	}
	b.data.tunables = append(b.data.tunables, base.Schedo...)
	slices.SortFunc(b.data.tunables, func(x, y *Attribute) int { return strings.Compare(x.Name, y.Name) })
	if err := b.overrides(); err != nil {
		return nil, err
	}
	s := &Store{}
	s.Restore(Snapshot{b.data})
	s.Reboot()
	return s, nil
}

type builder struct {
	sys  *topology.System
	node *topology.Node
	cat  Catalogue
	data *data
}

func (b *builder) add(d Device, attrs []*Attribute) {
	d.Attrs = attrs
	b.data.devices = append(b.data.devices, &d)
}

// attributes of a layer that exist on this node; known gives those that the
// topology decides, which have no default.
func (b *builder) attributes(layer inventory.Kind, driver string, known map[string]string) []*Attribute {
	var out []*Attribute
	for _, a := range b.cat.Attributes(string(layer)) {
		if x := b.attribute(a, driver, known); x != nil {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(x, y *Attribute) int { return strings.Compare(x.Name, y.Name) })
	return out
}

func (b *builder) attribute(a catalog.Attribute, driver string, known map[string]string) *Attribute {
	if strings.ContainsAny(a.Name, " /") || !b.exists(a, driver) {
		return nil
	}
	def, ok := b.pick(a.Defaults)
	v, set := known[a.Name]
	if !ok && !set {
		return nil // the default differs by driver and is not known: this lab's drivers do not have it
	}
	if !set {
		v = def
	}
	return &Attribute{Attribute: a, Default: def, Running: v, NextBoot: v, Settable: !a.ReadOnly, Optional: def == ""}
}

// exists says whether the node's level and the device's driver have an attribute.
func (b *builder) exists(a catalog.Attribute, driver string) bool {
	return (len(a.Drivers) == 0 || slices.Contains(a.Drivers, driver)) && (a.Since == "" || !b.below(a.Since))
}

// pick is the default that holds at the node's level; the first if several do.
func (b *builder) pick(ds []catalog.Default) (string, bool) {
	for _, d := range ds {
		if strings.HasPrefix(d.When, "where the driver has it") {
			continue
		}
		if (d.From == "" || !b.below(d.From)) && (d.Below == "" || b.below(d.Below)) {
			return d.Value, true
		}
	}
	return "", false
}

// below says whether the node is older than a level. Levels with points are
// levels of VIOS: an AIX node is taken to be as new as its AIX.
func (b *builder) below(level string) bool {
	if strings.Contains(level, ".") {
		return b.node.IOSLevel != "" && older(b.node.IOSLevel, level)
	}
	return older(b.node.Level, level)
}

// older compares levels number by number; what one lacks counts as equal.
func older(a, b string) bool {
	x, _ := catalog.ParseLevel(a)
	y, _ := catalog.ParseLevel(b)
	both := min(len(x), len(y))
	return slices.Compare(x[:both], y[:both]) < 0
}

func (b *builder) adapter(i int, a *topology.Adapter) {
	d := Device{Name: a.Name, Class: "adapter", MAC: a.MAC}
	unit, driver := Unit(b.sys), ""
	known := map[string]string{}
	switch a.Kind {
	case topology.Virtual:
		d.Subclass, d.Type, d.Kind = "vdevice", "IBM,l-lan", inventory.Virtual
		d.Parent, d.Description = "vio0", "Virtual I/O Ethernet Adapter (l-lan)"
		d.PhysLoc = fmt.Sprintf("%s-V%d-C%d-T1", unit, b.node.Number, topology.Slot(i))
	case topology.Physical:
		driver = portOf(a.LineRate).driver
		d.Subclass, d.Type, d.Kind = "pciex", driver, inventory.Physical
		d.Parent, d.Description = "pci0", PortName(a.LineRate)
		d.Location = fmt.Sprintf("%02d-00", i)
		d.PhysLoc = fmt.Sprintf("%s-P1-C%d-T1", unit, b.sys.PortSlot(a))
	case topology.Channel:
		d.Subclass, d.Type, d.Kind, d.Members = "pseudo", "ibm_ech", inventory.EtherChannel, a.Holds()
		d.Description = "EtherChannel / IEEE 802.3ad Link Aggregation"
		known["adapter_names"] = strings.Join(a.Members, ",")
		if a.Backup != "" {
			known["backup_adapter"] = a.Backup
		}
	case topology.SEA:
		d.Subclass, d.Type, d.Kind, d.Members = "pseudo", "sea", inventory.SEA, a.Holds()
		d.Description = "Shared Ethernet Adapter"
		if a.Control != "" {
			known["ctl_chan"] = a.Control
		}
		known["real_adapter"], known["virt_adapters"] = a.Real, strings.Join(a.Trunks, ",")
		if len(a.Trunks) > 0 {
			known["pvid"], known["pvid_adapter"] = strconv.Itoa(b.node.Adapter(a.Trunks[0]).PVID), a.Trunks[0]
		}
	case topology.VLAN:
		d.Subclass, d.Type, d.Kind, d.Members = "vlan", "eth", inventory.VLANDevice, []string{a.Base}
		d.Description = "VLAN"
		known["base_adapter"], known["vlan_tag_id"] = a.Base, strconv.Itoa(a.Tag)
	}
	b.add(d, b.attributes(d.Kind, driver, known))
}

// Unit is a managed system at the beginning of its locations: U9119.MHE.21SEA01.
func Unit(s *topology.System) string {
	return "U" + strings.ReplaceAll(s.Model, "-", ".") + "." + s.Serial
}

// port is a kind of physical port. The catalogue names the drivers that alone have an attribute.
type port struct {
	from         uint64 // bit/s
	name, driver string // its name in this lab, and AIX's driver
}

// ports are those of this lab, the fastest first.
var ports = []port{
	{25e9, "PCIe3 2-Port 100GbE NIC RoCE QSFP28 Adapter x16", "mlxcentdd"},
	{10e9, "PCIe2 10GbE SFP+ SR 4-port Converged Network Adapter", "elxentdd"},
	{0, "4-Port 10/100/1000 Base-TX PCI-Express Adapter", "goentdd"},
}

func portOf(bits uint64) port {
	return ports[slices.IndexFunc(ports, func(p port) bool { return bits >= p.from })]
}

// PortName is how a physical port of a line rate is called in this lab.
func PortName(bits uint64) string { return portOf(bits).name }

// iface adds enN, which carries IP, and etN, its IEEE 802.3 counterpart that nobody
// uses but lsdev shows.
func (b *builder) iface(unit, adapter string) {
	known := map[string]string{}
	for _, i := range b.node.Interfaces {
		if i.Name == "en"+unit && i.Address.IsValid() {
			known["netaddr"], known["netmask"], known["state"] = i.Address.Addr().String(), dotted(i.Address.Bits()), "up"
		}
	}
	b.add(Device{Name: "en" + unit, Class: "if", Subclass: "EN", Type: "en", Kind: inventory.Interface, On: adapter,
		Description: "Standard Ethernet Network Interface"}, b.attributes(inventory.Interface, "", known))
	b.add(Device{Name: "et" + unit, Class: "if", Subclass: "EN", Type: "ie3",
		Description: "IEEE 802.3 Ethernet Network Interface"}, b.attributes(inventory.Interface, "", nil))
}

func dotted(bits int) string { return net.IP(net.CIDRMask(bits, 32)).String() }

// overrides sets what the topology says differs from the defaults.
func (b *builder) overrides() error {
	set := func(on, kind, name, v string, a *Attribute) error {
		switch {
		case a == nil:
			return fmt.Errorf("%s %s: no %s %s: the topology sets it", b.node.Name, on, kind, name)
		case !a.Allows(v):
			return fmt.Errorf("%s %s: %s=%q in the topology: %s", b.node.Name, on, name, v, a.Range())
		}
		a.Running, a.NextBoot = v, v
		return nil
	}
	for dev, attrs := range b.node.Set {
		r := b.data.device(dev)
		if r == nil {
			return fmt.Errorf("%s %s: no such device: the topology sets an attribute of it", b.node.Name, dev)
		}
		for name, v := range attrs {
			if err := set(dev, "attribute", name, v, r.attr(name)); err != nil {
				return err
			}
		}
	}
	for name, v := range b.node.Tunables {
		if err := set("no", "option", name, v, find(b.data.tunables, name)); err != nil {
			return err
		}
	}
	return nil
}
