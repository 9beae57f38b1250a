package audit

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// function is what an expression may ask of an element with texts or numbers:
// el.attr("mtu").
type function struct {
	takes       []*cel.Type // besides the element
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
func asked[T any](get func(*session, *element, string) (T, error)) function {
	return function{takes: []*cel.Type{cel.StringType}, gives: typeOf[T](), call: func(n *node, args []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.element, str(args[0])))
	}}
}

// ofAttr makes a function of an attribute's name.
func ofAttr[T any](get func(*session, *element, string) (T, error)) function {
	f := asked(get)
	f.ofAttribute = true
	return f
}

// asked2 makes a function of two texts.
func asked2[T any](get func(s *session, e *element, a, b string) (T, error)) function {
	return function{takes: []*cel.Type{cel.StringType, cel.StringType}, gives: typeOf[T](), call: func(n *node, args []ref.Val) ref.Val {
		return n.s.answer(get(n.s, n.element, str(args[0]), str(args[1])))
	}}
}

// functions by name; doc.go explains them.
var functions = map[string]function{
	"attr":      ofAttr((*session).attr),
	"num":       ofAttr((*session).num),
	"nums":      ofAttr((*session).nums),
	"on":        ofAttr((*session).on),
	"off":       ofAttr((*session).off),
	"known":     ofAttr((*session).known),
	"allowed":   ofAttr((*session).allowed),
	"default":   ofAttr((*session).defaultOf),
	"effective": ofAttr((*session).effective),

	"flag":        asked((*session).flag),
	"counter":     asked((*session).counter),
	"has_counter": asked((*session).hasCounter),
	"ppm":         asked2((*session).ppm),
	"protocol":    asked((*session).protocol),
	"pool":        asked((*session).pool),

	"level":     asked2((*session).level),
	"installed": asked((*session).installed),
	"fact":      asked((*session).fact),
	"has_fact":  asked((*session).hasFact),

	"element":  asked((*session).named),
	"siblings": asked((*session).siblings),
	"unknown":  asked(func(_ *session, _ *element, what string) (bool, error) { return false, missing(what) }),
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
