package expr

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// Requirement is something without which a condition does not hold on an element: its
// kind, or an attribute with one of some values.
type Requirement struct {
	Kind      string   // empty: it is about an attribute
	Attribute string   // empty: it is about the kind
	Values    []string // of the attribute, in lower case; none: any
}

// switchedOn and switchedOff are what Bool takes for on and off.
var (
	switchedOn  = []string{"on", "yes", "1", "true", "enabled", "enable", "plso"}
	switchedOff = []string{"off", "no", "0", "false", "disabled", "disable"}
)

// Requires gives what a condition requires, as far as its form says it: those parts that
// all have to hold, joined by &&. An expression that does not compile requires nothing.
func (x *Expression) Requires() []Requirement {
	env, err := language()
	if err != nil {
		return nil
	}
	tree, issues := env.Compile(x.source)
	if issues.Err() != nil {
		return nil
	}
	return required(tree.NativeRep().Expr())
}

func required(e ast.Expr) (all []Requirement) {
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	switch call.FunctionName() {
	case operators.LogicalAnd:
		for _, part := range call.Args() {
			all = append(all, required(part)...)
		}
	case operators.Equals:
		for i, side := range call.Args() {
			value, isText := text(call.Args()[1-i])
			if isText {
				all = append(all, equals(side, value)...)
			}
		}
	case "on":
		all = append(all, attribute(e, switchedOn)...)
	case "off":
		all = append(all, attribute(e, switchedOff)...)
	}
	return all
}

// equals is what el.kind == value or el.attr(name) == value requires.
func equals(side ast.Expr, value string) []Requirement {
	if side.Kind() == ast.SelectKind && side.AsSelect().FieldName() == "kind" && judged(side.AsSelect().Operand()) {
		return []Requirement{{Kind: value}}
	}
	if side.Kind() == ast.CallKind && side.AsCall().FunctionName() == "attr" {
		return attribute(side, []string{value})
	}
	return nil
}

// attribute is what a call about an attribute of the judged element requires.
func attribute(e ast.Expr, values []string) []Requirement {
	call := e.AsCall()
	if !call.IsMemberFunction() || !judged(call.Target()) || len(call.Args()) != 1 {
		return nil
	}
	name, isText := text(call.Args()[0])
	if !isText {
		return nil
	}
	return []Requirement{{Attribute: name, Values: slices.Clone(values)}}
}

// judged says whether an expression is the judged element itself.
func judged(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == "el" }

// text is a literal text.
func text(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	value, isText := e.AsLiteral().(types.String)
	return strings.TrimSpace(string(value)), isText
}
