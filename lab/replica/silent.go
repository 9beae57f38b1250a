package replica

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

// maxSilent is how many hosts that were not read a copy has at most.
const maxSilent = 100

// silence adds hosts that were not read but are known from an HMC's lists, an SEA's clients or ARP tables: nodes that
// answer for their addresses, and have nothing else of the host.
type silence struct {
	*builder
	all       bool                    // nothing was asked for, so that every host is in the copy
	read      map[string]bool         // MACs of hosts that were read
	addresses map[string]netip.Prefix // MAC -> address, of ARP tables and SEAs
	gateways  map[netip.Addr]bool
	added     int
	more      []string // above maxSilent
}

func newSilence(b *builder, all bool) *silence {
	s := &silence{builder: b, all: all, read: map[string]bool{}, addresses: map[string]netip.Prefix{}, gateways: map[netip.Addr]bool{}}
	for _, h := range b.fleet.Hosts {
		for _, e := range h.Elements {
			s.read[strings.ToLower(e.MAC)] = true
		}
		for _, r := range h.Routes {
			s.gateways[r.Gateway] = true
		}
		for _, n := range h.Learnt {
			if p, on := onLink(h, n.Address); on {
				s.addresses[strings.ToLower(n.MAC)] = netip.PrefixFrom(n.Address, p.Bits())
			}
		}
	}
	return s
}

// onLink is the network of a host that an address is in.
func onLink(h *model.Host, address netip.Addr) (netip.Prefix, bool) {
	for _, e := range h.Elements {
		for _, p := range e.Addrs {
			if p.Contains(address) && p.Addr() != address {
				return p, true
			}
		}
	}
	return netip.Prefix{}, false
}

// felt says whether the copy has what happens on a host.
func (s *silence) felt(host string) bool {
	return s.nodes[host] != "" && (s.all || slices.Contains(s.options.Touched, host))
}

// add adds the hosts; HMCs know most of one, ARP tables least.
func (s *silence) add() {
	for _, u := range s.fleet.Unread() {
		if !s.known(cmp.Or(u.Host.Name, u.Host.Partition.Name)) {
			s.listed(u)
		}
	}
	for _, m := range s.fleet.HMCs {
		for _, a := range m.Adapters {
			if s.all && a.Kind != model.Virtual && !s.known(a.LPAR) && !s.taken[a.LPAR] {
				s.builder.add(LeftOut, a.LPAR, "HMC %s lists it with a %s; it was not read", m.Name, a.Kind)
			}
		}
	}
	for _, h := range s.fleet.Hosts {
		for _, name := range h.Names(model.SEA) {
			for _, c := range h.Elements[name].Clients {
				if s.felt(h.Name) {
					s.client(h, h.Elements[name], c)
				}
			}
		}
	}
	for _, h := range s.fleet.Hosts {
		for _, n := range h.Learnt {
			if s.felt(h.Name) {
				s.neighbour(h, n)
			}
		}
	}
	if len(s.more) > 0 {
		s.builder.add(LeftOut, "hosts that were not read", "more than %d of them: %s", maxSilent, someOf(s.more))
	}
}

// known says whether a partition is a host that was read, or has no name.
func (s *silence) known(name string) bool {
	is := func(h *model.Host) bool { return h.Name == name || h.Partition.Name == name }
	return name == "" || slices.ContainsFunc(s.fleet.Hosts, is)
}

// listed adds a partition that an HMC lists.
func (s *silence) listed(u model.Unread) {
	name := cmp.Or(u.Host.Name, u.Host.Partition.Name)
	at := s.file.system(u.Host.MachineID, u.Adapter.VSwitch)
	switch {
	case s.taken[name]: // by another adapter
		return
	case at < 0:
		s.builder.add(LeftOut, name, "HMC %s lists it; nothing of its managed system and hypervisor switch was read", u.HMC)
		return
	case !s.all && !s.sharesTouched(u):
		return
	case u.Adapter.PVID == nil:
		s.builder.add(LeftOut, name, "HMC %s lists it, without the port VLAN of its adapter", u.HMC)
		return
	}
	s.partition(at, name, u.Adapter.MAC, *u.Adapter.PVID, fmt.Sprintf("HMC %s lists it; it was not read", u.HMC))
}

// sharesTouched says whether a VIOS that a plan changes carries a partition.
func (s *silence) sharesTouched(u model.Unread) bool {
	client := &model.Host{Name: u.Host.Name, MachineID: u.Host.MachineID, Elements: map[string]*model.Element{"": u.Adapter}}
	for _, name := range s.options.Touched {
		h := s.fleet.Host(name)
		if h != nil && shareVLAN(h, client) {
			return true
		}
	}
	return false
}

