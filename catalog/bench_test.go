package catalog

import (
	"os"
	"testing"
)

func BenchmarkReadYAML(b *testing.B) {
	for b.Loop() {
		if _, err := read(os.DirFS(".")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadCompiled(b *testing.B) {
	for b.Loop() {
		if _, err := decodeCompiled(texts{attributesText, rulesText, trialsText}); err != nil {
			b.Fatal(err)
		}
	}
}
