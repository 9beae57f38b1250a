package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shownFiles are the endings of files whose text a user reads. Tests and their data are not among them:
// they may quote what other programs print.
var shownFiles = []string{".go", ".yaml", ".tmpl", ".html", ".txt", ".sh", ".json", ".md"}

// wording is a text that no user should read, and what to write instead.
type wording struct {
	text, instead string
}

func wordings(t *testing.T) (all []wording) {
	t.Helper()
	text, err := os.ReadFile("internal/tools/repository/testdata/wordings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, " → ")
		if at < 0 {
			t.Fatalf("wordings.txt: %q does not say what to write instead", line)
		}
		all = append(all, wording{line[:at], line[at+len(" → "):]})
	}
	return all
}

// Wordings that misled administrators once do not come back in code, knowledge, help or docs.
func TestWordings(t *testing.T) {
	all := wordings(t)
	if len(all) < 30 {
		t.Fatalf("got %d wordings, want the whole list", len(all))
	}
	read := 0
	for _, root := range []string{"cmd", "internal", "lab", "docs", "README.md"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if d.IsDir() || !slices.Contains(shownFiles, filepath.Ext(path)) || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			read++
			text := string(content)
			for _, w := range all {
				if at := strings.Index(text, w.text); at >= 0 {
					t.Errorf("%s:%d: %q: write instead: %s", path, strings.Count(text[:at], "\n")+1, w.text, w.instead)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 500 {
		t.Errorf("read %d files, want the whole tree", read)
	}
}
