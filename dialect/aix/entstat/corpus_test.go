package entstat_test

import (
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[entstat.Statistics]{
	Parse:  entstat.Parse,
	Format: entstat.Format,
	Report: func(s *entstat.Statistics) *dialect.Report { return &s.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "entstat_*/*") }
