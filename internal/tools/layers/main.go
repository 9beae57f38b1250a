// Layers writes the picture of the layers into docs/architecture.md, from what the
// packages import. Run it with make layers.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"seaworthy/internal/tools/repository"
)

const (
	page  = "docs/architecture.md"
	begin = "<!-- made by make layers: begin -->\n"
	end   = "<!-- made by make layers: end -->\n"
)

func main() {
	if err := update(page); err != nil {
		fmt.Fprintln(os.Stderr, "layers:", err)
		os.Exit(1)
	}
}

func update(file string) error {
	packages, err := repository.Packages()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, found := strings.Cut(rest, end)
	if !ok || !found {
		return errors.New(file + ": no place for the picture")
	}
	picture := draw(repository.Imports(packages))
	return os.WriteFile(file, []byte(before+begin+picture+end+after), 0o644)
}

// draw returns the layers as a Mermaid graph. An arrow that follows from others
// is left out.
func draw(uses map[string][]string) string {
	var b strings.Builder
	b.WriteString("```mermaid\ngraph TD\n")
	for _, layer := range repository.Layers {
		if layer == "internal/test" || len(uses[layer]) == 0 && !isUsed(uses, layer) {
			continue
		}
		fmt.Fprintf(&b, "  %s[%q]\n", node(layer), layer)
		for _, target := range uses[layer] {
			if !followsFromOthers(uses, layer, target) {
				fmt.Fprintf(&b, "  %s --> %s\n", node(layer), node(target))
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

func node(layer string) string { return strings.ReplaceAll(layer, "/", "_") }

func isUsed(uses map[string][]string, layer string) bool {
	for _, list := range uses {
		if slices.Contains(list, layer) {
			return true
		}
	}
	return false
}

// followsFromOthers reports whether target is reached from layer by way of
// another layer that it imports.
func followsFromOthers(uses map[string][]string, layer, target string) bool {
	for _, via := range uses[layer] {
		if via == target {
			continue
		}
		if reaches(uses, via, target, map[string]bool{}) {
			return true
		}
	}
	return false
}

func reaches(uses map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, next := range uses[from] {
		if reaches(uses, next, to, seen) {
			return true
		}
	}
	return false
}
