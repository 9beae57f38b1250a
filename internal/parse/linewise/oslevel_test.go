package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var oslevelCodec = codectest.Codec[AIXLevels]{
	Parse:  ParseOslevel,
	Report: func(o *AIXLevels) *parse.Report { return &o.Report },
}

func TestOslevelCurrent(t *testing.T) {
	for text, want := range map[string]string{
		"7200-05-03-2148\n":                     "7200-05-03-2148",
		"7200-05\n7200-04\n\n7200-05-03-2148\n": "7200-05-03-2148",
		"7200-05\n":                             "7200-05",
		"7.2.0.0\n":                             "7.2.0.0",
		"7200-05\n7200-04\n":                    "none",
		"Known Service Packs\n-------------------\n7200-05-03-2148\n7200-05-02-2114\n": "none",
		"ksh: oslevel:  not found.\n": "none",
	} {
		o := oslevelCodec.Read(t, text)
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

func TestOslevelRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux\n", "7200-5\n", "72000-05\n"} {
		if o, err := ParseOslevel([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, o, err, parse.ErrNotRecognised)
		}
	}
}
