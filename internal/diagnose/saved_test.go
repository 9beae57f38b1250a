package diagnose

import (
	"os"
	"path/filepath"
	"testing"
)

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"schema":"seaworthy.paths/1","paths":[{"from":{"host":"a","element":"en0"}}]}`))
	f.Add([]byte(`{"Schema":"seaworthy.paths/1"}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, savedName), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := Load(t.Context(), dir); err != nil && all != nil {
			t.Errorf("%v and %v", all, err)
		}
	})
}
