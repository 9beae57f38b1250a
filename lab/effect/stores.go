package effect

import "seaworthy/lab/odm"

// Stores are the databases of all nodes, by node name.
type Stores map[string]*odm.Store

// of is a node's database; an empty one of a node that has none.
func (s Stores) of(node string) *odm.Store {
	if o := s[node]; o != nil {
		return o
	}
	return &odm.Store{}
}
