package topology

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// resolver checks what was read against itself, and fills in what follows from it.
type resolver struct {
	reader
	ports map[string]*Port      // by name
	cable map[string]string     // port -> path of the adapter that uses it
	macs  map[string]string     // address -> path of the adapter
	addrs map[netip.Addr]string // -> path of the interface
}

func pathOf(n *Node, a *Adapter) string { return "node " + n.Name + " adapters " + a.Name }

// owner returns the name that messages use for the object at a path.
func owner(path string) string { return strings.TrimPrefix(words.Replace(path), "node ") }

func (r *resolver) topology(t *Topology) *Topology {
	first := map[string]*Port{} // of an aggregate
	for i := range t.Switch.Ports {
		p := &t.Switch.Ports[i]
		r.ports[p.Name] = p
		// Its ports lead to the same place: the switch knows the delay of them together only.
		if o := first[p.LAG]; o != nil && o.Delay != p.Delay {
			r.fail("switch ports "+p.Name, "delay", "delay %s: port %s of the same lag %s has %s", p.Delay, o.Name, p.LAG, o.Delay)
		}
		if p.LAG != "" {
			first[p.LAG] = p
		}
		if p.LAG != "" && p.VLAN != 0 {
			r.fail("switch ports "+p.Name, "vlan", "vlan %d belongs to a port of its own, not to one of lag %s", p.VLAN, p.LAG)
		}
	}
	if len(t.Systems) == 0 && len(t.Servers) == 0 {
		r.fail("", "systems", "systems: expected at least one system, or one of servers")
	}
	for i := range t.Systems {
		r.system(i, &t.Systems[i])
	}
	for i := range t.Servers {
		n := &t.Servers[i]
		n.Role, n.OS = LPAR, Linux
		r.node(len(t.Systems), i, n)
		n.Role = Server
		for j := range n.Adapters {
			if a := &n.Adapters[j]; a.Kind == Virtual {
				r.failAt(r.line(pathOf(n, a)+" kind"), "server %s: a virtual adapter belongs to a partition of a managed system", n.Name)
			}
		}
	}
	if first := r.lines["node "+t.HMC]; first > 0 {
		r.fail("", "hmc", "HMC %s is there twice (first on line %d)", t.HMC, first)
	}
	r.lags(t)
	r.gateways(t)
	return t
}

func (r *resolver) system(i int, s *System) {
	s.Serial = cmp.Or(s.Serial, fmt.Sprintf("21SEA%02d", i+1))
	if len(s.Nodes) == 0 {
		r.fail("system "+s.Name, "nodes", "expected at least one node")
	}
	numbers := map[int]string{}
	var aix []Node
	for j := range s.Nodes {
		n := &s.Nodes[j]
		r.node(i, j, n)
		if other, taken := numbers[n.Number]; taken {
			r.fail("node "+n.Name, "number", "partition number %d belongs to %s", n.Number, other)
		}
		numbers[n.Number] = n.Name
		if n.OS == Linux {
			s.Linux = append(s.Linux, *n)
		} else {
			aix = append(aix, *n)
		}
	}
	s.Nodes = aix
}

func (r *resolver) node(system, index int, n *Node) {
	path := "node " + n.Name
	n.Number = cmp.Or(n.Number, index+1)
	if r.given(path, "weight") && n.Mode != "Uncapped" {
		r.fail(path, "weight", "weight belongs to an uncapped node")
	}
	if n.Type != "" && !TakesType(n.Type, n.Mode) {
		r.fail(path, "type", "type %q, expected Shared or Dedicated with the threads of a core, e.g. Shared-SMT-8; donating is Dedicated", n.Type)
	}
	switch {
	case n.OS != Linux:
		n.Level = cmp.Or(n.Level, "7200-05-03-2148")
	case n.Role != LPAR:
		r.fail(path, "role", "role %q, expected lpar: os: linux is not for a vios", n.Role)
	default:
		for _, key := range []string{"level", "ioslevel", "type", "tunables", "next_boot"} {
			if r.given(path, key) {
				r.fail(path, key, "%s belongs to AIX and VIOS: a node with os: linux is set up by its own commands", key)
			}
		}
	}
	if n.Role == VIOS {
		n.IOSLevel = cmp.Or(n.IOSLevel, "3.1.2.21")
	} else if n.IOSLevel != "" {
		r.fail(path, "ioslevel", "ioslevel belongs to a vios")
	}
	r.adapters(system, index, n)
	all := r.interfaces(n)
	r.routes(n, path)
	r.linux(n, path)
	for _, device := range slices.Sorted(maps.Keys(n.Set)) {
		if !slices.Contains(all, device) {
			r.fail(path, "set "+device, "set %s: no such device, expected one of %s", device, strings.Join(all, ", "))
		}
	}
	for _, device := range slices.Sorted(maps.Keys(n.NextBoot)) {
		if device != Options && !slices.Contains(all, device) {
			r.fail(path, "next_boot "+device, "next_boot %s: no such device, expected %s or one of %s", device, Options, strings.Join(all, ", "))
		}
	}
}

