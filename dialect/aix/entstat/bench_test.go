package entstat_test

import (
	"testing"

	"seaworthy/dialect/aix/entstat"
)

func BenchmarkParse(b *testing.B) {
	text := entstat.Format(sampleBridge())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := entstat.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	text := entstat.Format(sampleBridge())
	s, err := entstat.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		entstat.Format(s)
	}
}
