package odm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/topology"
)

// Catalogue is where attributes come from.
type Catalogue interface {
	Attributes(layer string) []knowledge.Attribute
}

// New makes the database of a node as its installation and the topology give
// it, and boots the node once.
func New(sys *topology.System, n *topology.Node, c Catalogue) (*Store, error) {
	b := &builder{sys: sys, node: n, cat: c, data: &data{}}
	if err := b.devices(); err != nil {
		return nil, err
	}
	b.data.tunables = append(b.data.tunables, b.attributes("no", "", nil)...)
	slices.SortFunc(b.data.tunables, func(x, y *Attribute) int { return strings.Compare(x.Name, y.Name) })
	if err := b.overrides(n.Set, n.Tunables, Both); err != nil {
		return nil, err
	}
	s := &Store{}
	s.Restore(Snapshot{b.data})
	s.Reboot()
	devices := maps.Clone(n.NextBoot)
	delete(devices, topology.Options)
	err := s.edit(func(d *data) error {
		b.data = d
		return b.overrides(devices, n.NextBoot[topology.Options], NextBoot)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type builder struct {
	sys  *topology.System
	node *topology.Node
	cat  Catalogue
	data *data
}

// attributes of a layer that exist on this node; known gives those that the
// topology decides, which have no default.
func (b *builder) attributes(layer model.Kind, driver string, known map[string]string) (out []*Attribute) {
	for _, a := range b.cat.Attributes(string(layer)) {
		def, ok := b.pick(a.Defaults)
		v, set := known[a.Name]
		// A default that differs by driver is not known: this lab's drivers do not have it.
		if !ok && !set || strings.ContainsAny(a.Name, " /") || !b.exists(a, driver) {
			continue
		}
		if !set {
			v = def
		}
		out = append(out, &Attribute{Attribute: a, Default: def, Running: v, NextBoot: v, Settable: !a.ReadOnly, Optional: def == ""})
	}
	slices.SortFunc(out, func(x, y *Attribute) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// exists says whether the node's level and the device's driver have an attribute.
func (b *builder) exists(a knowledge.Attribute, driver string) bool {
	return (len(a.Drivers) == 0 || slices.Contains(a.Drivers, driver)) && (a.Since == "" || !b.below(a.Since))
}

// pick is the default that holds at the node's level; the first if several do.
func (b *builder) pick(ds []knowledge.Default) (string, bool) {
	for _, d := range ds {
		if !strings.HasPrefix(d.When, "where the driver has it") &&
			(d.From == "" || !b.below(d.From)) && (d.Below == "" || b.below(d.Below)) {
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
	x, _ := knowledge.ParseLevel(a)
	y, _ := knowledge.ParseLevel(b)
	both := min(len(x), len(y))
	return slices.Compare(x[:both], y[:both]) < 0
}

// Unit is a managed system at the beginning of its locations: U9119.MHE.21SEA01.
func Unit(s *topology.System) string {
	return "U" + strings.ReplaceAll(s.Model, "-", ".") + "." + s.Serial
}

// port is a kind of physical port. The catalogue names the drivers that alone have an attribute.
type port struct {
	from         uint64 // bit/s
	Name, Driver string // its name in this lab, and AIX's driver
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
func PortName(bits uint64) string { return portOf(bits).Name }

// overrides sets what the topology says of attributes, by device, and of options of no.
func (b *builder) overrides(devices map[string]map[string]string, options map[string]string, mode Mode) error {
	set := func(on, kind string, list []*Attribute, values map[string]string) error {
		for name, v := range values {
			switch a := find(list, name); {
			case a == nil:
				return fmt.Errorf("%s %s: no %s %s: the topology sets it", b.node.Name, on, kind, name)
			case !a.Allows(v):
				return fmt.Errorf("%s %s: %s=%q in the topology: %s", b.node.Name, on, name, v, a.Range())
			default:
				a.write(v, mode)
			}
		}
		return nil
	}
	for dev, attrs := range devices {
		r := b.data.device(dev)
		if r == nil {
			return fmt.Errorf("%s %s: no such device: the topology sets an attribute of it", b.node.Name, dev)
		}
		if err := set(dev, "attribute", r.Attrs, attrs); err != nil {
			return err
		}
	}
	return set("no", "option", b.data.tunables, options)
}
