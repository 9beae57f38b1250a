// Finding cases, and writing their inputs where import reads them.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fieldCase is one published case.
type fieldCase struct {
	Name  string
	Path  string // a folder, or a text file of parts
	Right string // the right answer, in the words of the case
	Avoid string // what must not be advised, in the words of the case
	Fact  string // a --fact that the case is run with
}

func findCases(folder string) ([]fieldCase, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var cases []fieldCase
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		var c fieldCase
		switch {
		case e.IsDir():
			c, err = readFolderCase(path)
		case filepath.Ext(path) == ".txt":
			c, err = readTextCase(path)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	slices.SortFunc(cases, func(a, b fieldCase) int { return strings.Compare(a.Name, b.Name) })
	return cases, nil
}

func readFolderCase(path string) (fieldCase, error) {
	text, err := os.ReadFile(filepath.Join(path, "README.txt"))
	if err != nil {
		return fieldCase{}, err
	}
	head := string(text)
	return fieldCase{
		Name: filepath.Base(path), Path: path,
		Right: line(head, "Right cause:") + " " + line(head, "Right cure:"),
		Avoid: line(head, "Do not advise:"),
	}, nil
}

var factFlag = regexp.MustCompile(`--fact "([^"]+)"`)

func readTextCase(path string) (fieldCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return fieldCase{}, err
	}
	head, _, ok := strings.Cut(string(text), "\n== ")
	if !ok {
		return fieldCase{}, fmt.Errorf("%s: no part (== PATH) in it", path)
	}
	c := fieldCase{Name: strings.TrimSuffix(filepath.Base(path), ".txt"), Path: path, Right: line(head, "# right answer:")}
	if m := factFlag.FindStringSubmatch(head); m != nil {
		c.Fact = m[1]
	}
	return c, nil
}

// line returns what follows a prefix on its line; "" if no line has it.
func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(l, prefix); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// writeInputs puts the inputs of a case below dir, without what tells the answer.
func (c fieldCase) writeInputs(dir string) error {
	info, err := os.Stat(c.Path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return c.writeParts(dir)
	}
	if err := os.CopyFS(dir, os.DirFS(c.Path)); err != nil {
		return err
	}
	err = os.Remove(filepath.Join(dir, "README.txt"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (c fieldCase) writeParts(dir string) error {
	text, err := os.ReadFile(c.Path)
	if err != nil {
		return err
	}
	parts := strings.Split(string(text), "\n== ")
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		if !filepath.IsLocal(name) {
			return fmt.Errorf("part %q leads out of the case", name)
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(body+"\n"), 0o600); err != nil {
			return err
		}
	}
	return nil
}
