package oslevel

import (
	"errors"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Output]{
	Parse: Parse, Format: Format,
	Report: func(o *Output) *dialect.Report { return &o.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "oslevel/*.txt") }

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
		o := codec.RoundTrip(t, []byte(text))
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

func TestFormatFromScratch(t *testing.T) {
	if got, want := string(Format(New(ServicePack(7200, 5, 3, 2148)))), "7200-05-03-2148\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEveryValueIsPrinted(t *testing.T) {
	o := codec.RoundTrip(t, []byte(" 7200-05-03-2148 \n"))
	*o.Levels[0].TechLevel, *o.Levels[0].Week, o.Levels[0].Version = 6, 2320, 7300
	*o.Levels[0].ServicePack = 1
	if got, want := string(Format(o)), " 7300-06-01-2320 \n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte("7200-05\n7200-04\n7200-05-03-2148\n")) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux\n", "7200-5\n", "72000-05\n"} {
		if o, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, o, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, "7200-05-03-2148\n", "7.2.0.0", "Known Service Packs\n---\n7200-05\r\n")
}
