package expr

import (
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"seaworthy/internal/knowledge"
)

// Look says how far from the judged element a condition looks.
type Look int

const (
	AtKind    Look = iota // at its kind
	AtElement             // at its own name, host and values of attributes as well
	AtHost                // at those of elements below it too, and of others of its host that are named
	Anywhere              // at what no fact of a history says, or at other hosts
)

// Asks are what a condition asks for, each sorted, of whatever element.
type Asks struct {
	Attributes []string // by name
	Relations  []string // adapter, ports, real, trunks, members, tunables
	Siblings   []string // kinds of other elements of the host
	Named      []string // other elements of the host
	Names      bool     // the name or the host of an element
}

// Near says whether they are about other elements than the judged one.
func (a Asks) Near() bool { return len(a.Relations)+len(a.Siblings)+len(a.Named) > 0 }

// Part is a condition as far as it looks within a limit. What looks further is left open: where
// the part does not hold, neither does the condition, and nothing is missing to decide it.
type Part struct {
	*Expression

	Whole bool // nothing is left open: the part is the condition
	Asks  Asks // of what is not left open
}

// read gives the expression as a tree, and what reads its parts.
func (x *Expression) read() (*cel.Env, *cel.Ast, *reader, error) {
	env, err := language()
	if err != nil {
		return nil, nil, nil, err
	}
	tree, issues := env.Compile(x.source)
	if issues.Err() != nil {
		return nil, nil, nil, issues.Err()
	}
	r, err := newReader(env, tree)
	return env, tree, r, err
}

// Within gives the part of a condition that looks within a limit. It keeps whole operands of
// &&, || and !; an attribute for which told says no is one that facts do not tell.
func (x *Expression) Within(limit Look, told func(attribute string) bool) (*Part, error) {
	env, tree, r, err := x.read()
	if err != nil {
		return nil, err
	}
	out := &Part{Whole: true}
	open := map[int64]bool{}
	for _, leaf := range operands(tree.NativeRep().Expr()) {
		look, asks := r.look(leaf)
		if look > limit || !all(asks.Attributes, told) {
			out.Whole = false
			open[leaf.ID()] = true
			continue
		}
		out.Asks.add(asks)
	}
	out.Expression = x
	if !out.Whole {
		out.Expression, err = leftOpen(env, x.source, open)
	}
	return out, err
}

// LeavesHost says whether a condition may lead to elements of other hosts, or to what only they show.
func (x *Expression) LeavesHost() (bool, error) {
	_, tree, r, err := x.read()
	if err != nil {
		return false, err
	}
	return r.leavesHost(tree.NativeRep().Expr()), nil
}

// operands are the parts of a condition that are joined by &&, || and !.
func operands(e ast.Expr) []ast.Expr {
	if e.Kind() != ast.CallKind {
		return []ast.Expr{e}
	}
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		var all []ast.Expr
		for _, part := range e.AsCall().Args() {
			all = append(all, operands(part)...)
		}
		return all
	}
	return []ast.Expr{e}
}

// leftOpen is a condition of which some operands are not known.
func leftOpen(env *cel.Env, source string, open map[int64]bool) (*Expression, error) {
	parsed, issues := env.Parse(source)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	next := ast.MaxID(parsed.NativeRep())
	id := func() int64 {
		next++
		return next
	}
	factory := ast.NewExprFactory()
	for _, leaf := range operands(parsed.NativeRep().Expr()) {
		if open[leaf.ID()] {
			leaf.SetKindCase(factory.NewMemberCall(leaf.ID(), "unknown", factory.NewIdent(id(), "el"),
				factory.NewLiteral(id(), types.String("what is left open"))))
		}
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return planned(env, source, checked), nil
}

func all(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(x string) bool { return !is(x) })
}

func (a *Asks) add(more Asks) {
	join := func(to *[]string, from []string) {
		*to = append(*to, from...)
		slices.Sort(*to)
		*to = slices.Compact(*to)
	}
	join(&a.Attributes, more.Attributes)
	join(&a.Relations, more.Relations)
	join(&a.Siblings, more.Siblings)
	join(&a.Named, more.Named)
	a.Names = a.Names || more.Names
}

// What the facts of a history say of an element.
var (
	ownValues = []string{"attr", "num", "nums", "on", "off", "known", "switched", "running_known", "default"}
	relations = []string{"adapter", "ports", "real", "trunks", "members", "tunables"}
)

// staying are members that no fact says, and that need no more than their own host.
var staying = []string{
	"platform", "driver", "module", "firmware", "product", "guest_port", "up", "flow_control", "channel", "ha_state", "bridge_mode",
	"shared_vlans", "active", "ifconfig_read", "has_next_boot", "isno", "drift", "unusual", "pools", "pool", "pool_name", "min", "max",
	"highest", "lowest", "setting", "allowed", "fixed", "effective", "flag", "flag_read", "counter", "has_counter", "ppm", "per_second",
	"protocol", "has_protocol", "level", "installed", "lacks_fix", "affected", "suspected", "logged", "runs", "nfs_mounts",
	"interim_fix", "tools_below", "above", "owners", "interfaces", "mounts_read", "errors_read", "lookup_read", "servers_read",
}

// reader reads the form of a condition.
type reader struct {
	env         *cel.Env
	tree        *ast.AST
	definitions map[string]string
	within      []string // definitions that are being read
}

func newReader(env *cel.Env, tree *cel.Ast) (*reader, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	return &reader{env: env, tree: tree.NativeRep(), definitions: cat.Definitions()}, nil
}

