package archive

import (
	"encoding/binary"
	"hash/crc32"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"seaworthy/internal/test/importertest"
)

func TestXZ(t *testing.T) {
	files := map[string]string{"a.txt": strings.Repeat("first file\n", 4000), "b/c.txt": "second\n"}
	packed := importertest.XZ(importertest.Pax(files))
	for _, name := range []string{"x.tar.xz", "x.txz"} {
		v := walk(t, Limits{}, folder(t, map[string][]byte{name: packed}))
		if v.texts["x.tar/a.txt"] != files["a.txt"] || v.texts["x.tar/b/c.txt"] != files["b/c.txt"] || len(v.problems) > 0 {
			t.Errorf("%s: %d texts, problems %q", name, len(v.texts), v.problems)
		}
	}
	v := walk(t, Limits{}, folder(t, map[string][]byte{"x.tar.xz": packed[:len(packed)/2]}))
	if !has(v.problems, "cut off") {
		t.Errorf("half of it: problems %q", v.problems)
	}
	v = walk(t, Limits{}, folder(t, map[string][]byte{"x.txt.xz": importertest.XZ(nil)}))
	if text, there := v.texts["x.txt"]; text != "" || !there {
		t.Errorf("an empty text: got %v and %q", v.texts, v.problems)
	}
}

// The tool itself writes several blocks with their sizes where it has several threads.
func TestXZOfTool(t *testing.T) {
	text := strings.Repeat("a line of a log, again and again\n", 60_000)
	for _, options := range [][]string{{"-6"}, {"-T2", "--block-size=200000"}, {"--check=sha256"}, {"--check=none"}, {"-9e"}} {
		c := exec.CommandContext(t.Context(), "xz", append(options, "-c")...)
		c.Stdin = strings.NewReader(text)
		packed, err := c.Output()
		if err != nil {
			t.Skip(err)
		}
		v := walk(t, Limits{}, folder(t, map[string][]byte{"x.xz": packed}))
		if v.texts["x"] != text || len(v.problems) > 0 {
			t.Errorf("%q: %d bytes of %d, problems %q", options, len(v.texts["x"]), len(text), v.problems)
		}
	}
}

// A header that asks for more memory than any text needs is refused before it gets it, in a later block as well.
func TestXZDictionary(t *testing.T) {
	packed := importertest.XZ([]byte(strings.Repeat("0123456789abcdef", 1024)))
	blocks := 0
	for at := 12; at+12 < len(packed); at += 4 {
		header := packed[at : at+12]
		if header[0] != 2 || crc32.ChecksumIEEE(header[:8]) != binary.LittleEndian.Uint32(header[8:]) {
			continue
		}
		blocks++
		asked := append([]byte{}, packed...)
		asked[at+4] = 40 // 4 GiB
		binary.LittleEndian.PutUint32(asked[at+8:], crc32.ChecksumIEEE(asked[at:at+8]))
		var before, after runtime.MemStats
		dir := folder(t, map[string][]byte{"x.xz": asked})
		v := &recorder{root: dir, texts: map[string]string{}, discard: true}
		runtime.ReadMemStats(&before)
		if err := Walk(t.Context(), dir, Limits{}, v); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if !has(v.problems, "unpack it first") {
			t.Errorf("block %d: problems %q", blocks, v.problems)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 96<<20 {
			t.Errorf("block %d: %d bytes were allocated", blocks, grown)
		}
	}
	if blocks < 2 {
		t.Fatalf("%d blocks in what was packed, want several", blocks)
	}
}
