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
	t := &Topology{Name: raw.Name.s}
	if err := r.name("topology", raw.Name); err != nil {
		return nil, err
	}
	if err := r.name("switch", raw.Switch.Name); err != nil {
		return nil, err
	}
	t.Switch.Name = raw.Switch.Name.s
	for _, name := range inOrder(raw.Switch.Ports) {
		p, what := raw.Switch.Ports[name], "switch port "+name.s
		port := Port{Name: name.s}
		var err error
		if port.MTU, err = r.number(what+" mtu", p.MTU, 1500, 576, 9216); err != nil {
			return nil, err
		}
		if port.LineRate, err = r.rate(what+" rate", p.Rate, 10e9); err != nil {
			return nil, err
		}
		if port.LAG = p.LAG.s; p.LAG.given() {
			if err = r.name(what+" lag", p.LAG); err != nil {
				return nil, err
			}
		}
		if port.Delay, err = r.delay(t, port, p, name.line); err != nil {
			return nil, err
		}
		t.Switch.Ports = append(t.Switch.Ports, port)
	}
	for i := range t.Switch.Ports {
		r.ports[t.Switch.Ports[i].Name] = &t.Switch.Ports[i]
	}
	if len(raw.Systems) == 0 {
		return nil, r.errorf(raw.Name.line, "systems: expected at least one system")
	}
	for i, rs := range raw.Systems {
		s, err := r.system(i, rs)
		if err != nil {
			return nil, err
		}
		t.Systems = append(t.Systems, s)
	}
	if err := r.lags(t, raw); err != nil {
		return nil, err
	}
	return t, r.gateways(t, raw.Switch)
}

func (r *resolver) system(i int, raw rawSystem) (System, error) {
	s := System{Name: raw.Name.s}
	if err := r.unique("system", raw.Name, r.names); err != nil {
		return s, err
	}
	s.Model = raw.Model.or("9119-MHE")
	s.Serial = raw.Serial.or(fmt.Sprintf("21SEA%02d", i+1))
	s.VSwitch = raw.VSwitch.or("ETHERNET0")
	if len(raw.Nodes) == 0 {
		return s, r.errorf(raw.Name.line, "system %s: expected at least one node", s.Name)
	}
	numbers := map[int]string{}
	for j, rn := range raw.Nodes {
		n, err := r.node(i, j, rn)
		if err != nil {
			return s, err
		}
		if other, taken := numbers[n.Number]; taken {
			return s, r.errorf(rn.Name.line, "node %s: partition number %d belongs to %s", n.Name, n.Number, other)
		}
		numbers[n.Number] = n.Name
		s.Nodes = append(s.Nodes, n)
	}
	return s, nil
}

func (r *resolver) node(system, index int, raw rawNode) (Node, error) {
	n := Node{Name: raw.Name.s, Role: Role(raw.Role.s), Tunables: map[string]string{}, Set: map[string]map[string]string{}}
	if err := r.unique("node", raw.Name, r.nodes); err != nil {
		return n, err
	}
	what := "node " + n.Name
	if n.Role != LPAR && n.Role != VIOS {
		return n, r.errorf(raw.Role.line, "%s: role %q, expected lpar or vios", what, raw.Role.s)
	}
	if raw.IOSLevel.given() && n.Role != VIOS {
		return n, r.errorf(raw.IOSLevel.line, "%s: ioslevel belongs to a vios", what)
	}
	n.Level = raw.Level.or("7200-05-03-2148")
	if n.Role == VIOS {
		n.IOSLevel = raw.IOSLevel.or("3.1.2.21")
	}
	n.Mode = raw.Mode.or("Uncapped")
	if modes := []string{"Capped", "Uncapped", "Donating"}; !slices.Contains(modes, n.Mode) {
		return n, r.errorf(raw.Mode.line, "%s: mode %q, expected one of %s", what, n.Mode, strings.Join(modes, ", "))
	}
	if raw.Weight.given() && n.Mode != "Uncapped" {
		return n, r.errorf(raw.Weight.line, "%s: weight belongs to an uncapped node", what)
	}
	var err error
	if n.Weight, err = r.number(what+" weight", raw.Weight, defaultWeight, 0, 255); err != nil {
		return n, err
	}
	if n.Number, err = r.number(what+" number", raw.Number, index+1, 1, 1000); err != nil {
		return n, err
	}
	if n.VCPUs, err = r.number(what+" vcpus", raw.VCPUs, 4, 1, 256); err != nil {
		return n, err
	}
	if n.MemoryMB, err = r.number(what+" memory_mb", raw.Memory, 16384, 256, 1<<25); err != nil {
		return n, err
	}
	n.Entitled = 2
	if raw.Entitled.given() {
		n.Entitled, err = strconv.ParseFloat(raw.Entitled.s, 64)
		if err != nil || !(n.Entitled > 0 && n.Entitled <= 256) {
			return n, r.errorf(raw.Entitled.line, "%s: entitled %q, expected cores, e.g. 2.5", what, raw.Entitled.s)
		}
	}
	if err := r.adapters(system, index, &n, raw); err != nil {
		return n, err
	}
	if err := r.interfaces(&n, raw); err != nil {
		return n, err
	}
	for name, value := range raw.Tunables {
		n.Tunables[name.s] = value.s
	}
	for _, device := range inOrder(raw.Set) {
		if !n.hasDevice(device.s) {
			return n, r.errorf(device.line, "%s: set %s: no such device, expected one of %s", what, device.s, strings.Join(n.devices(), ", "))
		}
		n.Set[device.s] = map[string]string{}
		for name, value := range raw.Set[device] {
			n.Set[device.s][name.s] = value
		}
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
