// Which functions write to what their caller sees, and conditions that call them.

package plain

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// writes marks a function that assigns through its receiver or a parameter, or to
// a variable of its package. What it does by calling others is not followed.
type writes struct{}

func (*writes) AFact()         {}
func (*writes) String() string { return "writes" }

// iterators are asked for the next of something, as in for s.Scan().
var iterators = regexp.MustCompile(`^([Ss]can|[Nn]ext|[Aa]dvance|[Aa]ccept|[Ss]kip|[Tt]ake)`)

func exportWriters(pass *analysis.Pass) {
	if first, _, _ := strings.Cut(pass.Pkg.Path(), "/"); strings.Contains(first, ".") {
		return // other modules: some getters there fill what they return
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || iterators.MatchString(f.Name.Name) {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[f.Name].(*types.Func)
			if ok && assignsOutside(pass, f) {
				pass.ExportObjectFact(obj, new(writes))
			}
		}
	}
}

func assignsOutside(pass *analysis.Pass, f *ast.FuncDecl) bool {
	found := false
	note := func(target ast.Expr) {
		found = found || reachesOutside(pass, f, target)
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, target := range n.Lhs {
					note(target)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		}
		return !found
	})
	return found
}

// reachesOutside reports whether an assignment to target is seen by the caller of
// f: through a pointer, slice or map that came in, or a variable of the package.
// A map that only fills itself, as a cache does, counts as one that came in.
func reachesOutside(pass *analysis.Pass, f *ast.FuncDecl, target ast.Expr) bool {
	indirect := false
	for {
		switch e := ast.Unparen(target).(type) {
		case *ast.SelectorExpr:
			indirect = indirect || isReference(pass.TypesInfo.TypeOf(e.X))
			target = e.X
			continue
		case *ast.IndexExpr:
			indirect = indirect || isReference(pass.TypesInfo.TypeOf(e.X))
			target = e.X
			continue
		case *ast.StarExpr:
			indirect = true
			target = e.X
			continue
		case *ast.Ident:
			v, ok := pass.TypesInfo.ObjectOf(e).(*types.Var)
			if !ok {
				return false
			}
			if v.Parent() == pass.Pkg.Scope() {
				return true
			}
			return indirect && isParameter(pass, f, v)
		}
		return false
	}
}

func isReference(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

func isParameter(pass *analysis.Pass, f *ast.FuncDecl, v *types.Var) bool {
	lists := []*ast.FieldList{f.Recv, f.Type.Params}
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if pass.TypesInfo.Defs[name] == v {
					return true
				}
			}
		}
	}
	return false
}

func checkCases(pass *analysis.Pass, s *ast.SwitchStmt) {
	if s.Tag != nil {
		return // one value, computed once, in plain sight
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			checkCondition(pass, e)
		}
	}
}

// checkCondition reports calls that write. A condition that is the call alone, or
// its negation, reads as do it and see; among other questions a call hides.
func checkCondition(pass *analysis.Pass, cond ast.Expr) {
	binary := false
	if cond == nil {
		return
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			binary = binary || n.Op == token.LAND || n.Op == token.LOR
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
				pass.Reportf(lit.Pos(), "condition runs a function literal: compute the value before")
				return false
			}
			if f := called(pass, n); binary && f != nil && pass.ImportObjectFact(f, new(writes)) {
				pass.Reportf(n.Pos(), "condition calls %s, which writes: call it before", f.Name())
			}
		}
		return true
	})
}

// called returns the function or method that a call names; nil: a value, a
// conversion, a built-in.
func called(pass *analysis.Pass, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, _ := pass.TypesInfo.Uses[id].(*types.Func)
	return f
}
