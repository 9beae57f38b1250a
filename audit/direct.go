package audit

import (
	"errors"
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// Most of what rules ask is one word about one element: used(el), owners(el),
// on(_0, "jumbo_frames"), el.platform == "aix". Such an expression is asked for
// without the expression language's machine, which calls a word by reflection
// and costs several times what the word does. The meaning is the machine's;
// where anything is out of the ordinary, the machine is asked itself.

// direct is an expression that gives a T.
type direct[T any] func(env map[string]any) (T, error)

// errAskMachine says that an expression is to be run by the machine.
var errAskMachine = errors.New("to be run by the expression language")

// asked is for the caller of a direct: what it gave, or false if the machine
// must run the expression. What is unknown is an answer too.
func asked[T any](d direct[T], env map[string]any) (v T, unsaid *unknown, ok bool) {
	if d == nil {
		return v, nil, false
	}
	defer func() {
		if recover() != nil { // a word's mistake: the machine names the rule
			ok = false
		}
	}()
	v, err := d(env)
	if err == nil {
		return v, nil, true
	}
	unsaid, ok = err.(*unknown)
	return v, unsaid, ok
}

// decided finds the direct form of a yes or no; nil if it has none.
func (s *scope) decided(n ast.Node) direct[bool] {
	switch n := n.(type) {
	case *ast.CallNode:
		if word(n) == "one_of" && len(n.Arguments) > 1 {
			return s.oneOf(n)
		}
		return called[bool](s, n)
	case *ast.BinaryNode:
		text, want := s.text(n.Left), constant(n.Right)
		if text == nil || want == nil {
			return s.compared(n)
		}
		if n.Operator != "==" && n.Operator != "!=" {
			return nil
		}
		equal := n.Operator == "=="
		return func(env map[string]any) (bool, error) {
			have, err := text(env)
			return (have == *want) == equal, err
		}
	}
	return nil
}

// listed finds the direct form of a list of elements; nil if it has none.
func (s *scope) listed(n ast.Node) direct[[]*element] {
	if n, ok := n.(*ast.CallNode); ok {
		return called[[]*element](s, n)
	}
	return nil
}

// one finds the direct form of an element: a variable, or a word about one.
func (s *scope) one(n ast.Node) direct[*element] {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if _, ok := s.words[n.Value].(*element); ok {
			return func(env map[string]any) (*element, error) {
				if e, ok := env[n.Value].(*element); ok && e != nil {
					return e, nil
				}
				return nil, errAskMachine
			}
		}
	case *ast.CallNode:
		find := called[*element](s, n)
		if find == nil {
			return nil
		}
		return func(env map[string]any) (*element, error) {
			e, err := find(env)
			if err == nil && e == nil {
				err = errAskMachine
			}
			return e, err
		}
	}
	return nil
}

// called finds the direct form of a word that is asked of one element, with no
// more than one text that is always the same.
func called[T any](s *scope, n *ast.CallNode) direct[T] {
	name := word(n)
	if name == "" || len(n.Arguments) < 1 || len(n.Arguments) > 2 {
		return nil
	}
	of := s.one(n.Arguments[0])
	if of == nil {
		return nil
	}
	text := ""
	if len(n.Arguments) == 2 {
		p := constant(n.Arguments[1])
		if p == nil {
			return nil
		}
		text = *p
	}
	if _, err := call[T](s.words[name], nil, ""); err != nil || reflect.TypeOf(s.words[name]).NumIn() != len(n.Arguments) {
		return nil
	}
	return func(env map[string]any) (none T, err error) {
		e, err := of(env)
		if err != nil {
			return none, err
		}
		return call[T](env[name], e, text)
	}
}

// call asks a word of an element. Without one it only tells whether it could.
func call[T any](word any, e *element, text string) (v T, err error) {
	switch f := word.(type) {
	case func(*element) T:
		if e != nil {
			v = f(e)
		}
	case func(*element) (T, error):
		if e != nil {
			v, err = f(e)
		}
	case func(*element, string) T:
		if e != nil {
			v = f(e, text)
		}
	case func(*element, string) (T, error):
		if e != nil {
			v, err = f(e, text)
		}
	default:
		return v, errAskMachine
	}
	return v, err
}

// oneOf finds the direct form of one_of(el.kind, "sea", "vnic").
func (s *scope) oneOf(n *ast.CallNode) direct[bool] {
	text := s.text(n.Arguments[0])
	if text == nil {
		return nil
	}
	var list []string
	for _, a := range n.Arguments[1:] {
		p := constant(a)
		if p == nil {
			return nil
		}
		list = append(list, *p)
	}
	return func(env map[string]any) (bool, error) {
		have, err := text(env)
		return slices.Contains(list, have), err
	}
}

// comparisons of numbers, by operator.
var comparisons = map[string]func(a, b int) bool{
	"==": func(a, b int) bool { return a == b }, "!=": func(a, b int) bool { return a != b },
	"<": func(a, b int) bool { return a < b }, "<=": func(a, b int) bool { return a <= b },
	">": func(a, b int) bool { return a > b }, ">=": func(a, b int) bool { return a >= b },
}

// compared finds the direct form of num(el, "mtu") > 1500, with a number or a
// word that gives one on either side.
func (s *scope) compared(n *ast.BinaryNode) direct[bool] {
	holds, left, right := comparisons[n.Operator], s.number(n.Left), s.number(n.Right)
	if holds == nil || left == nil || right == nil {
		return nil
	}
	return func(env map[string]any) (bool, error) {
		a, err := left(env)
		if err != nil {
			return false, err
		}
		b, err := right(env)
		return holds(a, b), err
	}
}

// number finds the direct form of a whole number.
func (s *scope) number(n ast.Node) direct[int] {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return func(map[string]any) (int, error) { return n.Value, nil }
	case *ast.CallNode:
		return called[int](s, n)
	case *ast.BuiltinNode:
		if n.Name != "len" || len(n.Arguments) != 1 {
			return nil
		}
		if list := s.listed(n.Arguments[0]); list != nil {
			return func(env map[string]any) (int, error) {
				all, err := list(env)
				return len(all), err
			}
		}
	}
	return nil
}

// text finds the direct form of a text: a field of an element, or what a word
// gives.
func (s *scope) text(n ast.Node) direct[string] {
	if n, ok := n.(*ast.CallNode); ok {
		return called[string](s, n)
	}
	return s.field(n)
}

// fields are what is always known of an element.
var fields = map[string]func(*element) string{
	"kind": func(e *element) string { return e.Kind }, "name": func(e *element) string { return e.Name },
	"host": func(e *element) string { return e.Host }, "platform": func(e *element) string { return e.Platform },
	"machine": func(e *element) string { return e.Machine }, "driver": func(e *element) string { return e.Driver },
}

// field finds the direct form of a field of an element.
func (s *scope) field(n ast.Node) direct[string] {
	m, ok := n.(*ast.MemberNode)
	if !ok || m.Optional {
		return nil
	}
	name := constant(m.Property)
	of := s.one(m.Node)
	if name == nil || of == nil || fields[*name] == nil {
		return nil
	}
	get := fields[*name]
	return func(env map[string]any) (string, error) {
		e, err := of(env)
		if err != nil {
			return "", err
		}
		return get(e), nil
	}
}

// word is the name of what is called.
func word(n *ast.CallNode) string {
	if id, ok := n.Callee.(*ast.IdentifierNode); ok {
		return id.Value
	}
	return ""
}

func constant(n ast.Node) *string {
	if s, ok := n.(*ast.StringNode); ok {
		return &s.Value
	}
	return nil
}
