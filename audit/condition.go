package audit

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// A condition is evaluated in three values. The connectives (and, or, not,
// ?:) and the quantifiers (any, all, none) over lists are ours; each boolean
// expression between them is a program of the expression language. A program
// that meets something unknown is open, and so is all that depends on it.
//

// condition is a compiled boolean expression.
type condition interface {
	decide(env map[string]any) (answer, error)
}

// condition compiles src.
func (l *language) condition(src string) (condition, error) {
	tree, err := parser.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", src, err)
	}
	return l.node(tree.Node, l.outer(), 0)
}

// optional compiles src, or gives nil if there is none.
func (l *language) optional(src string) (condition, error) {
	if src == "" {
		return nil, nil
	}
	return l.condition(src)
}

var connectives = map[string]truth{"and": no, "&&": no, "or": yes, "||": yes}

func (l *language) node(n ast.Node, s *scope, depth int) (condition, error) {
	switch n := n.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			inner, err := l.node(n.Node, s, depth)
			return negation{inner}, err
		}
	case *ast.BinaryNode:
		if dominant, ok := connectives[n.Operator]; ok {
			left, err := l.node(n.Left, s, depth)
			if err != nil {
				return nil, err
			}
			right, err := l.node(n.Right, s, depth)
			return junction{dominant, left, right}, err
		}
	case *ast.ConditionalNode:
		cond, err := l.node(n.Cond, s, depth)
		if err != nil {
			return nil, err
		}
		then, err := l.node(n.Exp1, s, depth)
		if err != nil {
			return nil, err
		}
		other, err := l.node(n.Exp2, s, depth)
		return choice{cond, then, other}, err
	case *ast.BuiltinNode:
		if len(n.Arguments) == 2 && (n.Name == "any" || n.Name == "all" || n.Name == "none") {
			return l.quantifier(n, s, depth)
		}
	}
	bind(&n, depth-1)
	if d := s.decided(n); d != nil {
		// Its words and their kinds have been looked at; the machine is hardly
		// ever asked, and is half of what compiling a rule takes.
		src := n.String()
		return leaf{sync.OnceValues(func() (*vm.Program, error) { return l.later(src, s) }), d}, nil
	}
	program, err := l.decision(n.String(), s)
	return leaf{compiledTo(program), nil}, err
}

// compiledTo is a program that was not put off.
func compiledTo(p *vm.Program) func() (*vm.Program, error) {
	return func() (*vm.Program, error) { return p, nil }
}

// quantifier compiles any(list, predicate) so that the predicate, too, is
// three-valued: within it the list's element is the variable _depth.
func (l *language) quantifier(n *ast.BuiltinNode, s *scope, depth int) (condition, error) {
	bind(&n.Arguments[0], depth-1)
	list, t, err := l.list(n.Arguments[0], s)
	if err != nil {
		return nil, err
	}
	if t.Kind() != reflect.Slice {
		return nil, fmt.Errorf("%s wants a list, %s is none", n.Name, n.Arguments[0])
	}
	predicate := n.Arguments[1]
	if p, ok := predicate.(*ast.PredicateNode); ok {
		predicate = p.Node
	}
	body, err := l.node(predicate, l.with(s, variable(depth), t.Elem()), depth+1)
	return quantifier{name: n.Name, list: list, direct: s.listed(n.Arguments[0]), variable: variable(depth), body: body}, err
}

// list compiles what a quantifier goes over; its type comes with it.
func (l *language) list(n ast.Node, s *scope) (func() (*vm.Program, error), reflect.Type, error) {
	src := n.String()
	if s.listed(n) != nil {
		return sync.OnceValues(func() (*vm.Program, error) {
			l.late.Lock()
			defer l.late.Unlock()
			program, _, err := l.value(src, s)
			return program, err
		}), reflect.TypeFor[[]*element](), nil
	}
	program, t, err := l.value(src, s)
	return compiledTo(program), t, err
}

func variable(depth int) string { return fmt.Sprintf("_%d", depth) }

