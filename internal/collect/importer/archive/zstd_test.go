package archive

import (
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"seaworthy/internal/test/importertest"
)

// zstdOf packs a text as zstd does.
func zstdOf(t *testing.T, text []byte, options ...zstd.EOption) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(text, nil)
}

// What zstd packed is read like what the others did: alone, around a tar, as one of several frames, and up to where it is cut.
func TestZstd(t *testing.T) {
	files := map[string]string{"a.txt": strings.Repeat("first file\n", 4000), "b/c.txt": "second\n"}
	packed := zstdOf(t, importertest.Pax(files))
	for _, name := range []string{"x.tar.zst", "x.tzst"} {
		v := walk(t, Limits{}, folder(t, map[string][]byte{name: packed}))
		if v.texts["x.tar/a.txt"] != files["a.txt"] || v.texts["x.tar/b/c.txt"] != files["b/c.txt"] || len(v.problems) > 0 {
			t.Errorf("%s: %d texts, problems %q", name, len(v.texts), v.problems)
		}
	}
	v := walk(t, Limits{}, folder(t, map[string][]byte{"x.tar.zst": packed[:len(packed)/2]}))
	if !has(v.problems, "cut off") {
		t.Errorf("half of it: problems %q", v.problems)
	}
	twice := append(zstdOf(t, []byte("one\n")), zstdOf(t, []byte("two\n"))...)
	v = walk(t, Limits{}, folder(t, map[string][]byte{"log.zst": twice}))
	if v.texts["log"] != "one\ntwo\n" {
		t.Errorf("two frames: got %q, problems %q", v.texts, v.problems)
	}
	damaged := append([]byte{}, packed...)
	damaged[len(damaged)/2] ^= 0xff
	v = walk(t, Limits{}, folder(t, map[string][]byte{"x.tar.zst": damaged}))
	if len(v.problems) == 0 {
		t.Error("a damaged one is read without a problem")
	}
}

// Neither a header that asks for much memory nor a text that grows a thousandfold gets what it wants.
func TestZstdBomb(t *testing.T) {
	zeros := make([]byte, 4<<20)
	wide := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00} // a window of 2 GiB, one empty raw block
	for name, c := range map[string]struct {
		packed []byte
		want   string
	}{
		"window": {wide, "unpack it first"},
		"zeros":  {zstdOf(t, zeros), ErrTooMuch.Error()},
		"tar":    {zstdOf(t, importertest.Pax(map[string]string{"big": string(zeros)})), ErrTooMuch.Error()},
	} {
		dir := folder(t, map[string][]byte{"bomb.zst": c.packed})
		v := &recorder{root: dir, texts: map[string]string{}, discard: true}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := Walk(t.Context(), dir, Limits{Total: 256 << 10}, v); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if v.bytes > 256<<10 || !has(v.problems, c.want) {
			t.Errorf("%s: %d bytes came out, problems %q", name, v.bytes, v.problems)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 24<<20 {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
}
