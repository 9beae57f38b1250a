package expr

import (
	"slices"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// Relations of the graph that leave evidence, or that depend on the options of
// the audit.

// peers gives the other ends of the paths that start or end at e.
func (s *Session) peers(e *graph.Element) ([]*graph.Element, error) {
	var out []*graph.Element
	for _, p := range s.Paths {
		for _, pair := range [][2]inventory.Ref{{p.From, p.To}, {p.To, p.From}} {
			if pair[0] == e.Ref() {
				if x := s.graph.At(pair[1]); x != nil && !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, e.Missing("its peer: no path was given", "--path")
	}
	return out, nil
}

// unreadClients gives the clients of an SEA that only an HMC knows.
func (s *Session) unreadClients(sea *graph.Element) ([]*graph.Element, error) {
	list := sea.UnreadClients()
	for _, e := range list {
		if e.Platform != "" {
			s.evidence(sea, "", "%s %s, by its VLAN a client: %s says that it runs %s", e.Host, e.Name, e.Source, e.Platform)
		}
	}
	return list, nil
}

// listed gives all virtual Ethernet adapters of a managed system, from an HMC.
func (s *Session) listed(e *graph.Element) ([]*graph.Element, error) {
	list, command, err := e.Listed()
	if err == nil {
		s.evidence(e, command, "virtual Ethernet adapters of all partitions of %s: %d", e.Machine, len(list))
	}
	return list, err
}
