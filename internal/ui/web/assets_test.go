package web_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var vendored = regexp.MustCompile(`(?m)^\| (\S+) \|.*\((\S+)\) \| ([0-9a-f]{64}) \|$`)

// What others wrote is what they published, and its licence lies beside it.
func TestVendored(t *testing.T) {
	dir := filepath.Join("assets", "vendor")
	list, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"README.md": true}
	for _, m := range vendored.FindAllStringSubmatch(string(list), -1) {
		text, err := os.ReadFile(filepath.Join(dir, m[1]))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != m[3] {
			t.Errorf("%s: got the digest %s, want %s", m[1], got, m[3])
		}
		known[m[1]], known[m[2]] = true, true
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(known) < 6 {
		t.Fatalf("the list names %v: %v", known, err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s is not in the list", f.Name())
		}
	}
}
