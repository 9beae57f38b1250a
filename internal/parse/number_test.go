package parse_test

import (
	"testing"

	"seaworthy/internal/parse"
)

func TestCount(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "18446744073709551615": true, "18446744073709551616": false,
		"99999999999999999999": false, "00000000000000000000": false, "1000000000000000000x": false,
		"+1": false, "-1": false, "01": false, "": false, "1,2": false, "1_0": false, "0x1": false} {
		if _, ok := parse.Count(text); ok != want {
			t.Errorf("Count(%q): got ok=%v, want %v", text, ok, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		text      string
		want      float64
		comma, ok bool
	}{
		{"0.30", 0.3, false, true}, {"4,00", 4, true, true}, {"100", 100, false, true}, {"-1.5", -1.5, false, true},
		{"1,000", 0, false, false}, {"1.000,00", 0, false, false}, {"1e9", 0, false, false}, {"", 0, false, false},
		{"NaN", 0, false, false}, {"007", 0, false, false}, {".5", 0, false, false}, {"--", 0, false, false},
	} {
		got, comma, ok := parse.Decimal(c.text)
		if ok != c.ok || ok && (got != c.want || comma != c.comma) {
			t.Errorf("Decimal(%q): got %v, comma %v, ok %v; want %v, %v, %v", c.text, got, comma, ok, c.want, c.comma, c.ok)
		}
	}
}
