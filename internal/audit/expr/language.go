package expr

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
)

// maxSize bounds an expression, in code points; a site's rules are data too.
const maxSize = 20_000

// language holds what every expression is compiled in: el is the judged element,
// its properties and functions are those of properties.go, functions.go and the
// catalogue's definitions.
var language = sync.OnceValues(func() (*cel.Env, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	base, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	var env *cel.Env // of the definitions too
	options := []cel.EnvOption{
		cel.Variable("el", elementType),
		cel.CustomTypeAdapter(base), cel.CustomTypeProvider(provider{base, properties(cat, func() *cel.Env { return env })}),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(maxSize),
		ext.Math(), ext.Bindings(), ext.Lists(),
		sumFunction,
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		options = append(options, functions[name].declare(name))
	}
	env, err = cel.NewEnv(options...)
	return env, err
})

type provider struct {
	types.Provider
	properties map[string]lazy
}

func (p provider) FindStructType(name string) (*types.Type, bool) {
	if name == "element" {
		return types.NewTypeTypeWithParam(elementType), true
	}
	return p.Provider.FindStructType(name)
}

func (p provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	read := p.properties[field]
	if name != "element" || read == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	f, err := read()
	if err != nil {
		return nil, false
	}
	// A property of an element that is not known is not known.
	get := func(v any) ref.Val {
		if unknown, ok := v.(*types.Unknown); ok {
			return unknown
		}
		return f.get(v.(*node), nil)
	}
	return &types.FieldType{
		Type:    f.gives,
		IsSet:   func(v any) bool { return !types.IsUnknown(get(v)) },
		GetFrom: func(v any) (any, error) { return get(v), nil },
	}, true
}

// Expression is compiled when it is first asked: one host needs few of them.
type Expression struct {
	source  string
	program func() (program, error)
}

type program struct {
	cel.Program
	nested bool // a loop in a loop: it may take longer than anybody waits
}

// Kind holds what an expression promises.
type Kind int

const (
	Condition Kind = iota // a yes or no
	Related               // an element or a list of them
	Value                 // a text or a number
)

var promised = map[Kind][]*cel.Type{
	Condition: {cel.BoolType, cel.DynType},
	Related:   {cel.ListType(elementType), elementType},
	Value:     {cel.IntType, cel.StringType, cel.DoubleType, cel.BoolType},
}

// New is an expression of that kind.
func New(kind Kind, source string) *Expression { return compiledAs(source, promised[kind]) }

func compiledAs(source string, wanted []*cel.Type) *Expression {
	return &Expression{source, sync.OnceValues(func() (program, error) {
		env, err := language()
		if err != nil {
			return program{}, err
		}
		tree, issues := env.Compile(source)
		if err := issues.Err(); err != nil {
			if hint := newForm(source); hint != "" {
				return program{}, fmt.Errorf("%q is written in the form of an older version: %s", source, hint)
			}
			return program{}, fmt.Errorf("%q: %w", source, err)
		}
		if t := tree.OutputType(); !slices.ContainsFunc(wanted, t.IsExactType) {
			return program{}, fmt.Errorf("%q gives %s, want %s", source, t, wanted[0])
		}
		return plan(env, tree)
	})}
}

// planned is an expression that is compiled.
func planned(env *cel.Env, source string, tree *cel.Ast) *Expression {
	return &Expression{source, sync.OnceValues(func() (program, error) { return plan(env, tree) })}
}

func plan(env *cel.Env, tree *cel.Ast) (p program, err error) {
	p.nested = nested(tree)
	p.Program, err = env.Program(tree, cel.InterruptCheckFrequency(1000))
	return p, err
}

func nested(tree *cel.Ast) bool {
	for _, loop := range ast.MatchDescendants(ast.NavigateAST(tree.NativeRep()), ast.KindMatcher(ast.ComprehensionKind)) {
		for p, ok := loop.Parent(); ok; p, ok = p.Parent() {
			if p.Kind() == ast.ComprehensionKind {
				return true
			}
		}
	}
	return false
}

// longest is how long an expression with nested loops may take for one element.
const longest = 3 * time.Second

var errTooLong = errors.New("its nested loops take too long: shorten the lists that they go over")

// eval runs an expression about an element. What is unknown is a result too; nil, if it
// failed: the session keeps why.
func (x *Expression) eval(s *Session, e *graph.Element) (v ref.Val) {
	program, err := x.program()
	clear(s.missing)
	s.facts = s.facts[:0]
	switch {
	case err != nil:
	case !program.nested:
		v, _, err = program.Eval(s.node(e).vars)
	case s.endless[x]:
		err = errTooLong
	default:
		ctx, stop := context.WithTimeoutCause(s.ctx, s.longest, errTooLong)
		defer stop()
		v, _, err = program.ContextEval(ctx, s.node(e).vars)
		s.endless[x] = errors.Is(err, errTooLong)
	}
	if err != nil {
		s.fail(x.source, err)
		return nil
	}
	return v
}

// Decide runs a condition.
func (x *Expression) Decide(s *Session, e *graph.Element) Answer {
	switch v := x.eval(s, e).(type) {
	case types.Bool:
		if v {
			return Answer{Truth: Yes}
		}
		return Answer{Truth: No}
	case *types.Unknown:
		return Answer{Unknown, s.missingIn(v)}
	case nil:
	default:
		s.fail(x.source, fmt.Errorf("not a yes or no: %v", v))
	}
	return Answer{Truth: Unknown}
}

// Elements runs an expression that gives one element or a list of them. What
// is unknown gives none.
func (x *Expression) Elements(s *Session, e *graph.Element) (out []*graph.Element) {
	switch v := x.eval(s, e).(type) {
	case *node:
		return []*graph.Element{v.Element}
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True; {
			out = append(out, it.Next().(*node).Element)
		}
	}
	return out
}

// Text runs an expression that gives a value to set; false if it is unknown.
func (x *Expression) Text(s *Session, e *graph.Element) (string, bool) {
	v := x.eval(s, e)
	if v == nil || types.IsUnknown(v) {
		return "", false
	}
	return fmt.Sprint(v.Value()), true
}

// call is that of a function with a text.
var call = regexp.MustCompile(`\.(\w+)\(\s*["']([^"']*)["']`)

// Verify compiles an expression; an attribute that the catalogue does not have
// is an error.
func (x *Expression) Verify() error {
	if _, err := x.program(); err != nil {
		return err
	}
	cat, err := knowledge.Load()
	if err != nil {
		return err
	}
	for _, m := range call.FindAllStringSubmatch(x.source, -1) {
		if slices.Contains(ofAttribute, m[1]) && !cat.Knows(m[2]) {
			return fmt.Errorf("%q: there is no attribute %s (seaworthy attributes ls)", x.source, m[2])
		}
	}
	return nil
}

var (
	literal  = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	oldWords = regexp.MustCompile(`(#)|\b(and|or|not)\b|(\.?\w+)\(`) // a method, .name(, is in the new form
)

// newForm shows the new form of what an expression of the language before CEL
// holds; empty if there is nothing of it.
func newForm(source string) string {
	cat, err := knowledge.Load()
	if err != nil {
		return ""
	}
	var hints []string
	for _, m := range oldWords.FindAllStringSubmatch(literal.ReplaceAllString(source, `""`), -1) {
		word := m[1] + m[2] + m[3]
		now := cat.OldWord(word)
		if _, ok := functions[word]; ok {
			now = "el." + word + "(…)"
		} else if cat.Definitions()[word] != "" || builtIn[word].get != nil {
			now = "el." + word
		}
		if hint := word + " is now " + now; now != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	return strings.Join(hints, "; ")
}
