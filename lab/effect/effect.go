package effect

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Lookup is the input of Desired: databases, faults, and which SEAs were primary.
type Lookup struct {
	Stores
	Faults Faults
	// MTU is that of a device that is a Linux node's own. Nil: not known, and taken as Ethernet's.
	MTU     func(node, device string) int
	Primary map[[2]string]bool // node, SEA: primary until now; one with noauto_failback does not take back from it
}

// withoutLargesend is how many segments TCP hands down at once if nothing below
// cuts them. Linux would make 64 KB and cut that itself, which saves a sender
// most of what largesend saves; AIX takes every segment through TCP and IP. Two
// leave together, since a receiver acknowledges every second one.
const withoutLargesend = 2

// Desired is the state in which the kernel does what the running values say.
// It names every device of the layout.
func Desired(t *topology.Topology, look Lookup) (wire.State, error) {
	l, err := wire.BuildLayout(t)
	if err != nil {
		return wire.State{}, err
	}
	v := newView(t, look)
	devices, unaffected := deviceSettings{v}, deviceSettings{v.withoutMismatch()}
	st := wire.State{
		Ends:    make(map[wire.End]wire.Settings, len(l.Devices)),
		Routes:  map[string][]wire.Route{},
		Sysctls: map[string]map[string]string{},
		LAGs:    v.lags(l),
	}
	for _, d := range l.Devices {
		w := devices.settings(d)
		w.Line = d.Line
		if len(w.Addresses) > 0 && !unaffected.settings(d).TSO {
			w.Segments = withoutLargesend
		}
		st.Ends[d.End] = w
	}
	st.Sysctls[wire.SwitchNS(t.Switch.Name)] = wire.GatewaySysctls()
	for _, n := range t.Hosts() {
		if n.OS == topology.Linux && len(n.Sysctls) > 0 {
			st.Sysctls[n.Name] = n.Sysctls
		}
	}
	for _, n := range t.Nodes() {
		st.Routes[n.Name] = nil
		for _, r := range v.of(n.Name).Routes() {
			if r.Active {
				st.Routes[n.Name] = append(st.Routes[n.Name], wire.Route{To: r.To, Via: r.Via})
			}
		}
		st.Sysctls[n.Name] = tcpSettings{v}.sysctls(n)
	}
	return st, nil
}

// Failovers decides for every SEA which of its trunks bridge. The warnings say
// where two SEAs would bridge one VLAN, which is a loop: then the guard leaves
// the trunk of the highest priority open and shuts the others.
func Failovers(t *topology.Topology, look Lookup) (map[[2]string]*Failover, []string) {
	return newView(t, look).failovers()
}

// Live is the state of an EtherChannel, for those who print it.
func Live(t *topology.Topology, look Lookup, node, channel string) (ports []string, backup bool) {
	return newView(t, look).live(node, channel)
}

// MTUMismatch says whether Desired makes senders segment, since some element passes
// less than an interface sends. Then TSO is off at ends that have largesend working.
func MTUMismatch(t *topology.Topology, look Lookup) bool { return newView(t, look).mtuMismatch }

// Withheld says whether it is the lab, and no setting, that keeps large frames
// from an end.
func Withheld(t *topology.Topology, look Lookup, at wire.End) (bool, error) {
	l, err := wire.BuildLayout(t)
	if err != nil {
		return false, err
	}
	v := newView(t, look)
	for _, d := range l.Devices {
		if d.End == at {
			return deviceSettings{v.withoutMismatch()}.settings(d).TSO && !deviceSettings{v}.settings(d).TSO, nil
		}
	}
	return false, nil
}

// RFC1323 says whether a node's sockets have window scaling and timestamps.
func RFC1323(n *topology.Node, look Lookup) bool {
	_, _, on := tcpSettings{newView(&topology.Topology{}, look)}.tcp(n)
	return on
}

// ISNO returns the network options that ifconfig prints for an interface.
func ISNO(node string, a *topology.Adapter, look Lookup) (send, recv int, scale bool) {
	return tcpSettings{newView(&topology.Topology{}, look)}.isno(node, iface(a.Name), a)
}
