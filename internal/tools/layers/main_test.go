package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The picture in the documentation is that of today's imports.
func TestPictureIsUpToDate(t *testing.T) {
	t.Chdir("../../..")
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "architecture.md")
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := update(file); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s is out of date: make layers\n%s", page, d)
	}
}
