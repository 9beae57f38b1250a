package topology

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var (
	adapterForm = regexp.MustCompile(`^ent(0|[1-9][0-9]{0,2})$`)
	deviceForm  = regexp.MustCompile(`^[a-z][a-z0-9]{0,9}(\.[0-9]{1,4})?$`)
)

// owned lists the keys that each kind of adapter has, ownedLinux those of nodes with Linux.
var (
	owned = map[AdapterKind]string{
		Virtual:  "pvid, vlans, trunk, priority, mac",
		Physical: "rate, port, mac",
		SEA:      "real, trunks, ctl_chan, mac",
		Channel:  "members, backup, mac",
		VLAN:     "base, tag",
	}
	ownedLinux = map[AdapterKind]string{
		Virtual:  "pvid, mac",
		Physical: "rate, port, mac",
		Bond:     "members, mode",
	}
)

// Most VLANs that a virtual adapter carries beside its own, and what AIX aggregates.
const (
	maxTags    = 20
	maxMembers = 8
)

func (r *resolver) adapters(system, index int, n *Node) {
	for i := range n.Adapters {
		a, path, id := &n.Adapters[i], pathOf(n, &n.Adapters[i]), i
		r.adapter(n, a, path)
		if a.MAC == "" && (a.Kind == Virtual || a.Kind == Physical) {
			if n.OS != Linux {
				_, _ = fmt.Sscanf(a.Name, "ent%d", &id)
			}
			a.MAC = generatedMAC(system, index, id)
		}
		if by := r.macs[a.MAC]; a.MAC != "" && by != "" {
			r.fail(path, "mac", "MAC %s belongs to %s", a.MAC, owner(by))
		}
		r.macs[a.MAC] = path
	}
	slices.SortStableFunc(n.Adapters, func(a, b Adapter) int { return byNumber(a.Name, b.Name) })
	used := map[string]string{}
	for _, kind := range []AdapterKind{Channel, Bond, SEA, VLAN} {
		for i := range n.Adapters {
			if n.Adapters[i].Kind == kind {
				r.stack(n, &n.Adapters[i], used)
			}
		}
	}
}

func (r *resolver) adapter(n *Node, a *Adapter, path string) {
	form, names := adapterForm, "ent0, ent1, …"
	kinds, expected := owned, "virtual, physical, sea, etherchannel or vlan"
	if n.OS == Linux {
		form, names = deviceForm, "a device name of at most 10 small letters and digits, e.g. eth0, or one with a VLAN, e.g. eth0.100"
		kinds, expected = ownedLinux, "virtual, physical or bond"
	}
	if !form.MatchString(a.Name) {
		r.failAt(r.line(path), "node %s: adapter %q, expected %s", n.Name, a.Name, names)
	}
	keys, known := kinds[a.Kind]
	if !known {
		r.fail(path, "kind", "kind %q, expected %s", a.Kind, expected)
	}
	for f := range reflect.TypeFor[Adapter]().Fields() {
		key := f.Tag.Get("yaml")
		if key != "" && key != "kind" && r.given(path, key) && !slices.Contains(strings.Split(keys, ", "), key) {
			r.fail(path, key, "key %q does not belong to a %s adapter, expected one of %s", key, a.Kind, keys)
		}
	}
	if a.MAC != "" {
		hw, err := net.ParseMAC(a.MAC)
		if err != nil || len(hw) != 6 || hw[0]&1 != 0 {
			r.fail(path, "mac", "mac %q, expected a unicast address like 32:43:23:7a:a3:02", a.MAC)
		}
		a.MAC = strings.ToLower(a.MAC)
	}
	switch {
	case a.Kind == Virtual:
		r.virtual(a, path)
	case a.Kind == Physical:
		r.physical(a, path)
	case a.Kind == SEA && n.Role != VIOS:
		r.fail(path, "kind", "an SEA belongs to a vios")
	}
}

func (r *resolver) virtual(a *Adapter, path string) {
	a.PVID = cmp.Or(a.PVID, 1)
	slices.Sort(a.VLANs)
	for i, id := range a.VLANs {
		if id == a.PVID || i > 0 && id == a.VLANs[i-1] {
			r.fail(path, fmt.Sprintf("vlans %d", id), "VLAN %d is there twice", id)
		}
	}
	if len(a.VLANs) > maxTags {
		r.fail(path, "vlans", "%d tagged VLANs, expected at most %d beside the pvid", len(a.VLANs), maxTags)
	}
	if a.Trunk {
		a.Priority = cmp.Or(a.Priority, 1)
	} else if a.Priority > 0 {
		r.fail(path, "priority", "priority belongs to a trunk adapter")
	}
}

