package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// source holds what the tool looks for in the repository.
type source struct {
	tests   map[string][]string // "folder Name" → the names of its table's cases
	readers map[string]bool     // "folder Name" of functions that read foreign text
	targets []target            // by folder
	files   map[string]bool     // files and folders

	used map[string]map[string]bool // folder → names that its fuzz targets and test variables use
}

// target are the fuzz targets of a folder.
type target struct {
	Folder string
	Names  []string
}

// readSource reads all Go files below a folder.
func readSource(root string) (*source, error) {
	s := &source{tests: map[string][]string{}, readers: map[string]bool{}, files: map[string]bool{}, used: map[string]map[string]bool{}}
	fuzz := map[string][]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != "." || d.Name() == "testdata"):
			return fs.SkipDir
		}
		s.files[p] = true
		if d.IsDir() || path.Ext(p) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(os.DirFS(root), p)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(p)
		if strings.HasSuffix(p, "_test.go") {
			fuzz[dir] = append(fuzz[dir], s.testFile(dir, f)...)
			return nil
		}
		s.sourceFile(dir, f)
		return nil
	})
	for _, dir := range slices.Sorted(maps.Keys(fuzz)) {
		if len(fuzz[dir]) > 0 {
			slices.Sort(fuzz[dir])
			s.targets = append(s.targets, target{dir, fuzz[dir]})
		}
	}
	return s, err
}

// has says whether a test or fuzz target exists, by folder and name.
func (s *source) has(test string) bool {
	if _, ok := s.tests[test]; ok {
		return true
	}
	folder, name, _ := strings.Cut(test, " ")
	return slices.ContainsFunc(s.targets, func(t target) bool { return t.Folder == folder && slices.Contains(t.Names, name) })
}

// testFile takes the tests of a file, and what its fuzz targets and variables use.
func (s *source) testFile(dir string, f *ast.File) (fuzz []string) {
	if s.used[dir] == nil {
		s.used[dir] = map[string]bool{}
	}
	note := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				s.used[dir][id.Name] = true
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil:
			case strings.HasPrefix(d.Name.Name, "Test"):
				s.tests[dir+" "+d.Name.Name] = cases(d.Body)
			case strings.HasPrefix(d.Name.Name, "Fuzz"):
				fuzz = append(fuzz, d.Name.Name)
				note(d.Body)
			}
		case *ast.GenDecl:
			note(d)
		}
	}
	return fuzz
}

// cases are the names in the first table of a test: the keys of a map, or the first
// texts of a list of structures.
func cases(body *ast.BlockStmt) []string {
	var names []string
	ast.Inspect(body, func(n ast.Node) bool {
		list, ok := n.(*ast.CompositeLit)
		if !ok || len(names) > 0 {
			return len(names) == 0
		}
		var found []string
		for _, e := range list.Elts {
			name, ok := caseName(list.Type, e)
			if ok {
				found = append(found, name)
			}
		}
		if len(found) == len(list.Elts) && len(found) > 1 {
			names = found
		}
		return len(names) == 0
	})
	return names
}

func caseName(of ast.Expr, element ast.Expr) (string, bool) {
	switch of.(type) {
	case *ast.MapType:
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return "", false
		}
		return literal(pair.Key)
	case *ast.ArrayType:
		one, ok := element.(*ast.CompositeLit)
		if !ok {
			return literal(element)
		}
		if len(one.Elts) == 0 {
			return "", false
		}
		return literal(one.Elts[0])
	}
	return "", false
}

func literal(e ast.Expr) (string, bool) {
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		e = pair.Value
	}
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	if len(text) > 120 {
		text = strings.ToValidUTF8(text[:120], "") + "…"
	}
	return text, err == nil && text != ""
}

// begins are how functions that read foreign text are called.
var begins = []string{"Parse", "Read", "Decode", "Resume", "Text", "JSON", "YAML"}

// sourceFile takes the exported functions of a file that read foreign text: bytes, a
// reader, or of a Parse function a string.
func (s *source) sourceFile(dir string, f *ast.File) {
	if strings.HasPrefix(dir, "internal/tools/") || strings.HasPrefix(dir, "internal/test/") {
		return
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(fn.Name.Name, b) }) {
			continue
		}
		for _, p := range fn.Type.Params.List {
			if foreign(fn.Name.Name, p.Type) {
				s.readers[dir+" "+fn.Name.Name] = true
			}
		}
	}
}

func foreign(name string, of ast.Expr) bool {
	if many, ok := of.(*ast.ArrayType); ok {
		id, ok := many.Elt.(*ast.Ident)
		return ok && id.Name == "byte"
	}
	if at, ok := of.(*ast.SelectorExpr); ok {
		return at.Sel.Name == "Reader"
	}
	id, ok := of.(*ast.Ident)
	return ok && id.Name == "string" && strings.HasPrefix(name, "Parse")
}

// unfuzzed are the readers that no fuzz target of their folder uses.
func (s *source) unfuzzed() []string {
	var out []string
	for _, reader := range slices.Sorted(maps.Keys(s.readers)) {
		dir, name, _ := strings.Cut(reader, " ")
		fuzzed := slices.ContainsFunc(s.targets, func(t target) bool { return t.Folder == dir })
		if !fuzzed || !s.used[dir][name] {
			out = append(out, reader)
		}
	}
	return out
}
