package topology

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var (
	adapterForm   = regexp.MustCompile(`^ent(0|[1-9][0-9]{0,2})$`)
	interfaceForm = regexp.MustCompile(`^en(0|[1-9][0-9]{0,2})$`)
)

// owned lists the keys that each kind of adapter has.
var owned = map[AdapterKind][]string{
	Virtual:  {"pvid", "vlans", "trunk", "priority", "mac"},
	Physical: {"rate", "port", "mac"},
	SEA:      {"real", "trunks", "ctl_chan", "mac"},
	Channel:  {"members", "backup", "mac"},
	VLAN:     {"base", "tag"},
}

func (r *resolver) adapters(system, index int, n *Node, raw rawNode) {
	for _, ra := range raw.adapters() {
		a := r.adapter(n, ra)
		if a.MAC == "" && (a.Kind == Virtual || a.Kind == Physical) {
			a.MAC = generatedMAC(system, index, n.place(a.Name))
		}
		if other, taken := r.macs[a.MAC]; taken && a.MAC != "" {
			r.fail(ra.name.line, "node %s %s: MAC %s belongs to %s", n.Name, a.Name, a.MAC, other.s)
		}
		r.macs[a.MAC] = text{s: n.Name + " " + a.Name, line: ra.name.line}
		n.Adapters = append(n.Adapters, a)
	}
	slices.SortStableFunc(n.Adapters, func(a, b Adapter) int { return byNumber(a.Name, b.Name) })
	used := map[string]string{}
	for _, over := range []struct {
		kind AdapterKind
		join func(*Node, rawAdapter, map[string]string)
	}{{Channel, r.channel}, {Bond, r.bond}, {SEA, r.sea}, {VLAN, r.vlan}} {
		for _, ra := range raw.adapters() {
			if AdapterKind(ra.Kind.s) == over.kind {
				over.join(n, ra, used)
			}
		}
	}
}

func (r *resolver) adapter(n *Node, raw rawAdapter) Adapter {
	a := Adapter{Name: raw.name.s, Kind: AdapterKind(raw.Kind.s), MAC: strings.ToLower(raw.MAC.s)}
	what := "node " + n.Name + " " + a.Name
	form, names, kinds, expected := adapterForm, "ent0, ent1, …", owned, "virtual, physical, sea, etherchannel or vlan"
	if n.OS == Linux {
		form, names = deviceForm, "a device name of at most 10 small letters and digits, e.g. eth0"
		kinds, expected = ownedLinux, "virtual, physical or bond"
	}
	if !form.MatchString(a.Name) {
		r.fail(raw.name.line, "node %s: adapter %q, expected %s", n.Name, a.Name, names)
	}
	keys, known := kinds[a.Kind]
	if !known {
		r.fail(raw.Kind.line, "%s: kind %q, expected %s", what, raw.Kind.s, expected)
	}
	for f, v := range reflect.ValueOf(raw).Fields() {
		key := f.Tag.Get("yaml")
		if key == "" || key == "kind" || slices.Contains(keys, key) {
			continue
		}
		var at []text
		switch v := v.Interface().(type) {
		case text:
			at = append(at, v)
		case []text:
			at = v
		}
		if len(at) > 0 && at[0].given() {
			r.fail(at[0].line, "%s: key %q does not belong to a %s adapter, expected one of %s", what, key, a.Kind, strings.Join(keys, ", "))
		}
	}
	if a.MAC != "" {
		hw, err := net.ParseMAC(a.MAC)
		if err != nil || len(hw) != 6 || hw[0]&1 != 0 {
			r.fail(raw.MAC.line, "%s: mac %q, expected a unicast address like 32:43:23:7a:a3:02", what, raw.MAC.s)
		}
	}
	switch {
	case a.Kind == Virtual:
		r.virtual(&a, what, raw)
	case a.Kind == Physical:
		r.physical(&a, what, raw)
	case a.Kind == SEA && n.Role != VIOS:
		r.fail(raw.Kind.line, "%s: an SEA belongs to a vios", what)
	}
	return a
}

func (r *resolver) virtual(a *Adapter, what string, raw rawAdapter) {
	a.PVID = r.number(what+" pvid", raw.PVID, 1, 1, 4094)
	for _, v := range raw.VLANs {
		id := r.number(what+" vlans", v, 0, 1, 4094)
		if id == a.PVID || slices.Contains(a.VLANs, id) {
			r.fail(v.line, "%s: VLAN %d is there twice", what, id)
		}
		a.VLANs = append(a.VLANs, id)
	}
	if len(a.VLANs) > maxTags {
		r.fail(raw.VLANs[0].line, "%s: %d tagged VLANs, expected at most %d beside the pvid", what, len(a.VLANs), maxTags)
	}
	slices.Sort(a.VLANs)
	switch raw.Trunk.or("false") {
	case "true", "yes":
		a.Trunk = true
	case "false", "no":
	default:
		r.fail(raw.Trunk.line, "%s: trunk %q, expected true or false", what, raw.Trunk.s)
	}
	if raw.Priority.given() && !a.Trunk {
		r.fail(raw.Priority.line, "%s: priority belongs to a trunk adapter", what)
	}
	if a.Trunk {
		a.Priority = r.number(what+" priority", raw.Priority, 1, 1, 15)
	}
}

