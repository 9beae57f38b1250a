package assemble

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/hmc"
)

// HMC builds what an HMC said from its lists. An adapter that two outputs
// list is the later one's.
func HMC(about About, outputs []Output) *model.HMC {
	c := &hmcLists{HMC: model.HMC{Name: about.Name}, systems: map[string]string{}, runs: map[partition]model.Platform{}}
	c.take(outputs)
	return &c.HMC
}

// take adds what outputs list.
func (c *hmcLists) take(outputs []Output) {
	for _, o := range outputs {
		if !strings.HasPrefix(o.ID, "hmc-lssyscfg") {
			continue
		}
		l, ok := c.read(o)
		if !ok {
			continue
		}
		for _, s := range l.Systems() {
			c.systems[s.Name] = s.ID()
		}
		c.partitions(hmc.Option(o.Command, "-m"), l)
	}
	for i, o := range outputs {
		if !strings.HasPrefix(o.ID, "hmc-lshwres") {
			continue
		}
		o.index = &index{text: o.Text}
		if l, ok := c.read(o); ok {
			c.list(i, o, l)
		}
	}
}

// read takes an output apart; what is not understood becomes a gap.
func (c *hmcLists) read(o Output) (*hmc.List, bool) {
	if len(o.Text) == 0 {
		return nil, false
	}
	l, err := hmc.Read(o.Command, o.Text)
	if err != nil {
		c.gap(o.Command, err.Error())
		return nil, false
	}
	for _, u := range l.Unknown {
		c.gap(o.Command, fmt.Sprintf("line %d not understood: %s", u.Number, quoted(u.Text)))
	}
	return l, true
}

type hmcLists struct {
	model.HMC
	systems map[string]string // by name: type-model*serial, empty if not said
	runs    map[partition]model.Platform
}

// partition is one of a managed system; the system is empty where the command
// did not name it.
type partition struct {
	system, name string
	id           int
}

// partitions keeps what runs in each. Two systems can have partitions of the same
// name and number: where they differ, nothing is known.
func (c *hmcLists) partitions(system string, l *hmc.List) {
	for _, p := range l.Partitions() {
		if p.ID == nil {
			continue
		}
		key := partition{system, p.Name, *p.ID}
		runs := platformOf(p)
		if had, twice := c.runs[key]; twice && had != runs {
			runs = ""
		}
		c.runs[key] = runs
	}
}

// platformOf distinguishes AIX from Linux by what the partition itself reported to the HMC.
func platformOf(p hmc.Partition) model.Platform {
	os := strings.ToLower(p.System)
	switch {
	case p.Env == "os400":
		return model.IBMi
	case p.Env == "vioserver":
		return model.VIOS
	case p.Env == "aixlinux" && strings.HasPrefix(os, "aix"):
		return model.AIX
	case p.Env == "aixlinux" && strings.HasPrefix(os, "linux"):
		return model.Linux
	}
	return ""
}

// runsIn returns what runs in a partition of the system named, or of any where it is not;
// empty where several differ.
func (c *hmcLists) runsIn(system, name string, id *int) (found model.Platform) {
	met := false
	for key, runs := range c.runs {
		if id == nil || key.name != name || key.id != *id || key.system != system && key.system != "" && system != "" {
			continue
		}
		if met && runs != found {
			return ""
		}
		met, found = true, runs
	}
	return found
}

// listsEveryAdapter reports whether a command lists every virtual Ethernet adapter of a system.
func listsEveryAdapter(command string) bool {
	return hmc.Option(command, "--level") == "lpar" && hmc.Option(command, "--rsubtype") == "eth" && !strings.Contains(command, "--filter") &&
		!strings.ContainsAny(command, "|") && strings.Contains(command, "lshwres")
}

func (c *hmcLists) gap(what, why string) {
	c.Gaps = append(c.Gaps, model.Gap{What: model.Brief(what), Why: why})
}

