package audit

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"
)

// property is what an expression may read of an element (el.speed) or of a
// receive pool (p.max).
type property struct {
	gives *cel.Type
	get   func(v any) ref.Val
}

// of makes a property of what a session answers, or says is missing.
func of[T any](get func(*session, *element) (T, error)) property {
	return property{typeOf[T](), func(v any) ref.Val {
		n := v.(*node)
		return n.s.answer(get(n.s, n.element))
	}}
}

// always makes a property of what is known of every element.
func always[T any](get func(*element) T) property {
	return of(func(_ *session, e *element) (T, error) { return get(e), nil })
}

// given makes a property of what a session always knows.
func given[T any](get func(*session, *element) T) property {
	return of(func(s *session, e *element) (T, error) { return get(s, e), nil })
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
		"kind":     always(func(e *element) string { return e.Kind }),
		"name":     always(func(e *element) string { return e.Name }),
		"host":     always(func(e *element) string { return e.Host }),
		"platform": always(func(e *element) string { return e.Platform }),
		"machine":  always(func(e *element) string { return e.Machine }),
		"driver":   always(func(e *element) string { return e.Driver }),

		// state
		"used":              always((*element).used),
		"up":                of((*session).up),
		"link":              of((*session).linkUp),
		"speed":             of((*session).speed),
		"flow_control":      given((*session).flowControl),
		"is_trunk":          of((*session).trunk),
		"active":            of((*session).active),
		"priority":          of((*session).priority),
		"pvid":              of((*session).pvid),
		"vlans":             of((*session).vlans),
		"tag":               of((*session).tag),
		"vswitch":           of((*session).vswitch),
		"ha_state":          of((*session).haState),
		"bridge_mode":       given((*session).bridgeMode),
		"shared_vlans":      given((*session).sharedVLANs),
		"virtual":           of((*session).virtual),
		"largesend":         of((*session).largesend),
		"largesend_differs": of((*session).largesendDiffers),
		"counters_grow":     given((*session).countersGrow),
		"has_control_pool":  of((*session).hasControlPool),
		"pools":             of((*session).pools),
		"entitled":          of((*session).entitled),
		"virtual_cpus":      of((*session).virtualCPUs),

		// related elements
		"adapter":           of((*session).adapter),
		"ports":             of((*session).ports),
		"real":              of((*session).realAdapter),
		"trunks":            of((*session).trunks),
		"members":           of((*session).members),
		"virtual_adapters":  of((*session).virtualAdapters),
		"above":             always(func(e *element) []*element { return e.above }),
		"owners":            given((*session).owners),
		"interfaces":        given((*session).interfaces),
		"seas":              of((*session).seas),
		"carriers":          of((*session).carriers),
		"clients":           of((*session).clients),
		"joined_clients":    given((*session).joinedClients),
		"unread_clients":    given((*session).unreadClients),
		"unmatched_clients": given((*session).unmatchedClients),
		"partners":          of((*session).partners),
		"peers":             of((*session).peers),
		"duplicates":        of((*session).duplicates),
		"tunables":          given((*session).tunables),

		// what follows from several elements
		"subnet_mtu":        of((*session).subnetMTU),
		"wider_mtu":         of((*session).widerMTU),
		"mtu_agreed":        of((*session).mtuAgreed),
		"bridged_vlans":     of((*session).bridgedVLANs),
		"duplicate_vlans":   of((*session).duplicateVLANs),
		"split_brain":       of((*session).splitBrain),
		"has_no_peer":       of((*session).hasNoPeer),
		"internal_only":     of((*session).internalOnly),
		"peer_within":       given((*session).peerWithin),
		"machine_platforms": given((*session).machinePlatforms),
		"isno":              given((*session).isno),
		"largest_buffer":    of((*session).largestBuffer),
		"drift":             of((*session).drift),
		"unusual":           of((*session).unusual),
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
