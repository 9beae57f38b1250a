package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/importertest"
)

// recorder keeps what a walk gives.
type recorder struct {
	root     string
	texts    map[string]string
	problems []string
	bytes    int64
	discard  bool
}

func (v *recorder) label(s string) string {
	return strings.TrimPrefix(strings.TrimPrefix(s, filepath.ToSlash(v.root)), "/")
}

func (v *recorder) Entry(e Entry) error {
	if v.discard {
		n, err := io.Copy(io.Discard, e.Text)
		v.bytes += n
		if err != nil {
			v.Problem(Problem{File: e.Path, Why: Reason(err)})
		}
		return nil
	}
	b, err := io.ReadAll(e.Text)
	v.texts[v.label(e.Path)] = string(b)
	if err != nil {
		v.Problem(Problem{File: e.Path, Why: Reason(err)})
	}
	return nil
}

func (v *recorder) Problem(p Problem) {
	v.problems = append(v.problems, v.label(p.File)+": "+p.Why)
}

func walk(t *testing.T, l Limits, dir string) *recorder {
	t.Helper()
	v := &recorder{root: dir, texts: map[string]string{}}
	if err := Walk(context.Background(), dir, l, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for n, b := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, n)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, n), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func has(list []string, part string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, part) })
}

// members writes a tar of headers as they are, also of ones that are no files.
func members(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		text := ""
		if h.Typeflag == tar.TypeReg {
			text = "text of " + h.Name
			h.Size = int64(len(text))
		}
		h.Mode, h.ModTime = 0o644, time.Unix(1e9, 0)
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Nothing that an archive says leads out of it, and nothing is followed.
func TestHostileNames(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.tar": members(t,
		tar.Header{Name: "../../etc/passwd", Typeflag: tar.TypeReg},
		tar.Header{Name: "/tmp/ibmsupt/x.txt", Typeflag: tar.TypeReg},
		tar.Header{Name: "/tmp/ibmsupt/y.txt", Typeflag: tar.TypeReg},
		tar.Header{Name: `..\..\z.txt`, Typeflag: tar.TypeReg},
		tar.Header{Name: "link", Linkname: "/etc/shadow", Typeflag: tar.TypeSymlink},
		tar.Header{Name: "hard", Linkname: "../x", Typeflag: tar.TypeLink},
		tar.Header{Name: "dev/null", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3},
		tar.Header{Name: "fifo", Typeflag: tar.TypeFifo},
		tar.Header{Name: "plain.txt", Typeflag: tar.TypeReg},
	)})
	v := walk(t, Limits{}, dir)
	want := map[string]string{
		"a.tar/etc/passwd": "text of ../../etc/passwd", "a.tar/tmp/ibmsupt/x.txt": "text of /tmp/ibmsupt/x.txt",
		"a.tar/tmp/ibmsupt/y.txt": "text of /tmp/ibmsupt/y.txt", "a.tar/z.txt": `text of ..\..\z.txt`, "a.tar/plain.txt": "text of plain.txt",
	}
	if diff := cmp.Diff(want, v.texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	for _, w := range []string{`a.tar/etc/passwd: name "../../etc/passwd" leads out`, "a.tar/tmp/ibmsupt/x.txt: absolute name", `a.tar/link: link to "/etc/shadow"; not followed`,
		"a.tar/hard: link", "a.tar/dev/null: not a regular file", "a.tar/fifo: not a regular file", `a.tar/z.txt: name`} {
		if !has(v.problems, w) {
			t.Errorf("problem %q is not reported; got %q", w, v.problems)
		}
	}
	if has(v.problems, "y.txt") {
		t.Errorf("absolute names are reported once per archive; got %q", v.problems)
	}
}

func TestFolderLinks(t *testing.T) {
	dir := folder(t, map[string][]byte{"in/a.txt": []byte("a\n"), "secret.txt": []byte("outside\n")})
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "in", "l.txt")); err != nil {
		t.Skip(err)
	}
	v := walk(t, Limits{}, filepath.Join(dir, "in"))
	if len(v.texts) != 1 || v.texts["a.txt"] != "a\n" || !has(v.problems, "l.txt: symbolic link; not followed") {
		t.Errorf("got %v and %v, want a.txt alone and the link reported", v.texts, v.problems)
	}
}

