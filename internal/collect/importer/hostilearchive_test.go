package importer_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/test/importertest"
)

// member is a file of an archive as its headers have it; a kind other than a regular file holds no text.
type member struct {
	name, text string
	kind       byte
	link       string
	at         int64 // time of the last change, in seconds
}

// tarOf packs members as they are, also of one name twice.
func tarOf(t *testing.T, all ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range all {
		h := tar.Header{Name: m.name, Linkname: m.link, Typeflag: m.kind, Mode: 0o644, ModTime: time.Unix(1e9+m.at, 0), Format: tar.FormatPAX}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
			h.Size = int64(len(m.text))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sized is a tar whose first member claims another size.
func sized(t *testing.T, size string) []byte {
	t.Helper()
	// The old format has no records before a header. Its size is in octal digits, or binary.
	var old bytes.Buffer
	w := tar.NewWriter(&old)
	for _, m := range []member{{name: "lpar1/a.txt", text: node("lpar1")}, {name: "lpar1/en0.txt", text: off}} {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.text)), Typeflag: tar.TypeReg, Mode: 0o644, Format: tar.FormatUSTAR}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := old.Bytes()
	copy(b[124:136], size)
	sum := 0
	copy(b[148:156], "        ")
	for _, c := range b[:512] {
		sum += int(c)
	}
	copy(b[148:156], []byte(octal(sum)+"\x00 "))
	return b
}

func octal(n int) string {
	digits := ""
	for range 6 {
		digits = string(rune('0'+n%8)) + digits
		n /= 8
	}
	return digits
}

// nestedZips is a zip of zips of a text of zeros.
func nestedZips(t *testing.T) []byte {
	t.Helper()
	inner := bytes.Repeat([]byte{'0'}, 1<<14)
	name := "zeros.txt"
	for range 3 {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range 2 {
			w, err := z.Create(string(rune('a'+i)) + "-" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(inner); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		inner, name = b.Bytes(), "in.zip"
	}
	return inner
}

// Whatever an archive holds beside the files of a host, the host comes out as it is, nothing is written outside the result,
// and no name of a file in it is one that a member chose.
func TestHostileArchives(t *testing.T) {
	good := []member{{name: "lpar1/u.txt", text: node("lpar1")}, {name: "lpar1/lsattr_en0.txt", text: off}}
	with := func(all ...member) []byte { return tarOf(t, append(append([]member{}, good...), all...)...) }
	z := func(b []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	long := strings.Repeat("a/", 2000) + "x.txt"
	for name, c := range map[string]struct {
		file  string
		bytes []byte
		mtu   string // mtu_bypass that is read
		hosts int
	}{
		"a name with a line end":            {"x.tar", with(member{name: "lpar1/a\nb.txt", text: "words\n"}), "off", 1},
		"a name with escape sequences":      {"x.tar", with(member{name: "lpar1/\x1b]0;x\x07\x1b[2J.txt", text: "words\n"}), "off", 1},
		"a name of 4,096 characters":        {"x.tar", with(member{name: strings.Repeat("n", 4092) + ".txt", text: "words\n"}), "off", 1},
		"a name of 2,000 folders":           {"x.tar", with(member{name: long, text: "words\n"}), "off", 1},
		"a name of a device of Windows":     {"x.tar", with(member{name: "lpar1/CON", text: "words\n"}), "off", 1},
		"names that differ in their case":   {"x.tar", with(member{name: "LPAR1/LSATTR_EN0.TXT", text: off, at: 9}), "off", 1},
		"a member twice, the later is true": {"x.tar", with(member{name: "lpar1/lsattr_en0.txt", text: on, at: 9}), "on", 1},
		"a hard link":                       {"x.tar", with(member{name: "lpar1/h.txt", kind: tar.TypeLink, link: "lpar1/u.txt"}), "off", 1},
		"a hard link out of it":             {"x.tar", with(member{name: "lpar1/h.txt", kind: tar.TypeLink, link: "/etc/passwd"}), "off", 1},
		"a device node":                     {"x.tar", with(member{name: "lpar1/sda", kind: tar.TypeBlock}), "off", 1},
		"a named pipe":                      {"x.tar", with(member{name: "lpar1/p", kind: tar.TypeFifo}), "off", 1},
		"a folder that is a file":           {"x.tar", with(member{name: "lpar1/u.txt/v.txt", text: "words\n"}), "off", 1},
		"a negative size":                   {"x.tar", sized(t, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf0"), "", 0},
		"a size of 2^63":                    {"x.tar", sized(t, "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"), "", 0},
		"a size beyond its end":             {"x.tar", sized(t, "77777777777\x00"), "", 0},
		"zips of zips":                      {"x.tar", with(member{name: "lpar1/z.zip", text: string(nestedZips(t))}), "off", 1},
		"compressed six times":              {"x.tar", with(member{name: "lpar1/g.gz", text: string(z(z(z(z(z(z([]byte("words\n"))))))))}), "off", 1},
		"a .Z that claims to grow":          {"x.tar", with(member{name: "lpar1/c.Z", text: "\x1f\x9d\x90" + strings.Repeat("\xff", 4000)}), "off", 1},
		"a zip":                             {"x.zip", importertest.Zip(map[string]string{"lpar1/u.txt": node("lpar1"), "lpar1/lsattr_en0.txt": off, "../../../x": "words\n"}), "off", 1},
	} {
		t.Run(name, func(t *testing.T) {
			in, root := t.TempDir(), t.TempDir()
			out := filepath.Join(root, "deep", "out")
			if err := os.WriteFile(filepath.Join(in, c.file), c.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := importer.Import(t.Context(), []string{in}, out, importer.Options{Limits: archive.Limits{Total: 32 << 20, Entries: 1000}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Hosts) != c.hosts {
				t.Fatalf("hosts %+v, want %d; problems %v", r.Hosts, c.hosts, r.Problems)
			}
			if c.hosts == 0 && len(r.Problems) == 0 {
				t.Error("nothing came out, and nothing says why")
			}
			checkWritten(t, root, out)
			if c.mtu == "" {
				return
			}
			_, fleet := imported(t, importer.Options{}, in)
			if got := *fleet.Hosts[0].Elements["en0"].Attrs["mtu_bypass"].NextBoot; got != c.mtu || fleet.Hosts[0].Name != "lpar1" {
				t.Errorf("%s: mtu_bypass %s, want lpar1 and %s", fleet.Hosts[0].Name, got, c.mtu)
			}
		})
	}
}

// checkWritten looks for what lies outside the result, and for names in it that an archive chose.
func checkWritten(t *testing.T, root, out string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && !strings.HasPrefix(path, out+string(filepath.Separator)) {
			t.Errorf("%q was written outside the result", path)
		}
		if !d.IsDir() && !d.Type().IsRegular() {
			t.Errorf("%q is not a plain file", path)
		}
		if strings.ContainsFunc(d.Name(), func(c rune) bool { return c < ' ' || c == 0x7f }) || len(d.Name()) > 128 {
			t.Errorf("%q has its name from an archive", d.Name())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
