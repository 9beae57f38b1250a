package repository_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// textParsers finds the exported functions of a package that read a text: those
// called Parse… that take a string or bytes.
func textParsers(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Parse") {
			continue
		}
		for _, p := range fn.Type.Params.List {
			typ := p.Type
			if many, ok := typ.(*ast.ArrayType); ok {
				typ = many.Elt
			}
			if id, ok := typ.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "string") {
				names = append(names, fn.Name.Name)
				break
			}
		}
	}
	return names
}

// fuzzed collects the names that a test file's fuzz targets use, and those that
// stand in its variables: a codec under test holds its Parse there.
func fuzzed(f *ast.File, used map[string]bool) {
	note := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	targets := false
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && strings.HasPrefix(d.Name.Name, "Fuzz") {
				targets = true
				note(d.Body)
			}
		case *ast.GenDecl:
			note(d)
		}
	}
	used["Fuzz"] = used["Fuzz"] || targets
}

// TestEveryParseIsFuzzed: what a host or a user wrote is never trusted, so
// whatever reads it must have met every kind of bytes.
func TestEveryParseIsFuzzed(t *testing.T) {
	parsers := map[string][]string{} // package folder → functions
	used := map[string]map[string]bool{}
	err := fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != "." || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(p) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(p)
		if !strings.HasSuffix(p, "_test.go") {
			parsers[dir] = append(parsers[dir], textParsers(f)...)
			return nil
		}
		if used[dir] == nil {
			used[dir] = map[string]bool{}
		}
		fuzzed(f, used[dir])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for dir, names := range parsers {
		for _, name := range names {
			checked++
			if !used[dir]["Fuzz"] || !used[dir][name] {
				t.Errorf("%s: %s is used by no fuzz target of its package", dir, name)
			}
		}
	}
	if checked < 40 {
		t.Errorf("found %d functions that parse a text, want the 40 there are at least", checked)
	}
}
