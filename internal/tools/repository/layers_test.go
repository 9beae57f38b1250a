package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seaworthy/internal/tools/repository"
)

func packages(t *testing.T) []repository.Package {
	t.Helper()
	list, err := repository.Packages()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < len(repository.Layers) {
		t.Fatalf("go list gave %d packages, want at least one per layer (%d)", len(list), len(repository.Layers))
	}
	return list
}

func TestLayers(t *testing.T) {
	for _, p := range packages(t) {
		own, ok := repository.LayerOf(p.ImportPath)
		if !ok {
			continue
		}
		if own == "internal/test" { // test support serves all layers and may use them
			continue
		}
		level := slices.Index(repository.Layers, own)
		if level < 0 {
			t.Errorf("%s is in no layer", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			target, inside := repository.LayerOf(imp)
			if inside {
				if target == "internal/test" && own != "internal/test" {
					t.Errorf("%s imports %s: the product does not use test support", p.ImportPath, imp)
				}
				if l := slices.Index(repository.Layers, target); l < level {
					t.Errorf("%s imports %s: %s is above %s", p.ImportPath, imp, target, own)
				}
			}
		}
	}
}

// The tool is a static program for every host: what reaches into the kernel is
// in the lab's program only.
func TestToolLinksNoKernelPlumbing(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/seaworthy").Output()
	if err != nil {
		t.Fatalf("go list -deps: %v", err)
	}
	for imp := range strings.FieldsSeq(string(out)) {
		for _, kernel := range []string{"ebpf", "netlink", "netns", "nftables", "nfqueue", "fuse", "seaworthy/lab"} {
			if strings.Contains(imp, kernel) {
				t.Errorf("cmd/seaworthy links %s", imp)
			}
		}
	}
}

// Files are read by people: past 500 lines one file holds more than one thought.
func TestFileSizes(t *testing.T) {
	const limit = 500
	eachGoFile(t, func(path string, lines []string) {
		if len(lines) > limit {
			t.Errorf("%s has %d lines, the cap is %d", path, len(lines), limit)
		}
	})
}

// TestLineLengths: a line that is longer than a screen is wide hides its end.
// Tables in tests and generated files may be wider.
func TestLineLengths(t *testing.T) {
	const limit = 140
	eachGoFile(t, func(path string, lines []string) {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_bpfel.go") {
			return
		}
		for i, l := range lines {
			if n := utf8.RuneCountInString(l); n > limit {
				t.Errorf("%s:%d has %d columns, the cap is %d", path, i+1, n, limit)
			}
		}
	})
}

func eachGoFile(t *testing.T, check func(path string, lines []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "out") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		check(path, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
