package knowledge

import "testing"

// Every command reads the catalogue: reading must stay a few milliseconds.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := read(builtIn); err != nil {
			b.Fatal(err)
		}
	}
}
