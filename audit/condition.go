package audit

import (
	"errors"
	"fmt"
	"maps"
	"reflect"

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
// maxNodes bounds a rule's expression; a site's rules are data too.
const maxNodes = 2000

// condition is a compiled boolean expression.
type condition interface {
	decide(env map[string]any) (answer, error)
}

// compileCondition compiles src against the words of env.
func compileCondition(src string, env map[string]any) (condition, error) {
	tree, err := parser.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", src, err)
	}
	c := compiler{env: env}
	return c.node(tree.Node, env, 0)
}

type compiler struct{ env map[string]any }

func (c compiler) node(n ast.Node, env map[string]any, depth int) (condition, error) {
	switch n := n.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			inner, err := c.node(n.Node, env, depth)
			return negation{inner}, err
		}
	case *ast.BinaryNode:
		dominant := map[string]truth{"and": no, "&&": no, "or": yes, "||": yes}
		if d, ok := dominant[n.Operator]; ok {
			left, err := c.node(n.Left, env, depth)
			if err != nil {
				return nil, err
			}
			right, err := c.node(n.Right, env, depth)
			return junction{d, left, right}, err
		}
	case *ast.ConditionalNode:
		cond, err := c.node(n.Cond, env, depth)
		if err != nil {
			return nil, err
		}
		then, err := c.node(n.Exp1, env, depth)
		if err != nil {
			return nil, err
		}
		other, err := c.node(n.Exp2, env, depth)
		return choice{cond, then, other}, err
	case *ast.BuiltinNode:
		if len(n.Arguments) == 2 && (n.Name == "any" || n.Name == "all" || n.Name == "none") {
			return c.quantifier(n, env, depth)
		}
	}
	return c.leaf(n, env, depth)
}

// quantifier compiles any(list, predicate) so that the predicate, too, is
// three-valued: within it the list's element is the variable _depth.
func (c compiler) quantifier(n *ast.BuiltinNode, env map[string]any, depth int) (condition, error) {
	bind(&n.Arguments[0], depth-1)
	list, err := compileValue(n.Arguments[0].String(), env)
	if err != nil {
		return nil, err
	}
	t := list.Node().Type()
	if t == nil || t.Kind() != reflect.Slice {
		return nil, fmt.Errorf("%s wants a list, %s is none", n.Name, n.Arguments[0])
	}
	inner := maps.Clone(env)
	inner[variable(depth)] = reflect.Zero(t.Elem()).Interface()
	predicate := n.Arguments[1]
	if p, ok := predicate.(*ast.PredicateNode); ok {
		predicate = p.Node
	}
	body, err := c.node(predicate, inner, depth+1)
	return quantifier{name: n.Name, list: list, variable: variable(depth), body: body}, err
}

func (c compiler) leaf(n ast.Node, env map[string]any, depth int) (condition, error) {
	bind(&n, depth-1)
	program, err := compileValue(n.String(), env, expr.AsBool())
	return leaf{program}, err
}

func compileValue(src string, env map[string]any, more ...expr.Option) (*vm.Program, error) {
	options := append([]expr.Option{expr.Env(env), expr.MaxNodes(maxNodes),
		expr.DisableBuiltin("now"), expr.DisableBuiltin("repeat")}, more...)
	program, err := expr.Compile(src, options...)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", src, err)
	}
	return program, nil
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

type leaf struct{ program *vm.Program }

func (l leaf) decide(env map[string]any) (answer, error) {
	v, err := expr.Run(l.program, env)
	if u := (*unknown)(nil); errors.As(err, &u) {
		return answer{open, u.what}, nil
	}
	if err != nil {
		return answer{}, err
	}
	b, ok := v.(bool)
	if !ok {
		return answer{}, fmt.Errorf("%s: not a yes or no: %v", l.program.Source().String(), v)
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
	list     *vm.Program
	variable string
	body     condition
}

func (q quantifier) decide(env map[string]any) (answer, error) {
	v, err := expr.Run(q.list, env)
	if u := (*unknown)(nil); errors.As(err, &u) {
		return answer{open, u.what}, nil
	}
	if err != nil {
		return answer{}, err
	}
	dominant, result := yes, answer{truth: no}
	if q.name == "all" {
		dominant, result = no, answer{truth: yes}
	}
	items := reflect.ValueOf(v)
	inner := maps.Clone(env)
	for i := range items.Len() {
		inner[q.variable] = items.Index(i).Interface()
		a, err := q.body.decide(inner)
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
