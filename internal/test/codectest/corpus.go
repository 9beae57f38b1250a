package codectest

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampled is how many values of one file the golden file lists.
const sampled = 12

// common are fields that say little: they are alike in most outputs.
var common = map[string]bool{"Name": true, "Description": true, "Settable": true, "Kind": true, "Section": true, "Family": true}

// Corpus reads the real outputs that match the patterns (folder/file) below
// the two corpus folders beside the repository. Every file must be recognised
// and every line understood; how many values each has, and some of them evenly
// spread, must be those of testdata/corpus.golden, which update writes.
func (c Codec[T]) Corpus(t *testing.T, update bool, patterns ...string) {
	t.Helper()
	Golden(t, update, "corpus.golden", []byte(c.Sample(t, patterns...)))
}

// Sample returns what Corpus writes of the real outputs that match the patterns.
func (c Codec[T]) Sample(t *testing.T, patterns ...string) string {
	t.Helper()
	var sample strings.Builder
	for _, file := range Files(t, patterns...) {
		text := Text(t, file)
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
		v, err := c.Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := c.Report(v)
		for _, l := range r.Unknown {
			t.Errorf("%s:%d: not understood: %q", name, l.Number, l.Text)
		}
		facts := Facts(v)
		fmt.Fprintf(&sample, "%s: %d lines, %d values, %d warnings\n", name, r.Lines, len(facts), len(r.Warnings))
		paths := slices.DeleteFunc(slices.Sorted(maps.Keys(facts)), func(p string) bool {
			v := facts[p]
			return common[p[strings.LastIndexByte(p, '.')+1:]] || v == "" || v == "0" || v == "false"
		})
		for i := range min(sampled, len(paths)) {
			p := paths[i*len(paths)/min(sampled, len(paths))]
			fmt.Fprintf(&sample, "  %s = %s\n", p, facts[p])
		}
	}
	return sample.String()
}

// Files lists the real outputs in both corpora that match the patterns. Without
// them the test is skipped.
func Files(t *testing.T, patterns ...string) []string {
	t.Helper()
	return filesIn(t, []string{"corpus", "corpus2"}, patterns)
}

// First lists those of the first corpus alone, which has single outputs.
func First(t *testing.T, patterns ...string) []string {
	t.Helper()
	return filesIn(t, []string{"corpus"}, patterns)
}

// Listed is a file as the index of its corpus lists it.
type Listed struct {
	Name   string   // corpus2/errpt/x.txt
	Path   string   // on this machine
	Fields []string // of the index: file, command, system, …
}

// Index lists the files of both corpora. Without them the test is skipped.
func Index(t *testing.T) []Listed {
	t.Helper()
	root := filepath.Dir(filepath.Dir(First(t, "INDEX.tsv")[0]))
	var all []Listed
	for _, corpus := range []string{"corpus", "corpus2"} {
		f, err := os.Open(filepath.Join(root, corpus, "INDEX.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows := csv.NewReader(f)
		rows.Comma, rows.LazyQuotes, rows.FieldsPerRecord = '\t', true, -1
		listed, err := rows.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range listed[1:] {
			all = append(all, Listed{filepath.Join(corpus, r[0]), filepath.Join(root, corpus, r[0]), r})
		}
	}
	return all
}

func filesIn(t *testing.T, corpora, patterns []string) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	shared := filepath.Join(filepath.Dir(dir), "shared")
	var files []string
	for _, p := range patterns {
		before := len(files)
		for _, corpus := range corpora {
			if _, err := os.Stat(filepath.Join(shared, corpus)); err != nil {
				t.Skipf("no real outputs beside the repository: %v", err)
			}
			found, err := filepath.Glob(filepath.Join(shared, corpus, p))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, found...)
		}
		if len(files) == before {
			t.Fatalf("no real output matches %s", p)
		}
	}
	return files
}

// Text is the content of a file.
func Text(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Golden compares with a file in testdata, or writes it if update is set.
func Golden(t *testing.T, update bool, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
