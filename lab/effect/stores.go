package effect

import (
	"net/netip"

	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// Stores is a Lookup over the databases of all nodes, by node name.
type Stores map[string]*odm.Store

func (s Stores) Running(node, device, attr string) (string, bool) {
	if s[node] == nil {
		return "", false
	}
	return s[node].Running(device, attr)
}

func (s Stores) Tunable(node, option string) (string, bool) {
	if s[node] == nil {
		return "", false
	}
	t, ok := s[node].Tunable(option)
	return t.Running, ok
}

func (s Stores) Available(node, device string) bool {
	if s[node] == nil {
		return false
	}
	d, ok := s[node].Device(device)
	return ok && d.Status == odm.Available
}

func (s Stores) Addresses(node, iface string) []netip.Prefix {
	if s[node] == nil {
		return nil
	}
	return s[node].Addresses(iface)
}

func (s Stores) Routes(node string) []wire.Route {
	var out []wire.Route
	if s[node] == nil {
		return nil
	}
	for _, r := range s[node].Routes() {
		if r.Active {
			out = append(out, wire.Route{To: r.To, Via: r.Via})
		}
	}
	return out
}
