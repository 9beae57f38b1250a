package repository_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
)

// named may name attributes: what reads and writes the platforms' own words, and lists
// that only show them.
var named = map[string]string{
	"internal/parse":              "reads what hosts print",
	"internal/inventory/assemble": "puts what codecs read under the names of attributes",
	"internal/collect":            "asks for devices",
	"internal/change/task":        "the command lines of platforms",
	"internal/test":               "test support",
	"internal/measure/probe":      "the helper on the hosts, which has no catalogue",
	"internal/tools":              "tests of the tree",
}

// ordinary are names of attributes that are words of their own, too.
var ordinary = []string{"mtu", "tx", "sg", "lro", "tso"}

var ruleID = regexp.MustCompile(`^R\d{3}$`)

// Data steers, not names in Go: rules, causes and attributes with a role are asked for by
// their properties.
func TestNoNamesInGo(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	causes, attributes := map[string]bool{}, map[string]bool{}
	for _, c := range cat.Causes() {
		// One of several words is nobody else's, unless an attribute has it.
		causes[c.ID] = strings.Contains(c.ID, "-") && !cat.Knows(c.ID)
	}
	for _, a := range cat.Attributes("") {
		attributes[a.Name] = attributes[a.Name] || a.Role != "" && !slices.Contains(ordinary, a.Name)
	}
	checked := 0
	eachLiteral(t, "internal", func(path, text string) {
		checked++
		switch {
		case ruleID.MatchString(text):
			t.Errorf("%s names the rule %s", path, text)
		case causes[text] && path != "internal/knowledge/role.go": // a role may be called as a cause is
			t.Errorf("%s names the cause %s", path, text)
		case attributes[text] && !excepted(path):
			t.Errorf("%s names the attribute %s: ask for its role", path, text)
		}
	})
	if checked == 0 {
		t.Error("no string of Go was looked at")
	}
}

func excepted(path string) bool {
	for at := range named {
		if path == at || strings.HasPrefix(path, at+"/") {
			return true
		}
	}
	return false
}

// eachLiteral calls f for every string of the tool's Go files, without tags and imports.
func eachLiteral(t *testing.T, internal string, f func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(internal, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(internal, path)
		if err != nil {
			return err
		}
		name := "internal/" + filepath.ToSlash(relative)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				n.Tag = nil
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil {
					f(name, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