// client adds a client whose frames an SEA counted.
func (s *silence) client(h *model.Host, sea *model.Element, c model.SEAClient) {
	mac := strings.ToLower(c.MAC)
	if s.read[mac] || s.macs[mac] != "" || !strings.Contains(mac, ":") {
		return
	}
	name := "client-" + strings.ReplaceAll(mac, ":", "")
	vlan := 0
	if c.VLAN != nil {
		vlan = *c.VLAN
	}
	for _, t := range sea.Trunks {
		e := h.Elements[t]
		if vlan == 0 && e != nil && e.PVID != nil {
			vlan = *e.PVID
		}
	}
	if vlan < 1 || vlan > 4094 {
		s.builder.add(LeftOut, name, "%s:%s counts its frames; its VLAN was not read", h.Name, sea.Name)
		return
	}
	address, err := netip.ParseAddr(c.IP)
	network, on := onLink(h, address)
	if err == nil && on {
		s.addresses[mac] = netip.PrefixFrom(address, network.Bits())
	}
	s.partition(s.file.system(h.MachineID, vswitch(h)), name, mac, vlan, fmt.Sprintf("%s:%s counts its frames; it was not read", h.Name, sea.Name))
}

// partition adds a silent partition.
func (s *silence) partition(system int, name, mac string, pvid int, why string) {
	if s.added == maxSilent {
		s.more = append(s.more, name)
		return
	}
	s.added++
	mac = strings.ToLower(mac)
	n := nodeFile{Role: string(topology.LPAR), OS: topology.Linux, Adapters: map[string]adapterFile{}, Interfaces: map[string]interfaceFile{}}
	n.Name = s.name(name)
	n.Adapters["eth0"] = adapterFile{Kind: string(topology.Virtual), PVID: pvid, MAC: s.mac(name, mac)}
	s.address(&n, name, mac)
	s.builder.add(StandsIn, name, "%s: a silent node with its adapter alone", why)
	f := &s.file.Systems[system]
	f.Nodes = append(f.Nodes, n)
}

// address gives a silent node the address that its MAC was seen with.
func (s *silence) address(n *nodeFile, name, mac string) {
	p, known := s.addresses[mac]
	if !known || s.builder.addresses[p.Addr().String()] != "" || s.gateways[p.Addr()] {
		s.builder.add(Assumed, name, "it has no address: none was seen with its MAC")
		return
	}
	s.builder.addresses[p.Addr().String()] = name
	n.Interfaces["eth0"] = interfaceFile{Address: p.String()}
}

// neighbour adds a host of an ARP table that is nothing else: on the Ethernet network, as far as is known.
func (s *silence) neighbour(h *model.Host, n model.Neighbour) {
	mac := strings.ToLower(n.MAC)
	p, known := s.addresses[mac]
	if s.read[mac] || s.macs[mac] != "" || s.gateways[n.Address] || s.builder.addresses[n.Address.String()] != "" || !known {
		return
	}
	name := "host-" + strings.ReplaceAll(n.Address.String(), ".", "-")
	if !n.Address.Is4() || mac == "" || s.taken[name] {
		return
	}
	if !s.untagged(h, n.Address) {
		s.builder.add(LeftOut, name, "%s has it in its ARP table, in a VLAN that is tagged on the Ethernet network", h.Name)
		return
	}
	if s.added == maxSilent {
		s.more = append(s.more, name)
		return
	}
	s.added++
	node := nodeFile{Name: s.name(name), OS: topology.Linux, Adapters: map[string]adapterFile{}, Interfaces: map[string]interfaceFile{}}
	port := fmt.Sprintf("sw1/%d", len(s.file.Switch.Ports)+1)
	s.file.Switch.Ports[port] = portFile{MTU: jumboMTU, Rate: usualRate}
	node.Adapters["eth0"] = adapterFile{Kind: string(topology.Physical), Port: port, MAC: s.mac(name, mac)}
	s.address(&node, name, mac)
	s.builder.add(StandsIn, name, "%s has %s in its ARP table; it was not read: a silent node with that address alone", h.Name, p.Addr())
	s.file.Servers = append(s.file.Servers, node)
}

// untagged says whether frames of the network that an address is in have no tag on the Ethernet network.
func (s *silence) untagged(h *model.Host, address netip.Addr) bool {
	for _, name := range slices.Sorted(maps.Keys(h.Elements)) {
		e := h.Elements[name]
		in := func(p netip.Prefix) bool { return p.Contains(address) }
		if !slices.ContainsFunc(e.Addrs, in) {
			continue
		}
		below := h.Elements[e.On]
		if below == nil {
			below = e
		}
		switch below.Kind {
		case model.Virtual:
			return below.PVID != nil && s.native(h.MachineID, *below.PVID)
		case model.VLANDevice:
			return false
		}
		return true
	}
	return false
}

// native says whether a VIOS of a managed system bridges a VLAN without a tag.
func (s *silence) native(machine string, vlan int) bool {
	for _, h := range s.fleet.Hosts {
		for _, name := range h.Names(model.Virtual) {
			e := h.Elements[name]
			if h.MachineID == machine && e.Trunk != nil && *e.Trunk && e.PVID != nil && *e.PVID == vlan {
				return true
			}
		}
	}
	return false
}
