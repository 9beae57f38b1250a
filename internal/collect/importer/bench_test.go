package importer_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/test/importertest"
)

// BenchmarkImport reads a session of about 4 MiB.
func BenchmarkImport(b *testing.B) {
	var text strings.Builder
	for text.Len() < 4<<20 {
		text.WriteString(importertest.Session(importertest.LPAR("lpar1", "10.1.1.11"), "root@lpar1:/ # "))
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "session.log")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		out, err := os.MkdirTemp(dir, "out")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := importer.Import(context.Background(), []string{file}, filepath.Join(out, "o"), importer.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
