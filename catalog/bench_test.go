package catalog

import "testing"

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := read(embedded); err != nil {
			b.Fatal(err)
		}
	}
}
