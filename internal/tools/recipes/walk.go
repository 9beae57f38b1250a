package recipes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// Walk is a recipe followed with an example.
type Walk struct {
	Recipe string   // file name below docs/recipes
	Test   []string // patterns of the packages to test, with flags of go test
	steps  []step
}

// step changes one file.
type step struct {
	path, verb string // verb: create, append or edit
	text       string
}

// Parse reads a walk.
func Parse(text []byte) (*Walk, error) {
	archive := txtar.Parse(text)
	w := &Walk{}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "recipe":
			w.Recipe = value
		case "test":
			w.Test = strings.Fields(value)
		case "":
		default:
			if !strings.HasPrefix(key, "#") {
				return nil, fmt.Errorf("header: unknown key %q", key)
			}
		}
	}
	for _, f := range archive.Files {
		path, verb, named := strings.Cut(f.Name, " ")
		if !named {
			verb = "create"
		}
		if !slices.Contains([]string{"create", "append", "edit"}, verb) || !filepath.IsLocal(path) {
			return nil, fmt.Errorf("section %q: not of the form PATH [append | edit]", f.Name)
		}
		w.steps = append(w.steps, step{path, verb, string(f.Data)})
	}
	if w.Recipe == "" || len(w.Test) == 0 || len(w.steps) == 0 {
		return nil, errors.New("a walk has a recipe, packages to test and files")
	}
	return w, nil
}

// Files lists the files that the walk touches, apart from tests.
func (w *Walk) Files() []string {
	var out []string
	for _, s := range w.steps {
		if !isTest(s.path) && !slices.Contains(out, s.path) {
			out = append(out, s.path)
		}
	}
	return out
}

func isTest(path string) bool {
	return strings.HasSuffix(path, "_test.go") || slices.Contains(strings.Split(path, "/"), "testdata")
}

// Apply follows the walk in the folder of a copy.
func (w *Walk) Apply(dir string) error {
	for _, s := range w.steps {
		if err := s.apply(filepath.Join(dir, filepath.FromSlash(s.path))); err != nil {
			return fmt.Errorf("%s: %w", s.path, err)
		}
	}
	return nil
}

func (s step) apply(path string) error {
	old, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	if missing != (s.verb == "create") {
		return fmt.Errorf("cannot %s: exists is %t", s.verb, !missing)
	}
	text := string(old) + s.text
	if s.verb == "edit" {
		text, err = edit(string(old), s.text)
		if err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// block separates the blocks of an edit.
var block = regexp.MustCompile(`(?m)^=== (after|old|new)\n`)

// edit makes the changes of an edit's blocks.
func edit(text, blocks string) (string, error) {
	heads := block.FindAllStringSubmatchIndex(blocks, -1)
	if len(heads) == 0 || len(heads)%2 != 0 || heads[0][0] != 0 {
		return "", errors.New("an edit has pairs of blocks: === after or === old, and === new")
	}
	for i := 0; i < len(heads); i += 2 {
		kind, second := blocks[heads[i][2]:heads[i][3]], blocks[heads[i+1][2]:heads[i+1][3]]
		end := len(blocks)
		if i+2 < len(heads) {
			end = heads[i+2][0]
		}
		place, added := blocks[heads[i][1]:heads[i+1][0]], blocks[heads[i+1][1]:end]
		if kind == "new" || second != "new" {
			return "", fmt.Errorf("block %d: got %s and %s, want after or old, and new", i+1, kind, second)
		}
		if n := strings.Count(text, place); n != 1 {
			return "", fmt.Errorf("this text occurs %d times, want once:\n%s", n, place)
		}
		if kind == "after" {
			added = place + added
		}
		text = strings.Replace(text, place, added, 1)
	}
	return text, nil
}

// Count is the number of files that a recipe states.
type Count struct {
	Files int
	UpTo  bool // at most
}

func (c Count) String() string {
	if c.UpTo {
		return fmt.Sprintf("up to %d", c.Files)
	}
	return strconv.Itoa(c.Files)
}

// Holds reports whether n files are what the recipe states.
func (c Count) Holds(n int) bool { return n == c.Files || c.UpTo && n < c.Files }

var (
	inRecipe = regexp.MustCompile(`(?m)^Files apart from tests: (up to )?(\d+)\b`)
	inTable  = regexp.MustCompile(`^\| .*\]\(([a-z-]+\.md)\).* \| (up to )?(\d+)\b.* \|$`)
)

// Stated reads the count of a recipe: from the recipe, which has a line "Files apart from
// tests: N" or "… up to N", and from the table of docs/recipes/README.md, which must agree.
func Stated(root, recipe string) (Count, error) {
	dir := filepath.Join(root, "docs", "recipes")
	text, err := os.ReadFile(filepath.Join(dir, recipe))
	if err != nil {
		return Count{}, err
	}
	m := inRecipe.FindStringSubmatch(string(text))
	if m == nil {
		return Count{}, fmt.Errorf("docs/recipes/%s has no line \"Files apart from tests: N\"", recipe)
	}
	files, err := strconv.Atoi(m[2])
	if err != nil {
		return Count{}, err
	}
	own := Count{Files: files, UpTo: m[1] != ""}
	table, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return Count{}, err
	}
	for line := range strings.Lines(string(table)) {
		row := inTable.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if row == nil || row[1] != recipe {
			continue
		}
		if listed := row[2] + row[3]; listed != own.String() {
			return Count{}, fmt.Errorf("docs/recipes/README.md: %s: %s files, the recipe says %s", recipe, listed, own)
		}
		return own, nil
	}
	return Count{}, fmt.Errorf("docs/recipes/README.md lists no count of files of %s", recipe)
}
