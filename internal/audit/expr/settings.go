package expr

import (
	"maps"
	"net/netip"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// drift lists the attributes whose next-boot value differs. Of an element in
// use at least one must be known in both ways: what was not compared did not
// prove equal.
func (s *Session) drift(e *graph.Element) ([]string, error) {
	if e.Used() && !some(e, both) {
		how := "lsattr -El " + e.Name + ", entstat -d " + e.Name
		switch e.Kind {
		case graph.KindTunables:
			how = "no -L"
		case string(model.Interface):
			how = "lsattr -El " + e.Name + ", ifconfig " + e.Name
		}
		return nil, e.Missing("running and next-boot values", how)
	}
	var names []string
	for _, n := range slices.Sorted(maps.Keys(e.Is.Attrs)) {
		a := e.Is.Attrs[n]
		if drifts(a) && !s.Claimed[Attr{e.Ref(), n}] && !s.own(e, n) {
			names = append(names, n)
			s.evidence(e, s.howToRead(e, n), "%s %s: running %s, next boot %s", e.Name, n, *a.Running, *a.NextBoot)
		}
	}
	return names, nil
}

func some(e *graph.Element, is func(*model.Attr) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(e.Is.Attrs)), is)
}

// own says that AIX itself gives an option of no its running value: one that
// nothing sets (thewall), or one that we know nothing of and whose next value
// is its default (poolbuckets grows with the processors).
func (s *Session) own(e *graph.Element, name string) bool {
	if e.Kind != graph.KindTunables || e.Linux() {
		return false
	}
	if a, ok := s.Catalog.Attribute("no", name); ok {
		return a.ReadOnly || len(a.Set) == 0
	}
	a := e.Is.Attrs[name]
	return a.Default != nil && *a.Default == *a.NextBoot
}

// unusual lists an element's attributes that are not at the default the host
// itself names, and that no rule speaks about. Where the host named no default
// at all, nothing was compared.
func (s *Session) unusual(e *graph.Element) ([]string, error) {
	layer, how := e.Kind, "lsattr -Dl "+e.Name
	if layer == graph.KindTunables {
		layer, how = "no", "no -L"
	}
	if !some(e, func(a *model.Attr) bool { return a != nil && a.Default != nil }) {
		return nil, e.Missing("defaults", how)
	}
	var names []string
	for _, n := range s.ordinary(layer) {
		a := e.Is.Attrs[n]
		if v, ok := s.value(a); ok && a.Default != nil && !Same(v, *a.Default) {
			names = append(names, n)
			s.evidence(e, s.howToRead(e, n), "%s %s = %s, default %s", e.Name, n, v, *a.Default)
		}
	}
	return names, nil
}

// ordinary are the attributes of a layer that have a usual value, as addresses,
// names and cables have not, and that no rule speaks about. A run asks for them
// at every element.
func (s *Session) ordinary(layer string) []string {
	names, known := s.ordinaries[layer]
	if known {
		return names
	}
	for _, a := range s.Catalog.Attributes(layer) {
		if !a.ReadOnly && !s.Mentioned[a.Name] && slices.Contains([]string{"int", "bool", "enum"}, a.Type) {
			names = append(names, a.Name)
		}
	}
	s.ordinaries[layer] = names
	return names
}

// TCP options of a connection come from the program (setsockopt), else from
// the interface (ISNO) while use_isno is 1, else from no. An interface whose
// ODM value is empty may still bring one of its own: what is in force is what
// ifconfig prints. Only if ifconfig was read and printed none does the value
// of no hold.

// isno says whether an interface's own options count: use_isno is not off, as
// far as is known.
func (s *Session) isno(e *graph.Element) bool {
	v, ok := s.value(graph.Tunables(e).Is.Attrs["use_isno"])
	on, known := Bool(v)
	return !ok || !known || on
}

// effective gives the number in force for connections over an interface.
func (s *Session) effective(e *graph.Element, name string) (int, error) {
	own := e.Is.Attrs[name]
	v, ok := s.value(own)
	from := e
	switch {
	case !s.isno(e), ok && v == "" && own.Running != nil && ifconfigRead(e):
		from = graph.Tunables(e)
	case !ok || v == "":
		return 0, e.Missing(name+" in force", "ifconfig "+e.Name)
	}
	v, err := s.attr(from, name)
	n, number := number(v)
	if err == nil && !number {
		err = e.Missing(name+" in force: "+v+" is not a number", "")
	}
	return n, err
}

// subnetView is a subnet seen by the values in force, or by the next boot's.
type subnetView struct {
	netip.Prefix
	nextBoot bool
}

// subnet counts the interfaces of a subnet by MTU, as far as they said, once: it may hold the whole fleet.
func (s *Session) subnet(p netip.Prefix) map[int]int {
	key := subnetView{p, s.NextBoot}
	count := s.mtus[key]
	if count == nil {
		count = map[int]int{}
		for _, n := range s.graph.InSubnet(p) {
			if mtu, ok := s.mtu(n); ok {
				count[mtu]++
			}
		}
		s.mtus[key] = count
	}
	return count
}

func (s *Session) mtu(e *graph.Element) (int, bool) {
	v, ok := s.value(e.Is.Attrs["mtu"])
	n, num := number(v)
	return n, ok && num
}

// subnetMTUs counts the interfaces of e's subnets by MTU. Where none but e said its MTU, there is nothing to compare.
func (s *Session) subnetMTUs(e *graph.Element) (map[int]int, error) {
	all := map[int]int{}
	for _, a := range e.Is.Addrs {
		for mtu, n := range s.subnet(a.Masked()) {
			all[mtu] += n
		}
	}
	own, known := s.mtu(e)
	for mtu, n := range all {
		if known && mtu == own {
			n -= len(graph.Subnets(e))
		}
		if n > 0 {
			return all, nil
		}
	}
	return nil, e.Missing("MTU of another host in its subnet: none is in this audit", "")
}
