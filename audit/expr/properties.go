package expr

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"

	"seaworthy/audit/graph"
)

// property is what an expression may read of an element (el.speed) or of a
// receive pool (p.max).
type property struct {
	gives *cel.Type
	get   func(v any) ref.Val
}

// of makes a property of what a session answers, or says is missing.
func of[T any](get func(*Session, *graph.Element) (T, error)) property {
	return property{typeOf[T](), func(v any) ref.Val {
		n := v.(*node)
		return n.s.answer(get(n.s, n.Element))
	}}
}

// always makes a property of what is known of every element.
func always[T any](get func(*graph.Element) T) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e), nil })
}

// related makes a property of what the graph answers, or says is missing.
func related[T any](get func(*graph.Element) (T, error)) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e) })
}

// given makes a property of what a session always knows.
func given[T any](get func(*Session, *graph.Element) T) property {
	return of(func(s *Session, e *graph.Element) (T, error) { return get(s, e), nil })
}

// ofPool makes a property of a receive pool.
func ofPool[T any](get func(*pool) (T, error)) property {
	return property{typeOf[T](), func(v any) ref.Val {
		p := v.(*pool)
		return p.s.answer(get(p))
	}}
}

// properties by type and name; doc.go explains them.
var properties = map[string]map[string]property{
	"element": {
		"kind":     always(func(e *graph.Element) string { return e.Kind }),
		"name":     always(func(e *graph.Element) string { return e.Name }),
		"host":     always(func(e *graph.Element) string { return e.Host }),
		"platform": always(func(e *graph.Element) string { return e.Platform }),
		"machine":  always(func(e *graph.Element) string { return e.Machine }),
		"driver":   always(func(e *graph.Element) string { return e.Driver }),

		// state
		"used":              always((*graph.Element).Used),
		"up":                of((*Session).up),
		"link":              of((*Session).linkUp),
		"speed":             of((*Session).speed),
		"flow_control":      given((*Session).flowControl),
		"is_trunk":          of((*Session).trunk),
		"active":            of((*Session).active),
		"priority":          of((*Session).priority),
		"pvid":              of((*Session).pvid),
		"vlans":             related((*graph.Element).VLANs),
		"tag":               of((*Session).tag),
		"vswitch":           of((*Session).vswitch),
		"ha_state":          of((*Session).haState),
		"bridge_mode":       given((*Session).bridgeMode),
		"shared_vlans":      given((*Session).sharedVLANs),
		"virtual":           related((*graph.Element).Virtual),
		"largesend":         of((*Session).largesend),
		"largesend_differs": of((*Session).largesendDiffers),
		"counters_grow":     given((*Session).countersGrow),
		"has_control_pool":  of((*Session).hasControlPool),
		"pools":             of((*Session).pools),
		"entitled":          related(entitled),
		"virtual_cpus":      related(virtualCPUs),

		// related elements
		"adapter":           related((*graph.Element).Adapter),
		"ports":             related((*graph.Element).Ports),
		"real":              related((*graph.Element).Real),
		"trunks":            related((*graph.Element).Trunks),
		"members":           related((*graph.Element).Members),
		"virtual_adapters":  related((*graph.Element).VirtualAdapters),
		"above":             always(func(e *graph.Element) []*graph.Element { return e.Above }),
		"owners":            always((*graph.Element).Owners),
		"interfaces":        always((*graph.Element).Interfaces),
		"seas":              related((*graph.Element).SEAs),
		"carriers":          related((*graph.Element).Carriers),
		"clients":           related((*graph.Element).Clients),
		"joined_clients":    always((*graph.Element).JoinedClients),
		"unread_clients":    given((*Session).unreadClients),
		"unmatched_clients": always((*graph.Element).UnmatchedClients),
		"partners":          related((*graph.Element).Partners),
		"peers":             of((*Session).peers),
		"duplicates":        of((*Session).duplicates),
		"tunables":          always((*graph.Element).Tunables),

		// what follows from several elements
		"subnet_mtu":        of((*Session).subnetMTU),
		"wider_mtu":         of((*Session).widerMTU),
		"mtu_agreed":        of((*Session).mtuAgreed),
		"bridged_vlans":     related((*graph.Element).BridgedVLANs),
		"duplicate_vlans":   of((*Session).duplicateVLANs),
		"split_brain":       of((*Session).splitBrain),
		"has_no_peer":       of((*Session).hasNoPeer),
		"internal_only":     of((*Session).internalOnly),
		"peer_within":       given((*Session).peerWithin),
		"machine_platforms": always((*graph.Element).MachinePlatforms),
		"isno":              given((*Session).isno),
		"largest_buffer":    of((*Session).largestBuffer),
		"drift":             of((*Session).drift),
		"unusual":           of((*Session).unusual),
	},
	"pool": {
		"name":       ofPool(func(p *pool) (string, error) { return p.Name, nil }),
		"min":        ofPool((*pool).min),
		"max":        ofPool((*pool).max),
		"highest":    ofPool((*pool).highest),
		"lowest":     ofPool((*pool).lowest),
		"exhausted":  ofPool((*pool).exhausted),
		"at_max":     ofPool((*pool).atMax),
		"raised_max": ofPool((*pool).raisedMax),
	},
}
