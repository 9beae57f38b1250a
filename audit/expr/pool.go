package expr

import (
	"strings"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// pool is one receive pool of a virtual adapter.
type pool struct {
	of *graph.Element
	is inventory.Buffer
	s  *Session
}

// name is tiny, small, medium, large or huge; control is for the packets of SEAs without a control channel.
func (p *pool) name() string { return strings.ToLower(p.is.Pool) }

// pool gives one receive pool of an adapter.
func (s *Session) pool(e *graph.Element, name string) (*pool, error) {
	all, _ := s.pools(e)
	for _, p := range all {
		if p.name() == name {
			return p, nil
		}
	}
	return nil, e.Missing(name+" receive buffers", "entstat -d "+e.Name)
}

// pools gives the receive pools of an adapter.
func (s *Session) pools(e *graph.Element) ([]*pool, error) {
	if len(e.Is.Buffers) == 0 {
		return nil, e.Missing("receive buffers", "entstat -d "+e.Name)
	}
	var out []*pool
	for _, b := range e.Is.Buffers {
		out = append(out, &pool{of: e, is: b, s: s})
	}
	return out, nil
}
