package effect

import (
	"net/netip"

	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// Stores is a Lookup over the databases of all nodes, by node name.
type Stores map[string]*odm.Store

// of is a node's database; an empty one of a node that has none.
func (s Stores) of(node string) *odm.Store {
	if o := s[node]; o != nil {
		return o
	}
	return &odm.Store{}
}

// Running is the value of an attribute; false if the device has none of that name.
func (s Stores) Running(node, device, attr string) (string, bool) {
	return s.of(node).Running(device, attr)
}

// Tunable is the value of an option of no(1).
func (s Stores) Tunable(node, option string) (string, bool) {
	t, ok := s.of(node).Tunable(option)
	return t.Running, ok
}

// Available says whether a device is configured.
func (s Stores) Available(node, device string) bool {
	d, ok := s.of(node).Device(device)
	return ok && d.Status == odm.Available
}

// Addresses are those an interface answers to; none if it is detached.
func (s Stores) Addresses(node, iface string) []netip.Prefix { return s.of(node).Addresses(iface) }

// Routes are the node's static routes that are set now.
func (s Stores) Routes(node string) []wire.Route {
	var out []wire.Route
	for _, r := range s.of(node).Routes() {
		if r.Active {
			out = append(out, wire.Route{To: r.To, Via: r.Via})
		}
	}
	return out
}
