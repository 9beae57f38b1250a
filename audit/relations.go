package audit

import (
	"fmt"
	"slices"

	"seaworthy/inventory"
)

// list gives named elements of e's host, or says which was not read.
func (j *joins) list(e *element, names []string, what string) ([]*element, error) {
	if len(names) == 0 {
		return nil, missing(describe(e, "its "+what, "lsattr -El "+e.Name))
	}
	var out []*element
	for _, n := range names {
		x, err := j.named(e, n)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// owners gives every SEA and EtherChannel above an adapter.
func (s *session) owners(e *element) []*element {
	return s.above(e, func(o *element) bool { return o.is.Kind == inventory.SEA || o.is.Kind == inventory.EtherChannel }, true)
}

// interfaces gives the IP interfaces above an adapter, also through
// EtherChannels, SEAs and VLAN devices.
func (s *session) interfaces(e *element) []*element {
	return s.above(e, func(o *element) bool { return o.is.Kind == inventory.Interface }, false)
}

// above walks up from e and gives what is wanted, each once, nearest first;
// through tells whether only what is wanted is walked through.
func (s *session) above(e *element, wanted func(*element) bool, through bool) []*element {
	var out []*element
	level := []*element{e}
	for range maxDepth {
		var next []*element
		for _, x := range level {
			for _, o := range s.joins.over(x) {
				if wanted(o) && o != e && !slices.Contains(out, o) {
					out = append(out, o)
				}
				if wanted(o) == through && !slices.Contains(next, o) {
					next = append(next, o)
				}
			}
		}
		level = next
	}
	return out
}

// seas gives the SEAs that carry a client's interface or virtual adapter.
func (s *session) seas(e *element) ([]*element, error) {
	trunks, err := s.joins.ways(e)
	if err != nil {
		return nil, err
	}
	var out []*element
	for _, t := range trunks {
		for _, o := range s.joins.over(t) {
			if o.is.Kind == inventory.SEA && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

// carriers gives the trunk adapters that carry a client's interface.
func (s *session) carriers(e *element) ([]*element, error) { return s.joins.ways(e) }

// clients gives the interfaces of the LPARs that an SEA, or one trunk adapter
// of it, carries, as far as they are in the audit.
func (s *session) clients(e *element) ([]*element, error) {
	if e.of.MachineID == "" {
		return nil, missing(describe(e, "its clients: the managed system of "+e.Host+" is not known", ""))
	}
	var out []*element
	for _, a := range s.joins.clients[e] {
		above := s.interfaces(a)
		if len(above) == 0 {
			above = []*element{a} // on Linux adapter and interface are one
		}
		if len(a.is.VLANs) > 0 { // each of its interfaces has its own VLAN
			above = slices.DeleteFunc(above, func(i *element) bool {
				trunks, err := s.joins.ways(i)
				return err == nil && !slices.ContainsFunc(trunks, func(t *element) bool { return t == e || slices.Contains(s.joins.over(t), e) })
			})
		}
		out = append(out, above...)
	}
	if len(out) == 0 {
		return nil, missing(describe(e, "its clients: none is in this audit", ""))
	}
	slices.SortFunc(out, byRef)
	return slices.Compact(out), nil
}

// unmatchedClients gives client adapters that may belong to an SEA but lack what a join
// needs: their managed system, VLAN or SEA was not read.
func (s *session) unmatchedClients(e *element) []*element {
	out := slices.Clone(s.joins.loose[""])
	if e.of.MachineID != "" {
		out = append(out, s.joins.loose[e.of.MachineID]...)
	}
	return out
}

// machinePlatforms gives the platforms of the hosts on e's managed system.
func (s *session) machinePlatforms(e *element) []string { return s.joins.systems[e.Machine] }

// joinedClients gives those clients that are in the audit; none is no complaint.
func (s *session) joinedClients(e *element) []*element {
	list, _ := s.clients(e)
	return list
}

// bridgedVLANs gives all VLANs an SEA's trunk adapters carry, with their hypervisor
// switch, sorted.
func (s *session) bridgedVLANs(e *element) ([]string, error) {
	trunks, err := s.joins.list(e, e.is.Trunks, "trunk adapters")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range trunks {
		list, err := s.vlans(t)
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			out = append(out, fmt.Sprintf("%d %s", v, t.is.VSwitch))
		}
	}
	slices.Sort(out)
	return out, nil
}

// partners gives the SEAs of other VIOSes on the same managed system that have a
// trunk adapter for the same switch and VLAN: the other half of a pair.
func (s *session) partners(e *element) ([]*element, error) {
	trunks, err := s.joins.list(e, e.is.Trunks, "trunk adapters")
	if err != nil {
		return nil, err
	}
	if e.of.MachineID == "" {
		return nil, missing(describe(e, "its mate: the managed system of "+e.Host+" is not known", ""))
	}
	var out []*element
	for _, t := range trunks {
		if _, err := s.vlans(t); err != nil {
			return nil, err
		}
		beside, _ := s.joins.carriers(t) // its own SEA at least
		for _, other := range beside {
			for _, o := range s.joins.over(other) {
				if o.is.Kind == inventory.SEA && o.Host != e.Host && !slices.Contains(out, o) {
					out = append(out, o)
				}
			}
		}
	}
	return out, nil
}

// siblings gives e's host's elements of a kind.
func (s *session) siblings(e *element, kind string) ([]*element, error) {
	var out []*element
	for _, x := range s.joins.byHost[e.Host] {
		if x.Kind == kind {
			out = append(out, x)
		}
	}
	return out, nil
}

// adapter gives the adapter below an interface or a VLAN device.
func (s *session) adapter(e *element) (*element, error) { return s.joins.adapterOf(e) }

// ports gives the physical ports on which an element's frames leave the host.
func (s *session) ports(e *element) ([]*element, error) { return s.joins.ports(e, 0) }

// named gives another element of e's host.
func (s *session) named(e *element, name string) (*element, error) { return s.joins.named(e, name) }

// realAdapter gives an SEA's adapter to the outside.
func (s *session) realAdapter(e *element) (*element, error) { return s.joins.named(e, e.is.Real) }

// trunks gives an SEA's trunk adapters.
func (s *session) trunks(e *element) ([]*element, error) {
	return s.joins.list(e, e.is.Trunks, "trunk adapters")
}

// members gives an EtherChannel's adapters.
func (s *session) members(e *element) ([]*element, error) {
	return s.joins.list(e, e.is.Members, "members")
}

// peers gives the other ends of the paths that start or end at e.
func (s *session) peers(e *element) ([]*element, error) {
	var out []*element
	for _, p := range s.opts.Paths {
		for _, pair := range [][2]inventory.Ref{{p.From, p.To}, {p.To, p.From}} {
			if pair[0] == e.ref() {
				if x := s.joins.at(pair[1]); x != nil && !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, missing(describe(e, "its peer: no path was given", "--path"))
	}
	return out, nil
}
