package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page is the one that its sources make, and claims nothing for which our
// own lab is the only witness.
func TestPage(t *testing.T) {
	got, err := page("../../../docs/real-outputs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../docs/support-matrix.md")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("docs/support-matrix.md is out of date: make support-matrix (-file +made)\n%s", d)
	}
	for n, line := range strings.Split(string(got), "\n") {
		if strings.HasPrefix(line, "| ") && (strings.Contains(line, "verified") || strings.Contains(line, "| simulator")) {
			t.Errorf("line %d: %s", n+1, line)
		}
	}
}
