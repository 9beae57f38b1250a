package codectest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
)

// Codec is a codec under test.
type Codec[T any] struct {
	Parse  func([]byte) (*T, error)
	Format func(*T) []byte
	Report func(*T) *dialect.Report
}

// RoundTrip fails unless Format(Parse(text)) gives text back, and returns what
// was parsed.
func (c Codec[T]) RoundTrip(t *testing.T, text []byte) *T {
	t.Helper()
	v, err := c.Parse(text)
	if err != nil {
		t.Fatalf("Parse: %v\ntext: %q", err, text)
	}
	if got := c.Format(v); !bytes.Equal(got, text) {
		t.Fatalf("Format(Parse(x)) is not x (-want +got):\n%s", cmp.Diff(string(text), string(got)))
	}
	return v
}

// Fuzz checks that Parse never panics and that whatever it accepts comes back.
func (c Codec[T]) Fuzz(f *testing.F, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := c.Parse(text)
		if err != nil {
			return
		}
		if got := c.Format(v); !bytes.Equal(got, text) {
			t.Errorf("Format(Parse(x)) is not x:\n got %q\nwant %q", got, text)
		}
	})
}

// Corpus reads the real outputs that match the patterns below the corpus
// folder beside the repository. At least 95 % must come back byte for byte and
// 99 % of their lines be understood; every exception is printed.
func (c Codec[T]) Corpus(t *testing.T, patterns ...string) {
	t.Helper()
	files := Files(t, patterns...)
	identical, lines, unknown := 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
		v, err := c.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := c.Format(v); bytes.Equal(got, text) {
			identical++
		} else {
			t.Logf("%s: not identical (-want +got):\n%s", name, cmp.Diff(string(text), string(got)))
		}
		r := c.Report(v)
		lines += r.Lines
		unknown += len(r.Unknown)
		for _, l := range r.Unknown {
			t.Logf("%s:%d: not understood: %q", name, l.Number, l.Text)
		}
		for _, w := range r.Warnings {
			t.Logf("%s:%d: warning: %s", name, w.Number, w.Text)
		}
	}
	t.Logf("read %d files, %d byte-identical, %d of %d lines understood", len(files), identical, lines-unknown, lines)
	if identical*100 < len(files)*95 {
		t.Errorf("identical: got %d of %d files, want at least 95 %%", identical, len(files))
	}
	if (lines-unknown)*100 < lines*99 {
		t.Errorf("understood: got %d of %d lines, want at least 99 %%", lines-unknown, lines)
	}
}

// Files lists the corpus files that match the patterns (folder/file). Without
// a corpus the test is skipped, in CI it fails.
func Files(t *testing.T, patterns ...string) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = filepath.Dir(dir)
	}
	corpus := filepath.Join(filepath.Dir(dir), "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no corpus of real outputs beside the repository: %v", err)
		}
		t.Skipf("no corpus of real outputs beside the repository: %v", err)
	}
	var files []string
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(corpus, p))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Fatalf("no corpus file matches %s", p)
		}
		files = append(files, found...)
	}
	return files
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
