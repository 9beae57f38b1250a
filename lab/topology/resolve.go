package topology

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// nameForm also bounds names that become file names and host names.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// resolver checks names against each other and fills in defaults.
type resolver struct {
	*reader
	nodes map[string]int   // name -> line
	names map[string]int   // systems
	ports map[string]*Port // by name
	cable map[string]text  // port -> adapter that uses it
	macs  map[string]text  // address -> adapter
	addrs map[string]text  // IP address -> interface

}

func (r *resolver) topology(raw *rawTopology) (*Topology, error) {
	t := &Topology{Name: raw.name.s}
	if err := r.name("topology", raw.name); err != nil {
		return nil, err
	}
	if err := r.name("switch", raw.sw.name); err != nil {
		return nil, err
	}
	t.Switch.Name = raw.sw.name.s
	for _, p := range raw.sw.ports {
		port := Port{Name: p.name.s}
		var err error
		if port.MTU, err = r.number("switch port "+p.name.s+" mtu", p.mtu, 1500, 576, 9216); err != nil {
			return nil, err
		}
		if port.LineRate, err = r.rate("switch port "+p.name.s+" rate", p.rate, 10e9); err != nil {
			return nil, err
		}
		if port.LAG = p.lag.s; p.lag.given() {
			if err = r.name("switch port "+p.name.s+" lag", p.lag); err != nil {
				return nil, err
			}
		}
		if port.Delay, err = r.delay(t, port, p); err != nil {
			return nil, err
		}
		t.Switch.Ports = append(t.Switch.Ports, port)
	}
	for i := range t.Switch.Ports {
		r.ports[t.Switch.Ports[i].Name] = &t.Switch.Ports[i]
	}
	if len(raw.systems) == 0 {
		return nil, r.errorf(raw.name.line, "systems: expected at least one system")
	}
	for i, rs := range raw.systems {
		s, err := r.system(i, rs)
		if err != nil {
			return nil, err
		}
		t.Systems = append(t.Systems, s)
	}
	if err := r.lags(t, raw); err != nil {
		return nil, err
	}
	return t, r.gateways(t, raw.sw)
}

func (r *resolver) system(i int, raw rawSystem) (System, error) {
	s := System{Name: raw.name.s}
	if err := r.unique("system", raw.name, r.names); err != nil {
		return s, err
	}
	s.Model = raw.model.or("9119-MHE")
	s.Serial = raw.serial.or(fmt.Sprintf("21SEA%02d", i+1))
	s.VSwitch = raw.vswitch.or("ETHERNET0")
	if len(raw.nodes) == 0 {
		return s, r.errorf(raw.line, "system %s: expected at least one node", s.Name)
	}
	numbers := map[int]string{}
	for j, rn := range raw.nodes {
		n, err := r.node(i, j, rn)
		if err != nil {
			return s, err
		}
		if other, taken := numbers[n.Number]; taken {
			return s, r.errorf(rn.name.line, "node %s: partition number %d belongs to %s", n.Name, n.Number, other)
		}
		numbers[n.Number] = n.Name
		s.Nodes = append(s.Nodes, n)
	}
	return s, nil
}

