package plain

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Limits of a function's lines and of a type's methods.
const (
	MaxLines   = 60
	MaxMethods = 30
	MaxValues  = 3
)

// Analyzer reports what package plain lists. Its facts say which functions write
// to what their caller can see.
var Analyzer = &analysis.Analyzer{
	Name:      "plain",
	Doc:       "one statement does one thing, a condition only asks",
	URL:       "https://pkg.go.dev/seaworthy/internal/tools/plain",
	Run:       run,
	FactTypes: []analysis.Fact{new(writes)},
}

func run(pass *analysis.Pass) (any, error) {
	exportWriters(pass)
	checkMethods(pass)
	for _, file := range pass.Files {
		if ast.IsGenerated(file) {
			continue
		}
		checkShadowedImports(pass, file)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				checkInitialiser(pass, n.Init, n.Cond)
				checkCondition(pass, n.Cond)
			case *ast.ForStmt:
				checkInitialiser(pass, n.Init, nil)
				checkCondition(pass, n.Cond)
			case *ast.SwitchStmt:
				checkInitialiser(pass, n.Init, nil)
				checkCases(pass, n)
			case *ast.TypeSwitchStmt:
				checkInitialiser(pass, n.Init, nil)
			case *ast.IndexExpr:
				checkIndexedLiteral(pass, n)
			case *ast.AssignStmt:
				checkAssignment(pass, n)
			case *ast.FuncDecl:
				checkLength(pass, n)
			}
			return true
		})
	}
	return nil, nil
}

// checkInitialiser takes the condition of an if, nil for other statements: what a
// loop or a switch declares is used in its body.
func checkInitialiser(pass *analysis.Pass, init ast.Stmt, cond ast.Expr) {
	if init == nil {
		return
	}
	assign, ok := init.(*ast.AssignStmt)
	if !ok {
		pass.Reportf(init.Pos(), "initialiser does something: make it a statement of its own")
		return
	}
	if assign.Tok != token.DEFINE && !assignsErrorOfOneCall(pass, assign) {
		pass.Reportf(init.Pos(), "initialiser assigns: declare with := or assign before")
		return
	}
	if cond != nil && !mentions(pass, cond, assign.Lhs) {
		pass.Reportf(init.Pos(), "condition does not ask about what its initialiser sets")
	}
}

func assignsErrorOfOneCall(pass *analysis.Pass, a *ast.AssignStmt) bool {
	if a.Tok != token.ASSIGN || len(a.Rhs) != 1 {
		return false
	}
	if _, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); !ok {
		return false
	}
	for _, to := range a.Lhs {
		if isError(pass.TypesInfo.TypeOf(to)) {
			return true
		}
	}
	return false
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// mentions reports whether e uses one of the variables.
func mentions(pass *analysis.Pass, e ast.Expr, variables []ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		used, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		for _, v := range variables {
			found = found || sameVariable(pass, used, v)
		}
		return !found
	})
	return found
}

func sameVariable(pass *analysis.Pass, a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.Ident:
		id, ok := b.(*ast.Ident)
		return ok && pass.TypesInfo.ObjectOf(a) != nil && pass.TypesInfo.ObjectOf(a) == pass.TypesInfo.ObjectOf(id)
	case *ast.SelectorExpr:
		sel, ok := b.(*ast.SelectorExpr)
		return ok && a.Sel.Name == sel.Sel.Name && sameVariable(pass, a.X, sel.X)
	}
	return false
}

func checkIndexedLiteral(pass *analysis.Pass, e *ast.IndexExpr) {
	lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
	if !ok {
		return
	}
	pass.Reportf(lit.Pos(), "literal is indexed where it stands: use if or switch, or name the table")
}

func checkAssignment(pass *analysis.Pass, a *ast.AssignStmt) {
	if len(a.Lhs) > MaxValues && len(a.Rhs) > 1 {
		pass.Reportf(a.Pos(), "%d values are assigned at once: make it several statements", len(a.Lhs))
	}
}

func checkShadowedImports(pass *analysis.Pass, file *ast.File) {
	imports := map[string]bool{}
	for _, spec := range file.Imports {
		if name := pass.TypesInfo.PkgNameOf(spec); name != nil {
			imports[name.Name()] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !imports[id.Name] {
			return true
		}
		obj := pass.TypesInfo.Defs[id]
		if v, ok := obj.(*types.Var); ok && v.IsField() {
			return true
		}
		if _, isPackage := obj.(*types.PkgName); obj == nil || isPackage || obj.Parent() == nil {
			return true
		}
		pass.Reportf(id.Pos(), "%s hides an import", id.Name)
		return true
	})
}

// checkLength leaves tests alone: their tables are long for a reason.
func checkLength(pass *analysis.Pass, f *ast.FuncDecl) {
	if f.Body == nil || strings.HasSuffix(pass.Fset.Position(f.Pos()).Filename, "_test.go") {
		return
	}
	lines := pass.Fset.Position(f.End()).Line - pass.Fset.Position(f.Pos()).Line + 1
	if lines > MaxLines && lines-longestLiteral(pass, f.Body) > MaxLines/2 {
		pass.Reportf(f.Name.Pos(), "%s has %d lines: split it", f.Name.Name, lines)
	}
}

// longestLiteral returns the lines of the longest composite literal: a function
// that is little else is a list.
func longestLiteral(pass *analysis.Pass, body *ast.BlockStmt) int {
	longest := 0
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			longest = max(longest, pass.Fset.Position(lit.End()).Line-pass.Fset.Position(lit.Pos()).Line)
		}
		return true
	})
	return longest
}

func checkMethods(pass *analysis.Pass) {
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || typ.IsAlias() {
			continue
		}
		named, ok := typ.Type().(*types.Named)
		if ok && named.NumMethods() > MaxMethods {
			pass.Reportf(typ.Pos(), "%s has %d methods: it knows too much", name, named.NumMethods())
		}
	}
}
