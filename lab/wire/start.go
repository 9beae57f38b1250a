package wire

import (
	"net/netip"

	"seaworthy/lab/topology"
)

// Largest frames: an Ethernet switch or hypervisor switch passes what its
// ports pass, so bridges take more than any port.
const (
	mtuStandard   = 1500
	mtuHypervisor = 65390 // what a virtual Ethernet adapter can be given at most
	mtuLoopback   = 16896 // of AIX's lo0
)

// Start is the state a lab has before any attribute is applied: every cable
// plugged, every interface configured with the topology's addresses, all
// offloads of the nodes on. Attributes change the ends at the nodes; the ends
// in the hypervisor switch and the Ethernet switch stay as they are here:
//
//   - the hypervisor switch passes whole largesend frames of any size up to
//     64 KB between partitions, as the real one does;
//   - the Ethernet switch's ports carry the line rate and the port's MTU, and
//     have no segmentation offload: what leaves towards a partition are frames
//     as they are on a wire. So the cost of cutting a largesend frame falls on
//     the switch, as on the sending adapter's hardware, not on a partition.
func Start(t *topology.Topology) (State, error) {
	l, err := BuildLayout(t)
	if err != nil {
		return State{}, err
	}
	st := State{
		Ends:    map[End]Settings{},
		Routes:  map[string][]Route{},
		Sysctls: map[string]map[string]string{},
	}
	ports := map[string]topology.Port{}
	for _, p := range t.Switch.Ports {
		ports[p.Name] = p
	}
	widest := mtuStandard
	for _, d := range l.Devices {
		s := Settings{Up: true, MTU: mtuStandard, TSO: true, TxChecksum: true, RxChecksum: true}
		switch d.Place {
		case Hypervisor, VLANBridge, Distributor, SwitchLAG, Line:
			s.MTU = mtuHypervisor
		case Physical:
			s.GRO = true
		case Gateway, GatewayPort:
			s = GatewayEnd(t.Switch, d)
		case SwitchPort:
			p := ports[d.Port]
			s.MTU, s.RateBits, s.TSO = p.MTU, p.LineRate, false
			widest = max(widest, p.MTU)
		}
		if p, ok := ports[d.Port]; ok && d.Place == Line {
			s.RateBits = p.LineRate
		}
		s.Line = d.Line
		st.Ends[d.End] = s
	}
	for _, d := range l.Devices {
		if d.Place == Switch {
			s := st.Ends[d.End]
			s.MTU = widest
			st.Ends[d.End] = s
		}
	}
	st.Sysctls[SwitchNS(t.Switch.Name)] = GatewaySysctls()
	for _, sys := range t.Systems {
		for _, n := range sys.Nodes {
			startNode(&st, n)
		}
	}
	return st, nil
}

// GatewayEnd are the settings of an end of the switch's own interface.
func GatewayEnd(sw topology.Switch, d Device) Settings {
	s := Settings{Up: true, MTU: sw.GatewayMTU, TxChecksum: true, RxChecksum: true}
	for _, g := range sw.Gateways {
		if g.VLAN == d.VLAN && d.Place == Gateway {
			s.Addresses = g.Addresses
		}
	}
	return s
}

// GatewaySysctls are those of the switch: each of its interfaces answers for
// its own addresses only, and it does not route between VLANs, which no lab's
// path needs.
func GatewaySysctls() map[string]string {
	return map[string]string{"net.ipv4.conf.all.arp_ignore": "1", "net.ipv4.ip_forward": "0"}
}

func startNode(st *State, n topology.Node) {
	for _, a := range n.Adapters {
		if a.Kind == topology.Physical {
			e := End{n.Name, DeviceName(a.Name)}
			s := st.Ends[e]
			s.RateBits = a.LineRate
			st.Ends[e] = s
			e.Device = lineOf(e.Device)
			if s, ok := st.Ends[e]; ok {
				s.RateBits = a.LineRate
				st.Ends[e] = s
			}
		}
	}
	st.Routes[n.Name] = []Route{}
	for _, i := range n.Interfaces {
		e := End{n.Name, DeviceName(i.Name)}
		s := st.Ends[e]
		s.Addresses = append(s.Addresses, i.Address)
		st.Ends[e] = s
		if i.Gateway.IsValid() {
			st.Routes[n.Name] = append(st.Routes[n.Name], Route{To: netip.PrefixFrom(netip.IPv4Unspecified(), 0), Via: i.Gateway})
		}
	}
}