// bind puts the variable of the enclosing quantifier in the place of "#". It
// does not enter predicates of other functions, whose "#" is their own.
func bind(n *ast.Node, depth int) {
	if depth < 0 {
		return
	}
	all := func(nodes []ast.Node) {
		for i := range nodes {
			bind(&nodes[i], depth)
		}
	}
	switch x := (*n).(type) {
	case *ast.PointerNode:
		if x.Name == "" {
			*n = &ast.IdentifierNode{Value: variable(depth)}
		}
	case *ast.UnaryNode:
		bind(&x.Node, depth)
	case *ast.BinaryNode:
		bind(&x.Left, depth)
		bind(&x.Right, depth)
	case *ast.ChainNode:
		bind(&x.Node, depth)
	case *ast.MemberNode:
		bind(&x.Node, depth)
		bind(&x.Property, depth)
	case *ast.CallNode:
		bind(&x.Callee, depth)
		all(x.Arguments)
	case *ast.BuiltinNode:
		all(x.Arguments)
	case *ast.ConditionalNode:
		bind(&x.Cond, depth)
		bind(&x.Exp1, depth)
		bind(&x.Exp2, depth)
	case *ast.ArrayNode:
		all(x.Nodes)
	}
}

type leaf struct {
	program func() (*vm.Program, error)
	direct  direct[bool]
}

func (l leaf) decide(env map[string]any) (answer, error) {
	if b, unsaid, ok := asked(l.direct, env); ok {
		if unsaid != nil {
			return answer{open, unsaid.what}, nil
		}
		return known(b), nil
	}
	program, err := l.program()
	if err != nil {
		return answer{}, err
	}
	v, err := expr.Run(program, env)
	if u := (*unknown)(nil); errors.As(err, &u) {
		return answer{open, u.what}, nil
	}
	if err != nil {
		return answer{}, err
	}
	b, ok := v.(bool)
	if !ok {
		return answer{}, fmt.Errorf("%s: not a yes or no: %v", program.Source().String(), v)
	}
	return known(b), nil
}

type negation struct{ inner condition }

func (n negation) decide(env map[string]any) (answer, error) {
	a, err := n.inner.decide(env)
	return a.not(), err
}

type junction struct {
	dominant    truth
	left, right condition
}

func (j junction) decide(env map[string]any) (answer, error) {
	a, err := j.left.decide(env)
	if err != nil || a.truth == j.dominant {
		return a, err
	}
	b, err := j.right.decide(env)
	return join(j.dominant, a, b), err
}

type choice struct{ cond, then, other condition }

func (c choice) decide(env map[string]any) (answer, error) {
	a, err := c.cond.decide(env)
	if err != nil {
		return a, err
	}
	switch a.truth {
	case yes:
		return c.then.decide(env)
	case no:
		return c.other.decide(env)
	}
	// The choice does not matter if both ways agree.
	x, err := c.then.decide(env)
	if err != nil {
		return x, err
	}
	y, err := c.other.decide(env)
	if err == nil && x.truth == y.truth && x.truth != open {
		return x, nil
	}
	return a, err
}

type quantifier struct {
	name     string
	list     func() (*vm.Program, error)
	direct   direct[[]*element]
	variable string
	body     condition
}

func (q quantifier) decide(env map[string]any) (answer, error) {
	if list, unsaid, ok := asked(q.direct, env); ok {
		if unsaid != nil {
			return answer{open, unsaid.what}, nil
		}
		return q.over(len(list), func(i int) any { return list[i] }, env)
	}
	list, err := q.list()
	if err != nil {
		return answer{}, err
	}
	v, err := expr.Run(list, env)
	if u := (*unknown)(nil); errors.As(err, &u) {
		return answer{open, u.what}, nil
	}
	if err != nil {
		return answer{}, err
	}
	items := reflect.ValueOf(v)
	return q.over(items.Len(), func(i int) any { return items.Index(i).Interface() }, env)
}

// over asks of each of n items, until the outcome is certain.
func (q quantifier) over(n int, item func(i int) any, env map[string]any) (answer, error) {
	dominant, result := yes, answer{truth: no}
	if q.name == "all" {
		dominant, result = no, answer{truth: yes}
	}
	// Variables are named by depth, so the caller's are not overwritten.
	for i := range n {
		env[q.variable] = item(i)
		a, err := q.body.decide(env)
		if err != nil {
			return a, err
		}
		result = join(dominant, result, a)
		if result.truth == dominant {
			break
		}
	}
	if q.name == "none" {
		result = result.not()
	}
	return result, nil
}
