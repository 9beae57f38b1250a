package audit

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// joins is the fleet with its elements linked, built once for a run: who
// stands on whom, and which SEA carries which client.
type joins struct {
	fleet    *inventory.Fleet
	byHost   map[string][]*element // in natural order
	bridging *inventory.Bridging
	subnets  map[netip.Prefix][]*element
	clients  map[*element][]*element    // SEA or trunk adapter → client adapters
	loose    map[string][]*element      // machine → client adapters that miss what a join needs
	systems  map[string][]string        // machine → platforms seen on it
	unread   map[*element][]*element    // SEA → client adapters that only an HMC knows
	macs     map[string]*element        // MAC address → the first adapter that has it
	twins    map[string][]*element      // MAC address → adapters, where there are several
	teller   map[*element]string        // of these: the HMC
	told     map[string]*census         // machine → all its adapters, as an HMC lists them
	earlier  map[string]*inventory.Host // hosts in an earlier snapshot
}

// maxLoose bounds how many unplaced clients of a machine are kept: one is
// enough to leave a question about all clients open.
const maxLoose = 100

func link(fleet *inventory.Fleet) *joins {
	j := &joins{
		fleet:    fleet,
		byHost:   map[string][]*element{},
		bridging: fleet.Bridging(),
		subnets:  map[netip.Prefix][]*element{},
		clients:  map[*element][]*element{},
		loose:    map[string][]*element{},
		systems:  map[string][]string{},
		unread:   map[*element][]*element{},
		macs:     map[string]*element{},
		twins:    map[string][]*element{},
		teller:   map[*element]string{},
		told:     map[string]*census{},
	}
	for _, h := range fleet.Hosts {
		j.addHost(h)
	}
	for _, h := range fleet.Hosts {
		for _, e := range j.byHost[h.Name] {
			j.addLinks(e)
			j.addTwin(e)
		}
	}
	for _, h := range fleet.Hosts {
		for _, e := range j.byHost[h.Name] {
			if e.client() {
				j.addClient(h, e)
			}
		}
	}
	if len(fleet.HMCs) > 0 {
		j.addConsoles()
	}
	return j
}

func (j *joins) addHost(h *inventory.Host) {
	if h.MachineID != "" && !slices.Contains(j.systems[h.MachineID], string(h.Platform)) {
		j.systems[h.MachineID] = append(j.systems[h.MachineID], string(h.Platform))
	}
	names := make([]string, 0, len(h.Elements))
	for name, el := range h.Elements {
		if el != nil {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, inventory.Natural)
	for _, name := range names {
		e := &element{Kind: string(h.Elements[name].Kind), Name: name, Host: h.Name, Platform: string(h.Platform),
			Machine: h.MachineID, Driver: h.Elements[name].Driver, of: h, is: h.Elements[name], join: j}
		j.byHost[h.Name] = append(j.byHost[h.Name], e)
	}
}

// addClient joins a client's virtual adapter to the trunk adapters that carry it,
// and to their SEAs.
func (j *joins) addClient(h *inventory.Host, e *element) {
	trunks, gap := j.carriers(e)
	for _, t := range trunks {
		j.clients[t] = append(j.clients[t], e)
		for _, o := range j.over(t) {
			if o.is.Kind == inventory.SEA && !slices.Contains(j.clients[o], e) {
				j.clients[o] = append(j.clients[o], e)
			}
		}
	}
	if gap != "" && h.Platform != inventory.VIOS && len(j.loose[e.of.MachineID]) < maxLoose {
		j.loose[e.of.MachineID] = append(j.loose[e.of.MachineID], e)
	}
}

func (j *joins) addLinks(e *element) {
	onto := func(name string) {
		if name != "" {
			if x := j.at(inventory.Ref{Host: e.Host, Element: name}); x != nil && !slices.Contains(x.above, e) {
				x.above = append(x.above, e)
			}
		}
	}
	onto(e.is.On)
	onto(e.is.Real)
	for _, list := range [][]string{e.is.Trunks, e.is.Members} {
		for _, name := range list {
			onto(name)
		}
	}
	for _, p := range e.subnets() {
		j.subnets[p] = append(j.subnets[p], e)
	}
}

// over gives the elements that stand directly on e: its interfaces, and the
// SEA, EtherChannel or VLAN device it is part of.
func (j *joins) over(e *element) []*element { return e.above }

// interfaces says whether an interface of the host was read.
func (j *joins) interfaces(host string) bool {
	return slices.ContainsFunc(j.byHost[host], func(x *element) bool { return x.is.Kind == inventory.Interface && !strings.HasPrefix(x.Name, "lo") })
}

// at finds an element; nil if it was not read. A host has few.
func (j *joins) at(r inventory.Ref) *element {
	all := j.byHost[r.Host]
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Name == r.Element {
			return all[i]
		}
	}
	return nil
}

// named gives another element of e's host.
func (j *joins) named(e *element, name string) (*element, error) {
	if name == "" {
		return nil, missing(describe(e, "the element below it", "lsdev"))
	}
	if x := j.at(inventory.Ref{Host: e.Host, Element: name}); x != nil {
		return x, nil
	}
	return nil, missing(describe(e, name+" below it was not read", ""))
}

// carriers gives the trunk adapters that carry a virtual adapter's VLANs; or
// says what was missing to find them.
func (j *joins) carriers(e *element) (trunks []*element, gap string) {
	bridges, g := j.bridging.Of(e.of, e.is)
	if g != nil {
		return nil, describe(e, "its SEA: "+g.Why, "")
	}
	for _, b := range bridges {
		if t := j.at(inventory.Ref{Host: b.SEA.Host, Element: b.Trunk}); t != nil && !slices.Contains(trunks, t) {
			trunks = append(trunks, t)
		}
	}
	return trunks, ""
}

// adapterOf follows an interface, or a VLAN device, down to its adapter.
func (j *joins) adapterOf(e *element) (*element, error) {
	for range maxDepth {
		if e.is.Kind == inventory.Adapter {
			return nil, missing(describe(e, "what kind of adapter it is", "lsdev -Cc adapter"))
		}
		if e.is.Kind != inventory.Interface && e.is.Kind != inventory.VLANDevice {
			return e, nil
		}
		if e.of.Platform == inventory.Linux && e.is.On == "" && e.is.Kind == inventory.Interface {
			return e, nil // on Linux adapter and interface are one
		}
		next, err := j.named(e, e.is.On)
		if err != nil {
			return nil, err
		}
		e = next
	}
	return nil, missing(describe(e, "the adapter below it: the chain of devices does not end", ""))
}

// ports gives the physical ports on which e's traffic leaves this host; none
// for a virtual adapter.
func (j *joins) ports(e *element, depth int) ([]*element, error) {
	var below []string
	switch e.is.Kind {
	case inventory.Physical, inventory.VNIC:
		return []*element{e}, nil
	case inventory.Virtual:
		return nil, nil
	case inventory.SEA:
		below = []string{e.is.Real}
	case inventory.EtherChannel:
		below = e.is.Members
		if len(below) == 0 {
			return nil, missing(describe(e, "its members", "lsattr -El "+e.Name+" -a adapter_names"))
		}
	default:
		below = []string{e.is.On}
	}
	var out []*element
	for _, name := range below {
		x, err := j.named(e, name)
		if err == nil && depth > maxDepth {
			err = missing(describe(e, "the ports below it: the chain of devices does not end", ""))
		}
		if err != nil {
			return nil, err
		}
		more, err := j.ports(x, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func byRef(a, b *element) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), inventory.Natural(a.Name, b.Name))
}
