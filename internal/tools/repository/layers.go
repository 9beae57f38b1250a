package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Layers are folders, top to bottom: a package belongs to the longest that it is
// in or below, and imports only packages of lower layers or of its own. The lab
// is apart from the tool: only its own program, seaworthy-lab, may import it.
var Layers = []string{
	"cmd", "internal/tools", "lab", "internal/cli", "internal/ui/top", "internal/ui/web", "internal/ui",
	"internal/app", "internal/tune", "internal/predict", "internal/measure", "internal/diagnose", "internal/change",
	"internal/fleet", "internal/history", "internal/audit",
	"internal/collect", "internal/inventory", "internal/knowledge", "internal/parse", "internal/remote", "internal/measure/probe",
	"internal/base", "internal/test",
}

// Package is one package of the module, as go list has it.
type Package struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// Packages lists the packages of the module below the current folder.
func Packages() ([]Package, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []Package
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

// LayerOf returns the layer that holds a package: "" for one of this module that
// is in none; false for packages of other modules.
func LayerOf(importPath string) (string, bool) {
	rest, ok := strings.CutPrefix(importPath, "seaworthy/")
	if !ok {
		return "", false
	}
	best := ""
	for _, l := range Layers {
		if (rest == l || strings.HasPrefix(rest, l+"/")) && len(l) > len(best) {
			best = l
		}
	}
	return best, true
}

// Imports returns, for each layer, the other layers of this module that its
// packages import, in the order of Layers.
func Imports(packages []Package) map[string][]string {
	uses := map[string][]string{}
	for _, p := range packages {
		own, ok := LayerOf(p.ImportPath)
		if !ok {
			continue
		}
		for _, imp := range p.Imports {
			target, inside := LayerOf(imp)
			if inside && target != own && !slices.Contains(uses[own], target) {
				uses[own] = append(uses[own], target)
			}
		}
	}
	for _, list := range uses {
		slices.SortFunc(list, func(a, b string) int { return slices.Index(Layers, a) - slices.Index(Layers, b) })
	}
	return uses
}
