package expr

import (
	"reflect"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"seaworthy/internal/inventory/graph"
)

// member holds what an expression may ask of an element: a property, el.speed, or a function
// of texts, el.attr("mtu").
type member struct {
	gives *cel.Type
	takes int // texts
	get   func(n *node, texts []ref.Val) ref.Val
}

// of makes a property of what a session answers, or says is missing.
func of[T any](get func(*Session, *graph.Element) (T, error)) member {
	return member{typeOf(reflect.TypeFor[T]()), 0, func(n *node, _ []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.Element))
	}}
}

func asked[T any](get func(*Session, *graph.Element, string) (T, error)) member {
	return member{typeOf(reflect.TypeFor[T]()), 1, func(n *node, texts []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.Element, str(texts[0])))
	}}
}

func asked2[T any](get func(s *Session, e *graph.Element, a, b string) (T, error)) member {
	return member{typeOf(reflect.TypeFor[T]()), 2, func(n *node, texts []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.Element, str(texts[0]), str(texts[1])))
	}}
}

func str(v ref.Val) string { return string(v.(types.String)) }

func (m member) declare(name string) cel.EnvOption {
	takes := append([]*cel.Type{elementType}, slices.Repeat([]*cel.Type{cel.StringType}, m.takes)...)
	return cel.Function(name, cel.MemberOverload("element_"+name, takes, m.gives,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val { return m.get(args[0].(*node), args[1:]) })))
}

// ofAttribute are the functions whose text names an attribute.
var ofAttribute = []string{
	"attr", "num", "nums", "on", "off", "known", "switched", "running_known", "fixed", "allowed", "default", "effective",
}

// functions by name; doc.go explains them.
var functions = map[string]member{
	"attr":     asked((*Session).attr),
	"num":      asked((*Session).num),
	"nums":     asked((*Session).nums),
	"on":       asked((*Session).on),
	"off":      asked((*Session).off),
	"known":    asked((*Session).known),
	"switched": asked((*Session).switched),
	"running_known": asked(func(_ *Session, e *graph.Element, name string) (bool, error) {
		a := e.Is.Attrs[name]
		return a != nil && a.Running != nil, nil
	}),
	"fixed": asked(func(_ *Session, e *graph.Element, name string) (bool, error) {
		a := e.Is.Attrs[name]
		return a != nil && a.Settable != nil && !*a.Settable, nil
	}),
	"allowed":   asked((*Session).allowed),
	"default":   asked((*Session).defaultOf),
	"effective": asked((*Session).effective),

	"flag":        asked(hasFlag),
	"flag_read":   asked(flagRead),
	"counter":     asked(counterSum),
	"has_counter": asked(hasCounter),
	"ppm":         asked2(ppm),
	"per_second":  asked(perSecond),
	"has_protocol": asked(func(_ *Session, e *graph.Element, name string) (bool, error) {
		_, ok := e.Of.Protocols.Get(name)
		return ok, nil
	}),
	"protocol": asked(protocolCounter),
	"pool": asked(func(_ *Session, e *graph.Element, name string) (*graph.Element, error) {
		i := slices.IndexFunc(e.Pools, func(p *graph.Element) bool { return poolName(p) == name })
		if i < 0 {
			return nil, e.Missing(name+" receive buffers", "entstat -d "+e.Name)
		}
		return e.Pools[i], nil
	}),

	"level":       asked2(levelWithin),
	"installed":   asked(isInstalled),
	"lacks_fix":   asked(lacksFix),
	"affected":    asked(affectedBy),
	"suspected":   asked(suspectedOf),
	"logged":      asked(loggedErrors),
	"runs":        asked(runsService),
	"nfs_mounts":  asked2(nfsMounts),
	"interim_fix": asked(interimFixBegins),
	"fact":        asked(factOf),
	"has_fact":    asked(hasFact),

	"element": asked(func(_ *Session, e *graph.Element, name string) (*graph.Element, error) { return e.Named(name) }),
	"siblings": asked(func(_ *Session, e *graph.Element, kind string) ([]*graph.Element, error) {
		return graph.Siblings(e, kind), nil
	}),
	"tools_below": asked(toolsBelow),
	"unknown": asked(func(_ *Session, _ *graph.Element, what string) (bool, error) {
		return false, &graph.Missing{Fact: what}
	}),
}

var sumFunction = cel.Function("sum", cel.Overload("sum_list", []*cel.Type{cel.ListType(cel.IntType)}, cel.IntType,
	cel.UnaryBinding(func(v ref.Val) ref.Val {
		var total ref.Val = types.IntZero
		for it := v.(traits.Lister).Iterator(); it.HasNext() == types.True; {
			total = total.(types.Int).Add(it.Next())
		}
		return total
	})))
