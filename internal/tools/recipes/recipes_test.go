package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
)

// Each recipe touches as many files as it states, and what it makes passes the tests of
// its packages. Those run for one walk in four, since they compile much.
func TestWalks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git, which lists the files to copy, is not here")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("git", "-C", root, "rev-parse").Run(); err != nil {
		t.Skip("this is not a git working tree: nothing lists the files to copy")
	}
	all, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("got %d walks, %v", len(all), err)
	}
	tested := map[string]bool{}
	for _, file := range draw.OneIn(t, len(all), all) {
		tested[file] = true
	}
	for _, file := range all {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, err := Parse(text)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			stated, err := Stated(root, w.Recipe)
			if err != nil {
				t.Fatal(err)
			}
			if files := w.Files(); !stated.Holds(len(files)) {
				t.Errorf("docs/recipes/%s states %s files, the walk touches %d: %s", w.Recipe, stated, len(files), strings.Join(files, ", "))
			}
			dir := t.TempDir()
			if err := Copy(t.Context(), root, dir); err != nil {
				t.Fatal(err)
			}
			if err := w.Apply(dir); err != nil {
				t.Fatal(err)
			}
			if !tested[file] {
				return
			}
			if err := w.RunTests(t.Context(), dir); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEdit(t *testing.T) {
	got, err := edit("a\nb\nc\n", "=== after\na\n=== new\na2\n=== old\nc\n=== new\nC\n")
	if want := "a\na2\nb\nC\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for name, blocks := range map[string]string{
		"no such text":    "=== old\nx\n=== new\ny\n",
		"text twice":      "=== after\n\n=== new\ny\n",
		"no pair":         "=== old\na\n",
		"new comes first": "=== new\na\n=== old\nb\n",
		"no block":        "a\n",
	} {
		if got, err := edit("a\n\n\nb\n", blocks); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

func TestStated(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "docs", "recipes")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", "| [A](a.md) that is small | 1 YAML, no Go |\n| [B](b.md) | up to 4 |\n| [C](c.md) | 3 |\n")
	write("a.md", "# A\n\nFiles apart from tests: 1, no Go.\n")
	write("b.md", "Files apart from tests: up to 4.\n")
	write("c.md", "Files apart from tests: 2.\n")
	write("d.md", "Files apart from tests: 2.\n")
	write("e.md", "Some files.\n")
	for recipe, want := range map[string]string{"a.md": "1", "b.md": "up to 4"} {
		if got, err := Stated(root, recipe); err != nil || got.String() != want {
			t.Errorf("%s: got %s, %v, want %s", recipe, got, err, want)
		}
	}
	for recipe, want := range map[string]string{"c.md": "the recipe says 2", "d.md": "lists no count", "e.md": "has no line"} {
		if got, err := Stated(root, recipe); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want an error with %q", recipe, got, err, want)
		}
	}
	if c := (Count{Files: 4, UpTo: true}); !c.Holds(3) || c.Holds(5) || (Count{Files: 2}).Holds(1) {
		t.Error("up to 4 holds for 3 and not for 5, 2 not for 1")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("recipe: a.md\ntest: ./a\n-- a.go --\npackage a\n-- b.go edit --\n=== old\na\n=== new\nb\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := Parse(text)
		if err != nil {
			return
		}
		for _, s := range w.steps {
			if !filepath.IsLocal(s.path) {
				t.Errorf("%q leaves the copy", s.path)
			}
		}
	})
}