func (r *resolver) node(system, index int, raw rawNode) (Node, error) {
	n := Node{Name: raw.name.s, Role: Role(raw.role.s), Tunables: raw.tunables, Set: map[string]map[string]string{}}
	if err := r.unique("node", raw.name, r.nodes); err != nil {
		return n, err
	}
	what := "node " + n.Name
	if n.Role != LPAR && n.Role != VIOS {
		return n, r.errorf(raw.role.line, "%s: role %q, expected lpar or vios", what, raw.role.s)
	}
	if raw.ioslevel.given() && n.Role != VIOS {
		return n, r.errorf(raw.ioslevel.line, "%s: ioslevel belongs to a vios", what)
	}
	n.Level = raw.level.or("7200-05-03-2148")
	if n.Role == VIOS {
		n.IOSLevel = raw.ioslevel.or("3.1.2.21")
	}
	n.Mode = raw.mode.or("Uncapped")
	if modes := []string{"Capped", "Uncapped", "Donating"}; !slices.Contains(modes, n.Mode) {
		return n, r.errorf(raw.mode.line, "%s: mode %q, expected one of %s", what, n.Mode, strings.Join(modes, ", "))
	}
	if raw.weight.given() && n.Mode != "Uncapped" {
		return n, r.errorf(raw.weight.line, "%s: weight belongs to an uncapped node", what)
	}
	var err error
	if n.Weight, err = r.number(what+" weight", raw.weight, defaultWeight, 0, 255); err != nil {
		return n, err
	}
	if n.Number, err = r.number(what+" number", raw.number, index+1, 1, 1000); err != nil {
		return n, err
	}
	if n.VCPUs, err = r.number(what+" vcpus", raw.vcpus, 4, 1, 256); err != nil {
		return n, err
	}
	if n.MemoryMB, err = r.number(what+" memory_mb", raw.memory, 16384, 256, 1<<25); err != nil {
		return n, err
	}
	n.Entitled = 2
	if raw.entitled.given() {
		n.Entitled, err = strconv.ParseFloat(raw.entitled.s, 64)
		if err != nil || !(n.Entitled > 0 && n.Entitled <= 256) {
			return n, r.errorf(raw.entitled.line, "%s: entitled %q, expected cores, e.g. 2.5", what, raw.entitled.s)
		}
	}
	if err := r.adapters(system, index, &n, raw); err != nil {
		return n, err
	}
	if err := r.interfaces(&n, raw); err != nil {
		return n, err
	}
	for _, s := range raw.set {
		if !n.hasDevice(s.device.s) {
			return n, r.errorf(s.device.line, "%s: set %s: no such device, expected one of %s", what, s.device.s, strings.Join(n.devices(), ", "))
		}
		n.Set[s.device.s] = s.values
	}
	return n, nil
}

// defaultWeight is what an HMC gives a new uncapped partition.
const defaultWeight = 128

func (n *Node) hasDevice(name string) bool { return slices.Contains(n.devices(), name) }

func (n *Node) devices() []string {
	var d []string
	for _, a := range n.Adapters {
		d = append(d, a.Name)
	}
	for _, i := range n.Interfaces {
		d = append(d, i.Name)
	}
	return d
}

func (t text) or(s string) string {
	if t.given() {
		return t.s
	}
	return s
}

func (r *resolver) name(what string, t text) error {
	if !nameForm.MatchString(t.s) {
		return r.errorf(t.line, "%s name %q, expected small letters, digits and -, at most 31, a letter first", what, t.s)
	}
	return nil
}

func (r *resolver) unique(what string, t text, seen map[string]int) error {
	if err := r.name(what, t); err != nil {
		return err
	}
	if first := seen[t.s]; first > 0 {
		return r.errorf(t.line, "%s %s is there twice (first on line %d)", what, t.s, first)
	}
	seen[t.s] = t.line
	return nil
}

func (r *resolver) number(what string, t text, def, low, high int) (int, error) {
	if !t.given() {
		return def, nil
	}
	v, err := strconv.Atoi(t.s)
	if err != nil || v < low || v > high {
		return 0, r.errorf(t.line, "%s %q, expected a number from %d to %d", what, t.s, low, high)
	}
	return v, nil
}

// rate reads bit/s.
func (r *resolver) rate(what string, t text, def uint64) (uint64, error) {
	if !t.given() {
		return def, nil
	}
	v, err := ParseRate(t.s)
	if err != nil {
		return 0, r.errorf(t.line, "%s %v", what, err)
	}
	return v, nil
}

// ParseRate reads bit/s: 10G, 100M, 10000000000; from 1M to 1000G.
func ParseRate(text string) (uint64, error) {
	s, unit := text, uint64(1)
	switch {
	case strings.HasSuffix(s, "G"):
		s, unit = strings.TrimSuffix(s, "G"), 1e9
	case strings.HasSuffix(s, "M"):
		s, unit = strings.TrimSuffix(s, "M"), 1e6
	}
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil || v > 1e12/unit || v*unit < 1e6 {
		return 0, fmt.Errorf("%q, expected bit/s from 1M to 1000G, e.g. 10G", text)
	}
	return v * unit, nil
}

// byNumber sorts ent2 before ent10.
func byNumber(names []text) {
	sort.SliceStable(names, func(i, j int) bool {
		a, b := names[i].s, names[j].s
		if len(a) != len(b) {
			return len(a) < len(b)
		}
		return a < b
	})
}
