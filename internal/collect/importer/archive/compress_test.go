package archive

import (
	"runtime"
	"testing"

	"seaworthy/internal/test/importertest"
	"seaworthy/internal/test/lzwtest"
)

// compress packs zeros to a thousandth: what comes out is bounded, in a tar, in a
// layer of gzip and alone.
func TestCompressBomb(t *testing.T) {
	zeros := make([]byte, 2<<20)
	packed := lzwtest.Compress(zeros, 16)
	for name, b := range map[string][]byte{
		"bomb.Z":        packed,
		"bomb.Z.gz":     importertest.Gzip(packed),
		"bomb.pax.Z":    lzwtest.Compress(importertest.Pax(map[string]string{"big": string(zeros)}), 16),
		"bomb.pax.Z.gz": importertest.Gzip(lzwtest.Compress(importertest.Pax(map[string]string{"big": string(zeros)}), 16)),
	} {
		dir := folder(t, map[string][]byte{name: b})
		v := &recorder{root: dir, texts: map[string]string{}, discard: true}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := Walk(t.Context(), dir, Limits{Total: 256 << 10}, v); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if v.bytes > 256<<10 || !has(v.problems, ErrTooMuch.Error()) {
			t.Errorf("%s (%d bytes): %d bytes came out, %q", name, len(b), v.bytes, v.problems)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
}
