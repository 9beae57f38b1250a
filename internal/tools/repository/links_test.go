package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var markdownLink = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)

// A link of the documentation leads to a file of the repository.
func TestLinksOfDocumentation(t *testing.T) {
	links := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "out") {
			return filepath.SkipDir
		}
		if filepath.Ext(file) != ".md" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			if madeForSite(file, m[1]) {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: link to %s: no such file", file, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links == 0 {
		t.Error("no link was found")
	}
}

// madeForSite says whether a link of a page of the documentation site leads to one that internal/tools/site makes;
// its tests follow those.
func madeForSite(file, target string) bool {
	if filepath.Dir(file) != "docs/site" {
		return false
	}
	for _, made := range []string{"rules/", "attributes/", "defects/", "commands/", "causes.md", "facts.md", "sources.md", "schemas.md", "experiments.md"} {
		if strings.HasPrefix(target, made) {
			return true
		}
	}
	return false
}