// What stands before the end of a cut-off archive is kept.
func TestCutOff(t *testing.T) {
	files := map[string]string{"a.txt": strings.Repeat("first file\n", 400), "b.txt": strings.Repeat("second file, longer\n", 3000)}
	whole := importertest.Pax(files)
	for name, b := range map[string][]byte{"x.pax": whole[:len(whole)/2], "x.pax.gz": importertest.Gzip(whole)[:300]} {
		v := walk(t, Limits{}, folder(t, map[string][]byte{name: b}))
		got := v.texts["x.pax/a.txt"]
		if got != files["a.txt"] && !(name == "x.pax.gz" && strings.HasPrefix(files["a.txt"], got)) {
			t.Errorf("%s: a.txt has %d bytes, want the %d of it", name, len(got), len(files["a.txt"]))
		}
		if !has(v.problems, "cut off") {
			t.Errorf("%s: nothing says that it is cut off: %v", name, v.problems)
		}
		for n, text := range v.texts {
			if !strings.HasPrefix(files[strings.TrimPrefix(n, "x.pax/")], text) {
				t.Errorf("%s: %s holds what was not in it", name, n)
			}
		}
	}
	v := walk(t, Limits{}, folder(t, map[string][]byte{"x.zip": importertest.Zip(files)[:400]}))
	if len(v.texts) != 0 || !has(v.problems, "x.zip: unreadable zip archive") {
		t.Errorf("zip without its end: got %v, want it reported", v.problems)
	}
}

// zeros is a file of a size that nobody has stored.
type zeros int64

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), int64(*z))
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	*z -= zeros(n)
	return int(n), nil
}

// A small archive that unpacks to a large one is read up to its limit, with
// memory that does not grow.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	size := int64(48 << 20)
	if err := w.WriteHeader(&tar.Header{Name: "big", Size: size, Typeflag: tar.TypeReg, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	all := zeros(size)
	if _, err := io.Copy(w, &all); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{w.Close(), z.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := folder(t, map[string][]byte{"bomb.tar.gz": b.Bytes()})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := &recorder{root: dir, texts: map[string]string{}, discard: true}
	if err := Walk(context.Background(), dir, Limits{Total: 8 << 20}, v); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if v.bytes > 8<<20 {
		t.Errorf("unpacked: got %d bytes, want at most %d", v.bytes, 8<<20)
	}
	if !has(v.problems, ErrTooMuch.Error()) {
		t.Errorf("nothing says that the archive is too large: %v", v.problems)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("memory: %d bytes were allocated to read %d, want less than 4 MiB", grown, v.bytes)
	}
}

func TestLimits(t *testing.T) {
	inner := importertest.Gzip([]byte("text\n"))
	for range 6 {
		inner = importertest.Gzip(inner)
	}
	v := walk(t, Limits{}, folder(t, map[string][]byte{"deep.gz": inner}))
	if len(v.texts) != 0 || !has(v.problems, "nested too deep") {
		t.Errorf("seven layers: got %v and %v, want them refused", v.texts, v.problems)
	}
	files := map[string][]byte{}
	for _, n := range "abcdefghij" {
		files[string(n)] = []byte("x\n")
	}
	v = walk(t, Limits{Entries: 4}, folder(t, files))
	if len(v.texts) != 4 || len(v.problems) != 1 {
		t.Errorf("ten files with a limit of 4: got %d and %v", len(v.texts), v.problems)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := folder(t, map[string][]byte{"a": []byte("x\n")})
	if err := Walk(ctx, dir, Limits{}, &recorder{texts: map[string]string{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if err := Walk(context.Background(), filepath.Join(dir, "none"), Limits{}, &recorder{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: got %v, want %v", err, os.ErrNotExist)
	}
}

// Whatever the bytes, a walk ends, within its limits and with every name inside
// its argument.
func FuzzWalk(f *testing.F) {
	files := map[string]string{"../a.txt": "a\n", "b/c.txt": strings.Repeat("text ", 100)}
	f.Add(importertest.Pax(files))
	f.Add(importertest.Zip(files))
	f.Add(importertest.Gzip(importertest.Pax(files)))
	f.Add([]byte("\x1f\x9d\x90\x61\xc4\x08"))
	f.Add([]byte("BZh91AY&SY"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		v := &labels{t: t, under: filepath.ToSlash(file)}
		if err := Walk(context.Background(), file, Limits{Total: 1 << 20, Entries: 50, Member: 1 << 16}, v); err != nil {
			t.Fatal(err)
		}
		if v.bytes > 2<<20 {
			t.Errorf("%d bytes came out of a limit of %d", v.bytes, 1<<20)
		}
	})
}

type labels struct {
	t     *testing.T
	under string
	bytes int64
}

func (v *labels) Entry(e Entry) error {
	if e.Path != v.under && !strings.HasPrefix(e.Path, v.under+"/") || strings.Contains(e.Path, "/../") {
		v.t.Errorf("label %q leads out of %q", e.Path, v.under)
	}
	n, _ := io.Copy(io.Discard, e.Text) // damaged archives give errors
	v.bytes += n
	return nil
}

func (v *labels) Problem(Problem) {}
