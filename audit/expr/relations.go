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
			s.saw(sea, "", "%s %s, by its VLAN a client: %s says that it runs %s", e.Host, e.Name, e.Source(), e.Platform)
		}
	}
	return list, nil
}

func (s *Session) internalOnly(e *graph.Element) (bool, error) {
	only, proofs, err := e.InternalOnly()
	for _, p := range proofs {
		s.saw(e, p.Command, "no trunk adapter is in VLAN %d of %s; adapters of other partitions there, apart from %s: %d",
			p.VLAN, e.Machine, p.Adapter.Name, p.Others)
	}
	return only, err
}

func (s *Session) hasNoPeer(e *graph.Element) (bool, error) {
	proofs, err := e.HasNoPeer()
	for _, p := range proofs {
		s.saw(e, p.Command, "no other partition of %s has a trunk adapter for the VLANs of %s", e.Machine, p.Adapter.Name)
	}
	return err == nil, err
}
