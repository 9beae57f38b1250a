package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The document says what the tests do, and no reader of foreign text is without a
// fuzz target.
func TestPage(t *testing.T) {
	src, err := readSource("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, reader := range src.unfuzzed() {
		t.Errorf("%s reads foreign text, and no fuzz target of its package calls it", reader)
	}
	if len(src.readers) < 80 {
		t.Errorf("%d readers of foreign text: the check would prove little", len(src.readers))
	}
	want, err := page(src)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/security-tests.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/security-tests.md is not what make security-tests prints (-want +got):\n%s", diff)
	}
	list, err := tables(src)
	if err != nil {
		t.Fatal(err)
	}
	attacks := 0
	for _, s := range list {
		attacks += len(s.Rows)
	}
	if attacks < 200 {
		t.Errorf("%d attacks, want 200 at least", attacks)
	}
}