var typeForm = regexp.MustCompile(`^(Shared|Dedicated)(-SMT(-[248])?)?$`)

// TakesType says whether a partition of that mode can have a type as lparstat -i prints it.
func TakesType(kind, mode string) bool {
	return typeForm.MatchString(kind) && (mode != "Donating" || strings.HasPrefix(kind, "Dedicated"))
}

var interfaceForm = regexp.MustCompile(`^en(0|[1-9][0-9]{0,2})$`)

// interfaces gives the names of all devices of the node.
func (r *resolver) interfaces(n *Node) (all []string) {
	taken := map[string]string{}
	for _, a := range n.Adapters {
		all = append(all, a.Name)
		for _, m := range a.Holds() {
			taken[m] = a.Name
		}
	}
	for _, en := range n.Interfaces {
		path := "node " + n.Name + " interfaces " + en.Name
		adapter := n.AdapterOf(en.Name)
		if n.OS != Linux && !interfaceForm.MatchString(en.Name) || n.Adapter(adapter) == nil {
			r.failAt(r.line(path), "node %s: interface %q, expected %s on one of %s", n.Name, en.Name, n.AdapterOf("enN"), strings.Join(all, ", "))
		}
		if by := taken[adapter]; by != "" {
			r.fail(path, "", "its adapter %s belongs to %s: put the address there", adapter, by)
		}
		if why := unusable(en.Address); why != "" {
			r.fail(path, "address", "address %s %s", en.Address, why)
		}
		addr := en.Address.Addr()
		if by := r.addrs[addr]; by != "" {
			r.fail(path, "address", "address %s belongs to %s (line %d)", addr, owner(by), r.line(by+" address"))
		}
		r.addrs[addr] = path
		r.aliases(n, &en, path)
		if en.Gateway.IsValid() && !en.Address.Contains(en.Gateway) {
			r.fail(path, "gateway", "gateway %q, expected an address within %s", en.Gateway, en.Address.Masked())
		}
	}
	slices.SortStableFunc(n.Interfaces, func(a, b Interface) int { return byNumber(a.Name, b.Name) })
	for _, en := range n.Interfaces {
		all = append(all, en.Name)
	}
	return all
}

// aliases checks the further addresses of an interface.
func (r *resolver) aliases(n *Node, en *Interface, path string) {
	if len(en.Aliases) > 0 && n.OS != Linux {
		r.fail(path, "aliases", "aliases belong to a node with os: linux: AIX has the attribute alias4")
	}
	for _, text := range en.Aliases {
		p, err := netip.ParsePrefix(text)
		if err != nil || !p.Addr().Is4() {
			r.fail(path, "aliases", "alias %q, expected IPv4 with prefix length, e.g. 10.10.10.12/24", text)
		}
		if why := unusable(p); why != "" {
			r.fail(path, "aliases", "alias %s %s", p, why)
		}
		if by := r.addrs[p.Addr()]; by != "" {
			r.fail(path, "aliases", "address %s belongs to %s", p.Addr(), owner(by))
		}
		r.addrs[p.Addr()] = path
	}
}

// unusable says why no host can have an address; empty: one can.
func unusable(p netip.Prefix) string {
	a := p.Addr()
	switch {
	case p.Bits() < 8 || p.Bits() == 31:
		return "has no prefix length that a subnet of hosts has: expected /8 to /30, or /32"
	case !a.IsGlobalUnicast() && !a.IsLinkLocalUnicast():
		return "is not one that an interface can have: expected one like 10.10.10.11/24"
	case p.Bits() == 32:
		return ""
	case a == p.Masked().Addr():
		return "is that of the subnet itself: expected one of its hosts'"
	case !p.Contains(a.Next()):
		return "is the broadcast address of its subnet: expected one of its hosts'"
	}
	return ""
}