func (r *resolver) physical(a *Adapter, path string) {
	if a.Port == "" {
		r.fail(path, "", "key \"port\" is missing: which port of the switch it is cabled to")
	}
	p := r.ports[a.Port]
	if p == nil {
		all := strings.Join(slices.Sorted(maps.Keys(r.ports)), ", ")
		r.fail(path, "port", "port %q is not a port of the switch, expected one of %s", a.Port, all)
	}
	if by := r.cable[p.Name]; by != "" {
		r.fail(path, "port", "port %s is cabled to %s (line %d)", p.Name, owner(by), r.line(by+" port"))
	}
	r.cable[p.Name] = path
	a.LineRate = cmp.Or(a.LineRate, p.LineRate)
	if a.LineRate != p.LineRate {
		r.fail(path, "rate", "rate %d bit/s differs from that of switch port %s (%d bit/s): such a link does not come up",
			a.LineRate, p.Name, p.LineRate)
	}
}

// stack joins an adapter to those that it is built on, and keeps them for it: in used.
func (r *resolver) stack(n *Node, a *Adapter, used map[string]string) {
	path := pathOf(n, a)
	on := func(key, what string, fits func(*Adapter) bool, names ...string) {
		slices.SortStableFunc(names, byNumber)
		for _, name := range names {
			if b := n.Adapter(name); b == nil || !fits(b) {
				r.fail(path, key+" "+name, "%s %q, expected %s of this node", key, name, what)
			}
			if by := used[name]; by != "" {
				r.fail(path, key+" "+name, "%s %s belongs to %s already", key, name, by)
			}
			used[name] = a.Name
		}
	}
	port := func(a *Adapter) bool { return a.Kind == Physical }
	switch a.Kind {
	case Channel, Bond:
		if len(a.Members) == 0 || len(a.Members) > maxMembers {
			r.fail(path, "members", "needs the key members, with 1 to %d ports", maxMembers)
		}
		if a.Kind == Bond && a.Mode != LACP && a.Mode != ActiveBackup {
			r.fail(path, "mode", "mode %q, expected %s or %s", a.Mode, LACP, ActiveBackup)
		}
		on("members", "a physical adapter", port, a.Members...)
		if a.Backup != "" {
			on("backup", "a physical adapter", port, a.Backup)
		}
		if a.Kind == Channel { // all its ports answer with the first one's address
			a.MAC = cmp.Or(a.MAC, n.Adapter(a.Members[0]).MAC)
		}
	case SEA:
		if a.Real == "" || len(a.Trunks) == 0 {
			r.fail(path, "", "an SEA needs the keys real and trunks")
		}
		on("real", "a physical adapter or an EtherChannel", func(a *Adapter) bool { return a.Kind == Physical || a.Kind == Channel }, a.Real)
		on("trunks", "a virtual trunk adapter", func(a *Adapter) bool { return a.Kind == Virtual && a.Trunk }, a.Trunks...)
		if a.Control != "" {
			on("ctl_chan", "a virtual adapter that is not a trunk", func(a *Adapter) bool { return a.Kind == Virtual && !a.Trunk }, a.Control)
		}
		a.MAC = cmp.Or(a.MAC, n.Adapter(a.Real).MAC) // it answers with its real adapter's address
	case VLAN:
		// That the adapter does not carry the VLAN is not a fault of the file: such a device just hears nothing.
		if a.Base == "" || a.Tag == 0 {
			r.fail(path, "", "a VLAN device needs the keys base and tag")
		}
		base := n.Adapter(a.Base)
		if base == nil || base.Kind == VLAN {
			r.fail(path, "base", "base %q, expected an adapter of this node that is not a VLAN device", a.Base)
		}
		if by := used[a.Base]; by != "" {
			r.fail(path, "base", "base %s belongs to %s: put the VLAN device there", a.Base, by)
		}
		for _, o := range n.Adapters {
			if o.Kind == VLAN && o.Name != a.Name && o.Base == a.Base && o.Tag == a.Tag {
				r.fail(path, "tag", "VLAN %d of %s belongs to %s", a.Tag, a.Base, o.Name)
			}
		}
		a.MAC = base.MAC // it answers with its adapter's address
	}
}

// byNumber sorts ent2 before ent10.
func byNumber(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// generatedMAC is the same for the same place in the file: locally
// administered, like those the hypervisor gives to virtual adapters.
func generatedMAC(system, node, id int) string {
	// An adapter's number fills two bits of the fifth byte, a node's the others.
	return fmt.Sprintf("32:43:%02x:%02x:%02x:%02x", (system+1)&0xff, (node+1)&0xff, (node+1)>>8<<2|id>>8, id&0xff)
}