// look says how far an expression looks, and what it asks for if that is not Anywhere.
func (r *reader) look(e ast.Expr) (look Look, asks Asks) {
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(x ast.Expr) {
		further, more := r.lookOf(x)
		look = max(look, further)
		asks.add(more)
	}))
	if look < Anywhere && !r.unordered(e) {
		look = Anywhere
	}
	return look, asks
}

// lookOf is look of one node alone.
func (r *reader) lookOf(x ast.Expr) (Look, Asks) {
	t := r.tree.GetType(x.ID())
	if t == nil || t.Kind() == types.DynKind || t.Kind() == types.AnyKind {
		return Anywhere, Asks{}
	}
	if x.Kind() == ast.ComprehensionKind {
		c := x.AsComprehension()
		if slices.Contains([]string{c.IterVar(), c.IterVar2(), c.AccuVar()}, "el") {
			return Anywhere, Asks{} // el is another one there
		}
	}
	name, of, texts := r.memberOf(x)
	if name == "" {
		return AtKind, Asks{}
	}
	look, asks := r.lookOfMember(name, texts)
	if of.Kind() != ast.IdentKind || of.AsIdent() != "el" {
		look = max(look, AtHost)
	}
	return look, asks
}

// memberOf gives the property or function of an element that a node asks for, of which element, and with which texts; an
// empty name: none.
func (r *reader) memberOf(x ast.Expr) (name string, of ast.Expr, texts []ast.Expr) {
	switch x.Kind() {
	case ast.SelectKind:
		name, of = x.AsSelect().FieldName(), x.AsSelect().Operand()
	case ast.CallKind:
		if !x.AsCall().IsMemberFunction() {
			return "", nil, nil
		}
		name, of, texts = x.AsCall().FunctionName(), x.AsCall().Target(), x.AsCall().Args()
	default:
		return "", nil, nil
	}
	t := r.tree.GetType(of.ID())
	if t == nil || !t.IsExactType(elementType) {
		return "", nil, nil
	}
	return name, of, texts
}

func (r *reader) lookOfMember(name string, texts []ast.Expr) (Look, Asks) {
	definition := r.definitions[name]
	switch {
	case definition != "":
		return r.lookOfDefinition(name, definition)
	case name == "kind":
		return AtKind, Asks{}
	case name == "name", name == "host":
		return AtElement, Asks{Names: true}
	case slices.Contains(relations, name):
		return AtHost, Asks{Relations: []string{name}}
	case len(texts) != 1:
		return Anywhere, Asks{}
	}
	text, isText := text(texts[0])
	switch {
	case !isText:
	case slices.Contains(ownValues, name):
		return AtElement, Asks{Attributes: []string{text}}
	case name == "siblings":
		return AtHost, Asks{Siblings: []string{text}}
	case name == "element":
		return AtHost, Asks{Named: []string{text}}
	}
	return Anywhere, Asks{}
}

// lookOfDefinition is look of what the catalogue defines.
func (r *reader) lookOfDefinition(name, definition string) (Look, Asks) {
	body, tree := r.defined(name, definition)
	if body == nil {
		return Anywhere, Asks{}
	}
	return body.look(tree)
}

// defined reads a definition of the catalogue; nil: it does not end.
func (r *reader) defined(name, definition string) (*reader, ast.Expr) {
	if slices.Contains(r.within, name) {
		return nil, nil
	}
	tree, issues := r.env.Compile(definition)
	if issues.Err() != nil {
		return nil, nil
	}
	body := &reader{env: r.env, tree: tree.NativeRep(), definitions: r.definitions, within: append(slices.Clone(r.within), name)}
	return body, body.tree.Expr()
}

// unordered says whether the order of lists does not matter to an expression: facts keep none. They are only counted,
// looked into, or gone over for a yes or no.
func (r *reader) unordered(e ast.Expr) bool {
	allowed := map[int64]bool{}
	all := true
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(x ast.Expr) {
		switch x.Kind() {
		case ast.ListKind:
			allowed[x.ID()] = true
		case ast.ComprehensionKind:
			kind := r.tree.GetType(x.AsComprehension().AccuInit().ID()).Kind()
			allowed[x.AsComprehension().IterRange().ID()] = kind == types.BoolKind || kind == types.IntKind
		case ast.CallKind:
			call := x.AsCall()
			switch {
			case call.FunctionName() == operators.In:
				allowed[call.Args()[1].ID()] = true
			case call.FunctionName() == "size" && call.IsMemberFunction():
				allowed[call.Target().ID()] = true
			case call.FunctionName() == "size":
				allowed[call.Args()[0].ID()] = true
			}
		}
		if r.tree.GetType(x.ID()).Kind() == types.ListKind && !allowed[x.ID()] {
			all = false
		}
	}))
	return all
}

// leavesHost says whether an expression may lead to other hosts.
func (r *reader) leavesHost(e ast.Expr) bool {
	leaves := false
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(x ast.Expr) {
		name, _, texts := r.memberOf(x)
		if name == "" || leaves {
			return
		}
		if definition := r.definitions[name]; definition != "" {
			body, tree := r.defined(name, definition)
			leaves = body == nil || body.leavesHost(tree)
			return
		}
		look, _ := r.lookOfMember(name, texts)
		// The ports of a virtual machine are those of its KVM host.
		leaves = name == "ports" || look == Anywhere && !slices.Contains(staying, name)
	}))
	return leaves
}

// text is a literal text.
func text(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	value, isText := e.AsLiteral().(types.String)
	return string(value), isText
}
