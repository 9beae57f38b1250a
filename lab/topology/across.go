package topology

import "slices"

// lags checks that what the switch aggregates leads to one place, and that
// trunks of one VLAN agree on who is first.
func (r *resolver) lags(t *Topology) {
	owner := map[string]string{}  // aggregate -> EtherChannel or bond at the far end
	first := map[trunked]string{} // -> trunk
	for s, n := range t.Hosts() {
		if n.OS == Linux {
			r.bonds(n, owner)
			continue
		}
		for k := range n.Adapters {
			switch a := &n.Adapters[k]; {
			case a.Trunk:
				r.precedence(s, n, a, first)
			case a.Kind == Physical && r.ports[a.Port].LAG != "":
				r.oneEnd(n, a, r.ports[a.Port].LAG, owner)
			}
		}
	}
}

// trunked identifies what only one trunk can have: a priority on a VLAN of a system.
type trunked struct {
	*System
	vlan, priority int
}

// bonds checks that the bonds of a node agree with the switch: Linux spreads frames over
// several ports only where the other end answers LACP, and with LACP only over the ports
// of one aggregate.
func (r *resolver) bonds(n *Node, owner map[string]string) {
	above := map[string]*Adapter{}
	for i := range n.Adapters {
		for _, m := range n.Adapters[i].Members {
			above[m] = &n.Adapters[i]
		}
	}
	for i := range n.Adapters {
		a := &n.Adapters[i]
		if a.Kind != Physical {
			continue
		}
		bond, of := above[a.Name], r.ports[a.Port].LAG
		lacp := bond != nil && bond.Mode == LACP
		switch {
		case of != "" && !lacp:
			r.fail(pathOf(n, a), "port", "port %s is in the switch's aggregate %s: expected a bond with mode %s on it", a.Port, of, LACP)
		case lacp && (of == "" || of != r.ports[n.Adapter(bond.Members[0]).Port].LAG):
			r.fail(pathOf(n, bond), "mode", "mode %s, expected ports of one aggregate (lag) of the switch", LACP)
		case lacp:
			r.oneEnd(n, a, of, owner)
		}
	}
}

// precedence checks that no other trunk of a VLAN has the same priority.
func (r *resolver) precedence(s *System, n *Node, a *Adapter, first map[trunked]string) {
	for _, vlan := range a.Carries() {
		key := trunked{s, vlan, a.Priority}
		if other := first[key]; other != "" {
			r.fail(pathOf(n, a), "priority", "trunk priority %d on VLAN %d belongs to %s: the trunks of a VLAN need different priorities",
				a.Priority, vlan, other)
		}
		first[key] = n.Name + " " + a.Name
	}
}

// oneEnd checks that a port leads to where the other ports of its aggregate do.
func (r *resolver) oneEnd(n *Node, a *Adapter, aggregate string, owner map[string]string) {
	end := a
	for x := range n.Adapters {
		if c := &n.Adapters[x]; slices.Contains(c.Members, a.Name) {
			end = c
		}
	}
	to := n.Name + " " + end.Name
	if other := owner[aggregate]; other != "" && other != to {
		r.fail(pathOf(n, end), "", "its port %s is in the switch's aggregate %s, which leads to %s", a.Port, aggregate, other)
	}
	owner[aggregate] = to
}
