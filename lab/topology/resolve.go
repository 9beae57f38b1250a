package topology

import (
	"fmt"
	"strings"
)

func (r *resolver) topology(raw *rawTopology) *Topology {
	t := &Topology{Name: raw.Name.s, Switch: Switch{Name: raw.Switch.Name.s}}
	r.name("topology", raw.Name)
	r.name("switch", raw.Switch.Name)
	for _, name := range inOrder(raw.Switch.Ports) {
		p, what := raw.Switch.Ports[name], "switch port "+name.s
		port := Port{Name: name.s, LAG: p.LAG.s, MTU: r.number(what+" mtu", p.MTU, 1500, 576, 9216),
			LineRate: r.rate(what+" rate", p.Rate, 10e9)}
		if p.LAG.given() {
			r.name(what+" lag", p.LAG)
		}
		port.Delay = r.delay(t, port, p, name.line)
		t.Switch.Ports = append(t.Switch.Ports, port)
	}
	for i := range t.Switch.Ports {
		r.ports[t.Switch.Ports[i].Name] = &t.Switch.Ports[i]
	}
	if len(raw.Systems) == 0 {
		r.fail(raw.Name.line, "systems: expected at least one system")
	}
	for i, rs := range raw.Systems {
		t.Systems = append(t.Systems, r.system(i, rs))
	}
	for i, rs := range raw.Servers {
		t.Servers = append(t.Servers, r.server(len(raw.Systems), i, rs))
	}
	if t.HMC = raw.HMC.s; raw.HMC.given() {
		r.unique("HMC", raw.HMC, r.nodes)
	}
	r.lags(t)
	r.gateways(t, raw.Switch)
	return t
}

func (r *resolver) system(i int, raw rawSystem) System {
	s := System{Name: raw.Name.s, Model: raw.Model.or("9119-MHE"), Serial: raw.Serial.or(fmt.Sprintf("21SEA%02d", i+1)),
		VSwitch: raw.VSwitch.or("ETHERNET0")}
	r.unique("system", raw.Name, r.names)
	if len(raw.Nodes) == 0 {
		r.fail(raw.Name.line, "system %s: expected at least one node", s.Name)
	}
	numbers := map[int]string{}
	for j, rn := range raw.Nodes {
		n, list := Node{}, &s.Nodes
		if rn.OS.given() {
			n, list = r.linux(i, j, rn), &s.Linux
		} else {
			n = r.node(i, j, rn)
		}
		if other, taken := numbers[n.Number]; taken {
			r.fail(rn.Name.line, "node %s: partition number %d belongs to %s", n.Name, n.Number, other)
		}
		numbers[n.Number] = n.Name
		*list = append(*list, n)
	}
	return s
}

func (r *resolver) node(system, index int, raw rawNode) Node {
	what := "node " + raw.Name.s
	n := r.partition(index, raw)
	n.Tunables, n.Set, n.Level = map[string]string{}, map[string]map[string]string{}, raw.Level.or("7200-05-03-2148")
	if n.Role != LPAR && n.Role != VIOS {
		r.fail(raw.Role.line, "%s: role %q, expected lpar or vios", what, raw.Role.s)
	}
	if raw.IOSLevel.given() && n.Role != VIOS {
		r.fail(raw.IOSLevel.line, "%s: ioslevel belongs to a vios", what)
	}
	if n.Role == VIOS {
		n.IOSLevel = raw.IOSLevel.or("3.1.2.21")
	}
	r.adapters(system, index, &n, raw)
	r.interfaces(&n, raw.Interfaces)
	for name, value := range raw.Tunables {
		n.Tunables[name.s] = value.s
	}
	for _, device := range inOrder(raw.Set) {
		if !n.hasDevice(device.s) {
			r.fail(device.line, "%s: set %s: no such device, expected one of %s", what, device.s, strings.Join(n.devices(), ", "))
		}
		n.Set[device.s] = map[string]string{}
		for name, value := range raw.Set[device] {
			n.Set[device.s][name.s] = value
		}
	}
	return n
}
