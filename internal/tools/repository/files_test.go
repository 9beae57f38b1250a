package repository_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// notOutputs are the places that make files which are none of seaworthy's on this
// machine.
var notOutputs = map[string]string{
	"internal/base/fileio":         "is what writes files",
	"internal":                     "serves tests",
	"internal/tools/layers":        "is run in the source tree",
	"internal/tools/fieldcases":    "is run in the source tree",
	"internal/tools/benchmarks":    "is run in the source tree",
	"lab/rootfs":                   "makes a node's own file system",
	"lab/supervisor/limits.go":     "sets the kernel's files",
	"lab/supervisor/nodethread.go": "makes a node's own file system",
	"lab/profile":                  "is a node's command: tprof, trace",
	"lab/traffic":                  "is a node's command: ftp",
	"lab/shim/inittab.go":          "is a node's command: mkitab, rmitab",
	"lab/wire":                     "sets the kernel's files",
	"lab/quota":                    "sets the kernel's files",
}

// Everything that is left on the machine is written by package fileio.
func TestFilesAreWrittenByOnePackage(t *testing.T) {
	makes := map[string]bool{
		"Create": true, "CreateTemp": true, "WriteFile": true, "Mkdir": true, "MkdirAll": true, "MkdirTemp": true,
		"OpenFile": true, "Link": true, "Symlink": true,
	}
	used := map[string]bool{}
	eachGoFile(t, func(path string, lines []string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, strings.Join(lines, "\n"), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !makes[f.Sel.Name] {
				return true
			}
			if pkg, ok := f.X.(*ast.Ident); !ok || pkg.Name != "os" && pkg.Name != "ioutil" {
				return true
			}
			if f.Sel.Name == "OpenFile" && len(call.Args) == 3 && !names(call.Args[1], "O_CREATE") {
				return true
			}
			for at := path; at != "."; at = filepath.Dir(at) {
				if notOutputs[at] != "" {
					used[at] = true
					return true
				}
			}
			t.Errorf("%s calls os.%s: files are written by package fileio", path, f.Sel.Name)
			return true
		})
	})
	for at := range notOutputs {
		if !used[at] {
			t.Errorf("%s makes no files: take it off the list", at)
		}
	}
}

// names: an expression has an identifier of that name.
func names(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}
