package main

import (
	"os"
	"testing"
)

// BenchmarkParse reads the real outputs of each codec once a turn.
func BenchmarkParse(b *testing.B) {
	if _, err := os.Stat("../../" + corpus); err != nil && os.Getenv("CI") == "" {
		b.Skip("the corpus of real outputs is not beside the repository")
	}
	b.Chdir("../..") // where the benchmarks are run
	for _, c := range codecs {
		texts, size, err := c.texts()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, t := range texts {
					if _, _, err := c.parse(t); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
