package oslevel

import (
	"errors"
	"flag"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Output]{
	Parse:  Parse,
	Report: func(o *Output) *parse.Report { return &o.Report },
}

var update = flag.Bool("update", false, "write the golden files")

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "oslevel/*.txt") }

func TestFast(t *testing.T) { codec.Fast(t, "7200-05-03-2148\n") }

func TestCurrent(t *testing.T) {
	for text, want := range map[string]string{
		"7200-05-03-2148\n":                     "7200-05-03-2148",
		"7200-05\n7200-04\n\n7200-05-03-2148\n": "7200-05-03-2148",
		"7200-05\n":                             "7200-05",
		"7.2.0.0\n":                             "7.2.0.0",
		"7200-05\n7200-04\n":                    "none",
		"Known Service Packs\n-------------------\n7200-05-03-2148\n7200-05-02-2114\n": "none",
		"ksh: oslevel:  not found.\n": "none",
	} {
		o := codec.Read(t, text)
		got := "none"
		if l, ok := o.Current(); ok {
			got = l.String()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if len(o.Unknown) > 0 {
			t.Errorf("%q: not understood: %v", text, o.Unknown)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, "7200-05\n7200-04\n7200-05-03-2148\n") }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux\n", "7200-5\n", "72000-05\n"} {
		if o, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, o, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, "7200-05-03-2148\n", "7.2.0.0", "Known Service Packs\n---\n7200-05\r\n")
}
