package expr

import (
	"errors"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"seaworthy/internal/inventory/graph"
)

var (
	elementType  = cel.ObjectType("element")
	errNotNative = errors.New("an element has no other form")
)

// node is an element as expressions see it: its properties and functions are
// answered by a session, which notes what was looked at.
type node struct {
	*graph.Element
	s    *Session
	vars map[string]any // of an expression about it
}

func (n *node) ConvertToNative(reflect.Type) (any, error) { return nil, errNotNative }
func (n *node) ConvertToType(ref.Type) ref.Val            { return types.NewErr("%v", errNotNative) }
func (n *node) Equal(other ref.Val) ref.Val               { return types.Bool(other == ref.Val(n)) }
func (n *node) Type() ref.Type                            { return elementType }
func (n *node) Value() any                                { return n }

// node gives the one node of an element in this session.
func (s *Session) node(e *graph.Element) *node {
	n := s.nodes[e]
	if n == nil {
		n = &node{Element: e, s: s}
		n.vars = map[string]any{"el": n}
		s.nodes[e] = n
	}
	return n
}

// mostMissing is how many facts an unknown result names: of a condition over
// thousands of elements the others add nothing, and cel-go merges unknowns in
// time that grows with their number.
const mostMissing = 100

// answer makes a value of what a property or function gave; a missing fact makes
// an unknown that names it, the same one where it is met again. Unknowns are
// numbered in the order they are met.
func (s *Session) answer(v any, err error) ref.Val {
	if m, ok := err.(*graph.Missing); ok {
		fact := m.Fact
		if s.missing[fact] == nil && len(s.missing) >= mostMissing {
			fact = "other facts of its kind, more than are listed"
		}
		if s.missing[fact] == nil {
			s.missing[fact] = types.NewUnknown(int64(len(s.facts)), nil)
			s.facts = append(s.facts, fact)
		}
		return s.missing[fact]
	}
	if err != nil {
		return types.WrapErr(err)
	}
	switch v := v.(type) {
	case *graph.Element:
		return s.node(v)
	case []*graph.Element:
		list := make([]ref.Val, len(v))
		for i, e := range v {
			list[i] = s.node(e)
		}
		return types.NewRefValList(types.DefaultTypeAdapter, list)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

var kinds = map[reflect.Type]*cel.Type{
	reflect.TypeFor[bool](): cel.BoolType, reflect.TypeFor[string](): cel.StringType, reflect.TypeFor[float64](): cel.DoubleType,
	reflect.TypeFor[int](): cel.IntType, reflect.TypeFor[int64](): cel.IntType,
	reflect.TypeFor[*graph.Element](): elementType,
}

// typeOf gives the type under which expressions know a Go type.
func typeOf(t reflect.Type) *cel.Type {
	switch t.Kind() {
	case reflect.Slice:
		return cel.ListType(typeOf(t.Elem()))
	case reflect.Map:
		return cel.MapType(typeOf(t.Key()), typeOf(t.Elem()))
	}
	return kinds[t]
}
