package replica

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// Options of a copy. All may be left empty.
type Options struct {
	Name string // of the topology; empty: copy
	// SwitchMTU is the largest IP packet in bytes that every port of the Ethernet switch passes;
	// 0: 1500, or 9000 where the adapter that it is cabled to takes jumbo frames.
	SwitchMTU int
	// Hosts are those whose paths to each other the copy needs, Touched those that a plan changes. Where either
	// names a host, hosts that neither needs are left out.
	Hosts, Touched []string
	// NoBonding: the lab's machine makes no bonds, so that a port stands in for each.
	NoBonding bool
	// Passed are packets that were seen to pass the network whole.
	Passed []Passed
}

// Passed is the largest packet in bytes that was seen to pass from one interface to another.
type Passed struct {
	From, To model.Ref
	Bytes    int
}

// Copy is a network's copy.
type Copy struct {
	Text  []byte               // topology file
	Parts []Part               // what became of each part of the network
	Nodes map[string]string    // host -> the node that copies it
	Read  map[string]time.Time // host -> when it was read
	// NotNeeded are the hosts that were left out since nothing that was asked for needs them.
	NotNeeded []string
}

// Reached says whether all hosts are in the copy, and the parts that speak against it.
func (c *Copy) Reached(hosts []string) (missing []Part) {
	for _, h := range hosts {
		if c.Nodes[h] == "" {
			missing = append(missing, Part{LeftOut, h, "it was not read, or nothing of it can be built"})
			continue
		}
		for _, p := range c.Parts {
			host, element, _ := strings.Cut(p.What, ":")
			if p.Fate == LeftOut && host == h && element != "" {
				missing = append(missing, p)
			}
		}
	}
	return missing
}

// Add adds what became of a part after the copy was made.
func (c *Copy) Add(p Part) {
	all := parts{append(slices.Clone(c.Parts), p)}
	c.Parts = all.sorted()
}

// ErrTooLarge is the error of a fleet that is too large for one machine.
var ErrTooLarge = errors.New("too large for a lab: name the hosts that the copy is about (--hosts)")

// Bounds of a copy: snapshots are data, and a lab takes memory of this machine for each node and adapter.
const (
	maxNodes    = 1000
	maxAdapters = 10_000
	mostCores   = 256
)

// bounded refuses a copy that would take too much of this machine.
func (t *topologyFile) bounded() error {
	nodes := slices.Clone(t.Servers)
	for _, s := range t.Systems {
		nodes = append(nodes, s.Nodes...)
	}
	adapters := 0
	for _, n := range nodes {
		adapters += len(n.Adapters)
	}
	if len(nodes) > maxNodes || adapters > maxAdapters {
		return fmt.Errorf("%d hosts with %d adapters: %w", len(nodes), adapters, ErrTooLarge)
	}
	return nil
}

// ErrNothing is the error of a fleet of which no host can be built.
var ErrNothing = errors.New("no host that was read can be built in a lab")

// Of makes the copy of a fleet whose parts are joined, as assembled hosts are.
func Of(f *model.Fleet, catalogue odm.Catalogue, o Options) (*Copy, error) {
	b := &builder{fleet: f, options: o, nodes: map[string]string{}, taken: map[string]bool{},
		macs: map[string]string{}, addresses: map[string]string{}}
	b.file = topologyFile{Name: "copy", Switch: switchFile{Name: "switch", Ports: map[string]portFile{}}}
	if o.Name != "" {
		b.file.Name = o.Name
	}
	hosts := slices.Clone(f.Hosts)
	slices.SortFunc(hosts, func(a, b *model.Host) int { return model.Natural(a.Name, b.Name) })
	b.passed = passedPorts(f, o.Passed)
	needed, all := b.need()
	for _, h := range hosts {
		if all || needed[h.Name] {
			b.host(h)
		}
	}
	if !all {
		b.notNeeded(needed)
	}
	if len(b.file.Systems) == 0 && len(b.file.Servers) == 0 {
		return nil, ErrNothing
	}
	newSilence(b, all).add()
	if err := b.file.bounded(); err != nil {
		return nil, err
	}
	if len(f.HMCs) > 0 {
		b.file.HMC = b.name(f.HMCs[0].Name)
	}
	if len(b.file.Switch.Ports) > 0 {
		b.add(Assumed, "Ethernet switch", "one switch, whose ports carry every VLAN; their rates are those of the hosts' ports")
	}
	if err := b.settings(catalogue); err != nil {
		return nil, err
	}
	text, err := b.fit()
	if err != nil {
		return nil, err
	}
	read := map[string]time.Time{}
	for _, h := range f.Hosts {
		read[h.Name] = h.Taken
	}
	return &Copy{Text: text, Parts: b.sorted(), Nodes: b.nodes, Read: read, NotNeeded: b.unneeded}, nil
}

