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

// peerWithin says whether a path was given whose other end is on e's managed system.
func (s *Session) peerWithin(e *graph.Element) bool {
	peers, err := s.peers(e)
	return err == nil && e.Machine != "" && slices.ContainsFunc(peers, func(p *graph.Element) bool { return p.Machine == e.Machine })
}

func (s *Session) duplicates(e *graph.Element) ([]*graph.Element, error) {
	list, err := e.Duplicates()
	for _, x := range list {
		s.saw(e, entstat(e), "%s has %s, and so has %s of %s", e.Name, e.Is.MAC, x.Name, x.Host)
	}
	return list, err
}

func (s *Session) duplicateVLANs(e *graph.Element) ([]int, error) {
	var out []int
	list, err := e.DuplicateVLANs()
	for _, d := range list {
		out = append(out, d.VLAN)
		s.saw(e, entstat(e), "VLAN %d is on both %s and %s", d.VLAN, d.Mine.Name, d.Other.Name)
	}
	return out, err
}

// unreadClients gives the clients of an SEA that only an HMC knows.
func (s *Session) unreadClients(sea *graph.Element) []*graph.Element {
	list := sea.UnreadClients()
	for _, e := range list {
		if e.Platform != "" {
			s.saw(sea, "", "%s %s, by its VLAN a client: %s says that it runs %s", e.Host, e.Name, e.Source(), e.Platform)
		}
	}
	return list
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

// splitBrain says whether a trunk adapter's VLANs are bridged by both VIOSes of a
// pair, or by neither; false where only one of the pair was read.
func (s *Session) splitBrain(t *graph.Element) (bool, error) {
	own, err := s.active(t)
	if err != nil {
		return false, err
	}
	trunks, err := t.BridgedBy()
	if err != nil {
		return false, err
	}
	others := 0
	for _, x := range trunks {
		if x.Host == t.Host {
			continue
		}
		other, err := s.active(x)
		if err != nil {
			return false, err
		}
		if others++; other && own {
			return true, nil
		}
		own = own || other
	}
	return others > 0 && !own, nil
}