func (r *resolver) physical(a *Adapter, what string, raw rawAdapter) {
	if !raw.Port.given() {
		r.fail(raw.name.line, "%s: key \"port\" is missing: which port of the switch it is cabled to", what)
	}
	p := r.ports[raw.Port.s]
	if p == nil {
		r.fail(raw.Port.line, "%s: port %q is not a port of the switch, expected one of %s", what, raw.Port.s,
			strings.Join(slices.Sorted(maps.Keys(r.ports)), ", "))
	}
	if other, taken := r.cable[p.Name]; taken {
		r.fail(raw.Port.line, "%s: port %s is cabled to %s (line %d)", what, p.Name, other.s, other.line)
	}
	r.cable[p.Name] = text{s: strings.TrimPrefix(what, "node "), line: raw.Port.line}
	a.Port = p.Name
	a.LineRate = r.rate(what+" rate", raw.Rate, p.LineRate)
	if a.LineRate != p.LineRate {
		r.fail(raw.Rate.line, "%s: rate %s differs from that of switch port %s (%d bit/s): such a link does not come up",
			what, raw.Rate.s, p.Name, p.LineRate)
	}
}

func (r *resolver) interfaces(n *Node, raw map[text]rawInterface) {
	taken := map[string]string{}
	for _, a := range n.Adapters {
		for _, m := range a.Holds() {
			taken[m] = a.Name
		}
	}
	for _, name := range inOrder(raw) {
		what := "node " + n.Name + " " + name.s
		adapter := n.AdapterOf(name.s)
		if n.OS != Linux && !interfaceForm.MatchString(name.s) || !n.hasDevice(adapter) {
			r.fail(name.line, "node %s: interface %q, expected %s on one of %s", n.Name, name.s, n.AdapterOf("enN"), strings.Join(n.devices(), ", "))
		}
		if sea := taken[adapter]; sea != "" {
			r.fail(name.line, "%s: its adapter %s belongs to %s: put the address there", what, adapter, sea)
		}
		n.Interfaces = append(n.Interfaces, r.iface(n, name, raw[name]))
	}
	slices.SortStableFunc(n.Interfaces, func(a, b Interface) int { return byNumber(a.Name, b.Name) })
}

// iface reads the addresses of an interface.
func (r *resolver) iface(n *Node, name text, raw rawInterface) Interface {
	i := Interface{Name: name.s}
	what := "node " + n.Name + " " + i.Name
	var err error
	if i.Address, err = netip.ParsePrefix(raw.Address.s); err != nil || !i.Address.Addr().Is4() {
		r.fail(raw.Address.line, "%s: address %q, expected IPv4 with prefix length, e.g. 10.10.10.11/24", what, raw.Address.s)
	}
	if why := unusable(i.Address); why != "" {
		r.fail(raw.Address.line, "%s: address %s %s", what, i.Address, why)
	}
	if other, dup := r.addrs[i.Address.Addr().String()]; dup {
		r.fail(raw.Address.line, "%s: address %s belongs to %s (line %d)", what, i.Address.Addr(), other.s, other.line)
	}
	r.addrs[i.Address.Addr().String()] = text{s: n.Name + " " + i.Name, line: raw.Address.line}
	if raw.Gateway.given() {
		if i.Gateway, err = netip.ParseAddr(raw.Gateway.s); err != nil || !i.Address.Contains(i.Gateway) {
			r.fail(raw.Gateway.line, "%s: gateway %q, expected an address within %s", what, raw.Gateway.s, i.Address.Masked())
		}
	}
	return i
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

// generatedMAC is the same for the same place in the file: locally
// administered, like those the hypervisor gives to virtual adapters.
func generatedMAC(system, node, id int) string {
	// An adapter's number fills two bits of the fifth byte, a node's the others.
	return fmt.Sprintf("32:43:%02x:%02x:%02x:%02x", (system+1)&0xff, (node+1)&0xff, (node+1)>>8<<2|id>>8, id&0xff)
}

// place is the number of the next adapter: that in its name, on Linux how many there are.
func (n *Node) place(adapter string) (id int) {
	if n.OS == Linux {
		return len(n.Adapters)
	}
	_, _ = fmt.Sscanf(adapter, "ent%d", &id)
	return id
}

// maxTags is how many VLANs a virtual adapter carries beside its own.
const maxTags = 20