// builder lays out the copy, host by host.
type builder struct {
	parts
	fleet   *model.Fleet
	options Options
	file    topologyFile

	nodes     map[string]string // host -> node
	taken     map[string]bool   // names of nodes
	macs      map[string]string // -> owner
	addresses map[string]string // -> owner
	lags      int
	ports     int            // of the Ethernet switch that were made
	passed    map[string]int // port, host:element -> the largest packet that was seen to pass it
	unneeded  []string       // hosts
}

var notName = regexp.MustCompile(`[^a-z0-9-]+`)

// name is the node that copies a host: the host's own name where a lab can have it.
func (b *builder) name(host string) string {
	name := strings.Trim(notName.ReplaceAllString(strings.ToLower(host), "-"), "-")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "h" + name
	}
	name = name[:min(len(name), 28)]
	for n, first := 2, name; b.taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", first, n)
	}
	b.taken[name] = true
	if name != host {
		b.add(Assumed, host, "node %s: a lab's names have small letters, digits and -", name)
	}
	return name
}

// host adds a host.
func (b *builder) host(h *model.Host) {
	switch {
	case len(h.Elements) == 0:
		b.add(LeftOut, h.Name, "nothing of it was read")
		return
	case h.Platform != model.AIX && h.Platform != model.VIOS && h.Platform != model.Linux:
		b.add(LeftOut, h.Name, "a lab has no %s", h.Platform)
		return
	}
	n := nodeFile{Adapters: map[string]adapterFile{}, Interfaces: map[string]interfaceFile{}}
	linux := h.Platform == model.Linux
	server := linux && h.MachineID == "" && len(h.Names(model.Virtual)) == 0
	if linux {
		n.OS = topology.Linux
		linuxBuilder{b}.linuxAdapters(h, &n)
	} else {
		b.adapters(h, &n)
	}
	if len(n.Adapters) == 0 {
		b.add(LeftOut, h.Name, "none of its adapters can be built")
		return
	}
	n.Name = b.name(h.Name)
	b.nodes[h.Name] = n.Name
	b.interfaces(h, &n)
	if !server {
		b.partition(h, &n)
	}
	if linux {
		b.add(AsRead, h.Name, "%s; settings: %d", summary(&n), n.settings)
	}
	if server {
		if n.VCPUs == 0 && h.Partition.VirtualCPUs != nil {
			n.VCPUs = *h.Partition.VirtualCPUs
		}
		b.file.Servers = append(b.file.Servers, n)
		return
	}
	s := &b.file.Systems[b.system(h, &n)]
	s.Nodes = append(s.Nodes, n)
}

// summary counts what of a host stands in the copy.
func summary(n *nodeFile) string {
	kinds := map[string]int{}
	for _, a := range n.Adapters {
		kinds[a.Kind]++
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, fmt.Sprintf("%d %s", kinds[k], k))
	}
	return fmt.Sprintf("adapters: %s; interfaces: %d", strings.Join(out, ", "), len(n.Interfaces))
}

// partition is what lparstat says of one.
func (b *builder) partition(h *model.Host, n *nodeFile) {
	n.Role = string(topology.LPAR)
	if h.Platform == model.VIOS {
		n.Role, n.IOSLevel = string(topology.VIOS), h.IOSLevel
	}
	if n.OS != topology.Linux {
		n.Level = h.Level
		if h.Level == "" {
			b.add(Assumed, h.Name, "its level was not read: the lab's usual one, with that one's defaults")
		}
	}
	p := h.Partition
	b.partitionType(h, n)
	if p.Number != nil && *p.Number >= 1 && *p.Number <= 1000 && !b.file.numbered(h.MachineID, *p.Number) {
		n.Number = *p.Number
	}
	if p.Entitled != nil && *p.Entitled > 0 && *p.Entitled <= mostCores {
		n.Entitled = *p.Entitled
	} else {
		b.add(Assumed, h.Name, "its processors were not read: 2 cores, 4 virtual processors")
	}
	if p.VirtualCPUs != nil && *p.VirtualCPUs >= 1 && *p.VirtualCPUs <= 256 {
		n.VCPUs = *p.VirtualCPUs
	}
	if slices.Contains([]string{"Capped", "Uncapped", "Donating"}, p.Mode) {
		n.Mode = p.Mode
	}
	if p.Weight != nil && p.Mode == "Uncapped" && *p.Weight >= 0 && *p.Weight <= 255 {
		n.Weight = *p.Weight
	}
}

