package wire

import "seaworthy/lab/topology"

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
