package layout_test

import (
	"testing"

	"seaworthy/dialect/load/layout"
)

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]layout.Number{"9.42": {Value: 9.42, Decimals: 2}, "10": {Value: 10}, "0.00": {Decimals: 2}} {
		if got, ok := layout.ParseNumber(text); !ok || got != want {
			t.Errorf("ParseNumber(%q): got %+v %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".", "1e9", "nan", "9,42", "-1", "007"} {
		if got, ok := layout.ParseNumber(text); ok {
			t.Errorf("ParseNumber(%q): got %+v, want none", text, got)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	f.Add("9.42")
	f.Add("1e9")
	f.Fuzz(func(t *testing.T, text string) {
		if n, ok := layout.ParseNumber(text); ok && n.String() != text {
			t.Errorf("ParseNumber(%q): prints as %q", text, n.String())
		}
	})
}