// partitionType is what lparstat -i prints as one.
func (b *builder) partitionType(h *model.Host, n *nodeFile) {
	kind := h.Partition.Type
	switch {
	case kind == "" || kind == labType || n.OS == topology.Linux:
	case topology.TakesType(kind, h.Partition.Mode):
		n.Type = kind
	default:
		b.add(StandsIn, h.Name, "its partition type is %s: a lab's are %s", kind, labType)
	}
}

// labType is what lparstat prints as the type of a lab's partitions.
const labType = "Shared"

// numbered says whether a partition of the managed system has the number.
func (t *topologyFile) numbered(machine string, number int) bool {
	for _, s := range t.Systems {
		if s.machine == machine && slices.ContainsFunc(s.Nodes, func(n nodeFile) bool { return n.Number == number }) {
			return true
		}
	}
	return false
}

var machineForm = regexp.MustCompile(`^([0-9A-Z]{4}-[0-9A-Z]{3})\*?([0-9A-Z]{7})$`)

// system is the place of a host's managed system. One of the lab has one hypervisor switch: each of the real one's is a
// system of its own.
func (b *builder) system(h *model.Host, n *nodeFile) int {
	on := vswitch(h)
	at := b.file.system(h.MachineID, on)
	if at >= 0 && !(h.MachineID == "" && b.file.Systems[at].collides(n)) {
		if b.file.Systems[at].VSwitch == "" {
			b.file.Systems[at].VSwitch = on
		}
		return at
	}
	at = len(b.file.Systems)
	s := systemFile{Name: fmt.Sprintf("system%d", at+1), VSwitch: on, machine: h.MachineID}
	if m := machineForm.FindStringSubmatch(h.MachineID); m != nil {
		s.Model, s.Serial = m[1], m[2]
	}
	switch {
	case h.MachineID == "":
		b.add(Assumed, h.Name, "its managed system was not read: hosts of which that holds are taken to share one, unless two of their "+
			"trunk adapters have a VLAN and a priority in common")
	case b.file.numbersOf(h.MachineID) > 0:
		b.add(StandsIn, s.Name, "hypervisor switch %s of %s: a managed system of the lab has one", on, h.MachineID)
	}
	b.file.Systems = append(b.file.Systems, s)
	return at
}

// system finds the place of a managed system's hypervisor switch; without a name, of its first. -1: there is none.
func (t *topologyFile) system(machine, vswitch string) int {
	return slices.IndexFunc(t.Systems, func(s systemFile) bool {
		return s.machine == machine && (vswitch == "" || s.VSwitch == "" || s.VSwitch == vswitch)
	})
}

// numbersOf counts the systems that stand for one managed system.
func (t *topologyFile) numbersOf(machine string) (n int) {
	for _, s := range t.Systems {
		if s.machine == machine {
			n++
		}
	}
	return n
}

// collides says whether a host's trunk adapters cannot be on a managed system beside those that are there.
func (s *systemFile) collides(n *nodeFile) bool {
	type carried struct{ vlan, priority int }
	taken := map[carried]bool{}
	for _, o := range s.Nodes {
		for _, a := range o.Adapters {
			for _, vlan := range append([]int{a.PVID}, a.VLANs...) {
				taken[carried{vlan, a.Priority}] = taken[carried{vlan, a.Priority}] || a.Trunk
			}
		}
	}
	for _, a := range n.Adapters {
		for _, vlan := range append([]int{a.PVID}, a.VLANs...) {
			if a.Trunk && taken[carried{vlan, a.Priority}] {
				return true
			}
		}
	}
	return false
}

// vswitch is the hypervisor switch of a host's first virtual adapter.
func vswitch(h *model.Host) string {
	for _, name := range h.Names(model.Virtual) {
		if v := h.Elements[name].VSwitch; v != "" {
			return v
		}
	}
	return ""
}
