package collection

import (
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/collect/importer"
)

// What a killed run left unredacted beside the copies is removed, what another run
// is using stays.
func TestUnredactedIsNotLeft(t *testing.T) {
	parent := t.TempDir()
	killed := filepath.Join(parent, passingName+"1", "secrethost.partial")
	if err := os.MkdirAll(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	used, done, err := passing(parent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); !os.IsNotExist(err) {
		t.Errorf("the folder of a killed run is still there: %v", err)
	}
	in := filepath.Join(t.TempDir(), "uname.txt")
	if err := os.WriteFile(in, []byte("$ uname -a\nAIX secrethost 2 7 00C8D2E44C00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key")
	_, err = Import(t.Context(), []string{in}, filepath.Join(parent, "out"), key, importer.Options{}, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(used); err != nil {
		t.Errorf("the folder of a running one is gone: %v", err)
	}
	done()
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 || entries[0].Name() != "out" {
		t.Errorf("beside the copies: %v, %v", entries, err)
	}
}