// list takes the adapters of an output, which is about one managed system.
func (c *hmcLists) list(number int, o Output, l *hmc.List) {
	named := hmc.Option(o.Command, "-m")
	system := c.systems[named]
	if named == "" && len(c.systems) == 1 {
		for _, id := range c.systems {
			system = id // the only one it looks after, as far as it said
		}
	}
	if listsEveryAdapter(o.Command) && len(l.Unknown) == 0 {
		if c.Whole == nil {
			c.Whole = map[int]string{}
		}
		c.Whole[number] = o.Command
	}
	for _, e := range l.Ethernet() {
		c.add(model.AdapterProfile{
			Kind: model.Virtual, List: number, System: system, LPAR: e.LPAR, LPARID: e.LPARID, Slot: e.Slot, MAC: e.MAC,
			PVID: e.PVID, VLANs: e.VLANs, VSwitch: strings.TrimSuffix(e.VSwitch, "(Default)"), Trunk: e.Trunk,
			Runs: c.runsIn(named, e.LPAR, e.LPARID), From: o.at(e.Line),
		})
	}
	c.ports(o, system, l)
	for _, p := range l.Processors() {
		c.Shares = append(c.Shares, model.ProcessorShare{List: number, System: system, Partition: share(p), From: o.at(p.Line)})
	}
	for _, v := range l.VNICs() {
		a := model.AdapterProfile{
			Kind: model.VNIC, List: number, System: system, LPAR: v.LPAR, LPARID: v.LPARID, Slot: v.Slot, MAC: v.MAC,
			PVID: v.PVID, From: o.at(v.Line),
		}
		a.AutoFailover = v.AutoFailover
		if len(v.Backing) > 0 {
			a.ListedBy = c.Name
		}
		for _, d := range v.Backing {
			a.Backing = append(a.Backing, model.Backing{
				VIOS: d.VIOS, LogicalPort: d.LogicalPort, State: d.State, Active: d.Active, Ready: ready(d.State), Priority: d.Priority,
				Port: d.Adapter + "/" + d.Port, PortShare: model.PortShare{Capacity: d.Capacity, MaxCapacity: d.MaxCapacity},
			})
		}
		c.add(a)
	}
	for _, p := range l.LogicalPorts() {
		c.add(model.AdapterProfile{
			Kind: model.Physical, List: number, System: system, LPAR: p.LPAR, LPARID: p.LPARID, MAC: p.MAC, Location: p.Location,
			PhysicalPort: portOf(p), LogicalPort: p.ID,
			PortShare: model.PortShare{Capacity: p.Capacity, MaxCapacity: p.MaxCapacity}, From: o.at(p.Line),
		})
	}
}

// ports takes the physical ports of SR-IOV adapters, and the adapters themselves, of a list.
func (c *hmcLists) ports(o Output, system string, l *hmc.List) {
	if system == "" {
		return
	}
	for _, p := range l.PhysicalPorts() {
		c.Ports = append(c.Ports, model.SRIOVPort{System: system, Port: p.Adapter + "/" + p.ID, Works: p.Works, SpeedMb: p.Mbit, From: o.at(p.Line)})
	}
	for _, a := range l.SRIOVAdapters() {
		c.Ports = append(c.Ports, model.SRIOVPort{System: system, Port: a.ID + "/", Works: a.Works, From: o.at(a.Line)})
	}
}

// portOf names the physical port of a logical one as backing devices do, 1/0; empty where the list lacks one of the ids.
func portOf(p hmc.LogicalPort) string {
	if p.Adapter == "" || p.Port == "" {
		return ""
	}
	return p.Adapter + "/" + p.Port
}

// ready reports whether a backing device can carry its vNIC, by the word of the HMC or the VIOS;
// nil if there is none.
func ready(state string) *bool {
	if state == "" {
		return nil
	}
	return new(strings.EqualFold(state, "operational"))
}

// share is a partition's processors in the words of lparstat.
func share(p hmc.Processors) model.Partition {
	out := model.Partition{Name: p.LPAR, Number: p.LPARID, Type: "Shared", Entitled: p.Units, VirtualCPUs: p.Procs, Weight: p.Weight}
	switch {
	case p.Dedicated:
		out.Type, out.Mode = "Dedicated", "Capped"
		if strings.HasPrefix(p.Sharing, "share_idle_procs") {
			out.Mode = "Donating"
		}
		if p.Procs != nil && *p.Procs > 0 {
			out.Entitled = new(float64(*p.Procs))
		}
	case p.Sharing == "cap":
		out.Mode = "Capped"
	case p.Sharing == "uncap":
		out.Mode = "Uncapped"
	}
	return out
}

func (c *hmcLists) add(a model.AdapterProfile) {
	i := slices.IndexFunc(c.Adapters, func(b model.AdapterProfile) bool {
		return b.Kind == a.Kind && b.MAC != "" && b.MAC == a.MAC && b.LPAR == a.LPAR
	})
	if i < 0 {
		c.Adapters = append(c.Adapters, a)
	} else {
		c.Adapters[i] = a
	}
}
