package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
)

// maxSize bounds an expression, in code points; a site's rules are data too.
const maxSize = 20_000

// language is what every expression is compiled in: el is the judged element,
// its properties and functions are those of properties.go and functions.go.
var language = sync.OnceValues(func() (*cel.Env, error) {
	base, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{
		cel.Variable("el", elementType),
		cel.CustomTypeAdapter(base), cel.CustomTypeProvider(provider{base}),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(maxSize),
		ext.Math(),
		sumFunction,
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		options = append(options, functions[name].declare(name))
	}
	return cel.NewEnv(options...)
})

// provider knows the properties of elements and pools.
type provider struct{ types.Provider }

func (p provider) FindStructType(name string) (*types.Type, bool) {
	if properties[name] != nil {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

func (p provider) FindStructFieldNames(name string) ([]string, bool) {
	if fields := properties[name]; fields != nil {
		return slices.Sorted(maps.Keys(fields)), true
	}
	return p.Provider.FindStructFieldNames(name)
}

func (p provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	fields := properties[name]
	if fields == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	f, ok := fields[field]
	if !ok {
		return nil, false
	}
	return &types.FieldType{
		Type:  f.gives,
		IsSet: func(any) bool { return true },
		GetFrom: func(v any) (any, error) {
			if _, unknown := v.(*types.Unknown); unknown {
				return v, nil // a property of an element that is not known
			}
			return f.get(v), nil
		},
	}, true
}

// expression is compiled when it is first asked: one host needs few of them.
type expression struct {
	source  string
	program func() (cel.Program, error)
}

// compiledAs promises an expression of one of several types.
func compiledAs(source string, wanted ...*cel.Type) *expression {
	if source == "" {
		return nil
	}
	return &expression{source, sync.OnceValues(func() (cel.Program, error) {
		tree, err := checked(source)
		if err != nil {
			return nil, err
		}
		if t := tree.OutputType(); !slices.ContainsFunc(wanted, t.IsExactType) {
			return nil, fmt.Errorf("%q gives %s, want %s", source, t, wanted[0])
		}
		env, err := language()
		if err != nil {
			return nil, err
		}
		return env.Program(tree)
	})}
}

// checked parses an expression and finds its type.
func checked(source string) (*cel.Ast, error) {
	env, err := language()
	if err != nil {
		return nil, err
	}
	tree, issues := env.Compile(source)
	if err := issues.Err(); err != nil {
		if hint := modern(source); hint != "" {
			return nil, fmt.Errorf("%q is written in the form of an older version: %s", source, hint)
		}
		return nil, fmt.Errorf("%q: %w", source, err)
	}
	return tree, nil
}

// attributesIn lists the attributes that an expression asks for by name.
func attributesIn(source string) ([]string, error) {
	tree, err := checked(source)
	if err != nil {
		return nil, err
	}
	var names []string
	ast.PreOrderVisit(tree.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || !functions[e.AsCall().FunctionName()].ofAttribute || len(e.AsCall().Args()) == 0 {
			return
		}
		if a := e.AsCall().Args()[0]; a.Kind() == ast.LiteralKind {
			names = append(names, fmt.Sprint(a.AsLiteral().Value()))
		}
	}))
	return names, nil
}

// eval runs an expression about an element. What is unknown is a result too.
func (x *expression) eval(s *session, e *element) (ref.Val, error) {
	program, err := x.program()
	if err != nil {
		return nil, err
	}
	v, _, err := program.Eval(s.node(e).vars)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", x.source, err)
	}
	return v, nil
}

// decide runs a condition.
func (x *expression) decide(s *session, e *element) (answer, error) {
	v, err := x.eval(s, e)
	if err != nil {
		return answer{}, err
	}
	switch v := v.(type) {
	case types.Bool:
		return known(bool(v)), nil
	case *types.Unknown:
		return answer{open, missingIn(v)}, nil
	}
	return answer{}, fmt.Errorf("%q: not a yes or no: %v", x.source, v)
}

// holds says whether a condition that may be left out is certainly true.
func (x *expression) holds(s *session, e *element) (bool, error) {
	if x == nil {
		return true, nil
	}
	a, err := x.decide(s, e)
	return a.truth == yes, err
}

// elements runs an expression that gives one element or a list of them. What
// is unknown gives none.
func (x *expression) elements(s *session, e *element) ([]*element, error) {
	v, err := x.eval(s, e)
	if err != nil || types.IsUnknown(v) {
		return nil, err
	}
	if n, ok := v.(*node); ok {
		return []*element{n.element}, nil
	}
	list, err := v.ConvertToNative(nodesType)
	if err != nil {
		return nil, fmt.Errorf("%q: neither an element nor a list of them: %w", x.source, err)
	}
	var out []*element
	for _, n := range list.([]*node) {
		out = append(out, n.element)
	}
	return out, nil
}

// text runs an expression that gives a value to set; false if it is unknown.
func (x *expression) text(s *session, e *element) (string, bool, error) {
	v, err := x.eval(s, e)
	if err != nil || types.IsUnknown(v) {
		return "", false, err
	}
	return fmt.Sprint(v.Value()), true, nil
}

var errNotNative = errors.New("an element has no other form")
