package effect

import (
	"strconv"
	"strings"

	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

const (
	hypervisorMTU = 65394 // a frame of 65408 bytes without its Ethernet header
	ethernetMTU   = 1500
)

// view is the topology with the running values, asked by node and adapter.
type view struct {
	Lookup
	t           *topology.Topology
	pairs       map[[2]string]*Failover // node, SEA
	adapters    map[[2]string]*adapter
	ports       map[string]topology.Port
	linux       map[string]*topology.Node // nodes whose settings are their own
	largest     int                       // MTU of the interfaces whose packets reach the external network
	mtuMismatch bool                      // some interface sends more than an element of its network passes
}

// adapter is one of a node, with the SEA and the EtherChannel that hold it.
type adapter struct {
	*topology.Adapter
	sea, channel string
}

// at is an adapter of a node; one without properties if there is none of that name.
func (v *view) at(node, name string) *adapter {
	if a := v.adapters[[2]string{node, name}]; a != nil {
		return a
	}
	return &adapter{Adapter: &topology.Adapter{}}
}

func newView(t *topology.Topology, look Lookup) *view {
	v := &view{Lookup: look, t: t, adapters: map[[2]string]*adapter{}, ports: map[string]topology.Port{}, linux: map[string]*topology.Node{}}
	for _, p := range t.Switch.Ports {
		v.ports[p.Name] = p
	}
	for _, n := range t.Hosts() {
		if n.OS == topology.Linux {
			v.linux[n.Name] = n
		}
		for k := range n.Adapters {
			v.adapters[[2]string{n.Name, n.Adapters[k].Name}] = &adapter{Adapter: &n.Adapters[k]}
		}
		for _, a := range n.Adapters {
			switch a.Kind {
			case topology.SEA:
				for _, m := range append([]string{a.Real}, a.Trunks...) {
					v.at(n.Name, m).sea = a.Name
				}
			case topology.Channel:
				for _, m := range a.Holds() {
					v.at(n.Name, m).channel = a.Name
				}
			}
		}
	}
	v.largest, v.mtuMismatch = v.externalMTUs()
	v.pairs, _ = v.failovers()
	return v
}

// value is that of an attribute now; empty if the device has none of that name.
func (v *view) value(node, device, attr string) string {
	x, _ := v.of(node).Running(device, attr)
	return x
}

func (v *view) is(node, device, attr, want string) bool { return v.value(node, device, attr) == want }

func (v *view) number(node, device, attr string, def int) int {
	return numberOr(v.value(node, device, attr), def)
}

// no is an option of no(1).
func (v *view) no(node, option string, def int) int {
	t, _ := v.of(node).Tunable(option)
	return numberOr(t.Running, def)
}

func numberOr(text string, def int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return def
}

// iface is the interface enN of adapter entN.
func iface(adapter string) string { return "en" + strings.TrimPrefix(adapter, "ent") }

// configured says whether an interface and what is below it are there.
func (v *view) configured(node, adapter string) bool {
	return v.Available(node, v.base(node, adapter)) && v.Available(node, adapter) && v.Available(node, iface(adapter))
}

// up says whether an interface carries IP traffic now.
func (v *view) up(node, adapter string) bool {
	return v.configured(node, adapter) && v.is(node, iface(adapter), "state", "up")
}

// portMTU is the largest IP packet a physical port passes.
func (v *view) portMTU(node, adapter string) int {
	if !v.is(node, adapter, "jumbo_frames", "yes") {
		return ethernetMTU
	}
	return v.number(node, adapter, "jumbo_size", 9014) - 14
}

// lineRate is the rate that the token bucket of a line lets through, in bit/s: it counts the
// headers of a frame, but not the preamble, checksum and gap that Ethernet adds. The
// frames are taken to be as large as the network has them: those inside a large
// segment cannot be counted one by one.
func (v *view) lineRate(rate uint64, mtu int) uint64 {
	const header, onWire = 14, 38 // bytes
	frame := uint64(min(mtu, max(v.largest, ethernetMTU)))
	return rate * (frame + header) / (frame + onWire)
}

// trunkMTU is the largest IP packet an SEA passes between its two sides.
func (v *view) trunkMTU(node, sea string) int {
	if v.is(node, sea, "jumbo_frames", "yes") {
		return hypervisorMTU
	}
	return ethernetMTU
}

// base is the adapter whose attributes hold for another one: that below a VLAN
// pseudo device, or itself.
func (v *view) base(node, adapter string) string {
	if a := v.at(node, adapter); a.Kind == topology.VLAN {
		return a.Base
	}
	return adapter
}

// Available says whether a device is configured, on a node that is up.
func (v *view) Available(node, device string) bool {
	d, ok := v.of(node).Device(device)
	return ok && d.Status == odm.Available && !v.Faults.crashed(node)
}

// bridging says whether an SEA or EtherChannel passes frames by one of its adapters.
func (v *view) bridging(node, sea, adapter string) bool {
	return v.Available(node, sea) && v.Available(node, adapter)
}

// Stores are the databases of all nodes, by node name.
type Stores map[string]*odm.Store

// of is a node's database; an empty one of a node that has none.
func (s Stores) of(node string) *odm.Store {
	if o := s[node]; o != nil {
		return o
	}
	return &odm.Store{}
}
