package expr

import (
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"seaworthy/audit/graph"
)

// function is what an expression may ask of an element with texts or numbers:
// el.attr("mtu").
type function struct {
	takes       []*cel.Type // after the element
	gives       *cel.Type
	ofAttribute bool // its first text names an attribute
	call        func(n *node, args []ref.Val) ref.Val
}

func (f function) declare(name string) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload("element_"+name, append([]*cel.Type{elementType}, f.takes...), f.gives,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val { return f.call(args[0].(*node), args[1:]) })))
}

func str(v ref.Val) string { return string(v.(types.String)) }

// asked makes a function of one text.
func asked[T any](get func(*Session, *graph.Element, string) (T, error)) function {
	return function{takes: []*cel.Type{cel.StringType}, gives: typeOf(reflect.TypeFor[T]()), call: func(n *node, args []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.Element, str(args[0])))
	}}
}

// ofAttr makes a function of an attribute's name.
func ofAttr[T any](get func(*Session, *graph.Element, string) (T, error)) function {
	f := asked(get)
	f.ofAttribute = true
	return f
}

// asked2 makes a function of two texts.
func asked2[T any](get func(s *Session, e *graph.Element, a, b string) (T, error)) function {
	gives := typeOf(reflect.TypeFor[T]())
	return function{takes: []*cel.Type{cel.StringType, cel.StringType}, gives: gives, call: func(n *node, args []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.Element, str(args[0]), str(args[1])))
	}}
}

// functions by name; doc.go explains them.
var functions = map[string]function{
	"attr":     ofAttr((*Session).attr),
	"num":      ofAttr((*Session).num),
	"nums":     ofAttr((*Session).nums),
	"on":       ofAttr((*Session).on),
	"off":      ofAttr((*Session).off),
	"known":    ofAttr((*Session).known),
	"switched": ofAttr((*Session).switched),
	"running_known": ofAttr(func(_ *Session, e *graph.Element, name string) (bool, error) {
		a := e.Is.Attrs[name]
		return a != nil && a.Running != nil, nil
	}),
	"fixed": ofAttr(func(_ *Session, e *graph.Element, name string) (bool, error) {
		a := e.Is.Attrs[name]
		return a != nil && a.Settable != nil && !*a.Settable, nil
	}),
	"allowed":   ofAttr((*Session).allowed),
	"default":   ofAttr((*Session).defaultOf),
	"effective": ofAttr((*Session).effective),

	"flag":        asked((*Session).flag),
	"flag_read":   asked((*Session).flagRead),
	"counter":     asked((*Session).counter),
	"has_counter": asked((*Session).hasCounter),
	"ppm":         asked2((*Session).ppm),
	"per_second":  asked((*Session).perSecond),
	"protocol":    asked((*Session).protocol),
	"pool":        asked((*Session).pool),

	"level":     asked2((*Session).level),
	"installed": asked((*Session).installed),
	"fact":      asked((*Session).fact),
	"has_fact":  asked((*Session).hasFact),

	"element": asked(func(_ *Session, e *graph.Element, name string) (*graph.Element, error) { return e.Named(name) }),
	"siblings": asked(func(_ *Session, e *graph.Element, kind string) ([]*graph.Element, error) {
		return e.Siblings(kind), nil
	}),
	"unknown": asked(func(_ *Session, _ *graph.Element, what string) (bool, error) {
		return false, &graph.Missing{Fact: what}
	}),
}

// sumFunction adds the numbers of a list.
var sumFunction = cel.Function("sum", cel.Overload("sum_list", []*cel.Type{cel.ListType(cel.IntType)}, cel.IntType,
	cel.UnaryBinding(func(v ref.Val) ref.Val {
		var total ref.Val = types.IntZero
		for it := v.(traits.Lister).Iterator(); it.HasNext() == types.True; {
			total = total.(types.Int).Add(it.Next())
		}
		return total
	})))
