package layout_test

import (
	"testing"

	"seaworthy/dialect/layout"
)

func TestPlaceKeepsAndMoves(t *testing.T) {
	line := "en0   1500  link#2      a.c6.24      162325     0"
	words, tail, ok := layout.Words(line)
	if !ok {
		t.Fatalf("Words(%q) refused", line)
	}
	l := layout.Of(words, tail, func(i int) bool { return i >= 4 })
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"same", []string{"en0", "1500", "link#2", "a.c6.24", "162325", "0"}, line},
		{"right grows left", []string{"en0", "1500", "link#2", "a.c6.24", "99162325", "1234"},
			"en0   1500  link#2      a.c6.24    99162325  1234"},
		{"left eats the gap behind", []string{"en10", "65536", "link#2", "a.c6.24", "1", "0"},
			"en10  65536 link#2      a.c6.24           1     0"},
		{"overrun pushes", []string{"en0", "1500", "link#2", "a.c6.24.aa.bb.cc.dd.ee.ff", "162325", "0"},
			"en0   1500  link#2      a.c6.24.aa.bb.cc.dd.ee.ff 162325 0"},
		{"emptied", []string{"en0", "1500", "link#2", "", "162325", "0"},
			"en0   1500  link#2                   162325     0"},
	} {
		if got := l.Place(c.texts...); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestWordsEscapes(t *testing.T) {
	words, tail, ok := layout.Words("\x1b[1m en0 \x1b[m1500\x1b[0m")
	if !ok || len(words) != 2 || words[1].Text != "1500" || tail != "\x1b[0m" {
		t.Errorf("escapes beside blanks: got %v, tail %q, %v", words, tail, ok)
	}
	if words, _, ok := layout.Words("15\x1b[m00"); ok {
		t.Errorf("an escape inside a word: got %v, want a refusal", words)
	}
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"0.30", 0.3, true}, {"4,00", 4, true}, {"100", 100, true}, {"-1.5", -1.5, true},
		{"1,000", 0, false}, {"1.000,00", 0, false}, {"1e9", 0, false}, {"", 0, false},
		{"NaN", 0, false}, {"007", 0, false}, {".5", 0, false}, {"--", 0, false},
	} {
		d, ok := layout.ParseDecimal(c.text)
		if ok != c.ok || (ok && (d.Value != c.want || d.String() != c.text)) {
			t.Errorf("ParseDecimal(%q): got %v %v, want %v %v", c.text, d, ok, c.want, c.ok)
		}
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "18446744073709551615": true, "18446744073709551616": false,
		"9999999999999999999": true, "99999999999999999999": false, "184467440737095516150": false, "00000000000000000000": false,
		"1000000000000000000x": false, "10000000000000000000x": false, "+1": false, "-1": false, "01": false, "": false, "1,2": false, "0x1": false} {
		if _, ok := layout.Count(text); ok != want {
			t.Errorf("Count(%q): got ok=%v, want %v", text, ok, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a  b\tc \x1b[m d")
	f.Add("\xa0\x1b[")
	f.Fuzz(func(t *testing.T, line string) {
		words, tail, ok := layout.Words(line)
		if !ok {
			return
		}
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = w.Text
		}
		for _, right := range []bool{false, true} {
			l := layout.Of(words, tail, func(int) bool { return right })
			if got := l.Place(texts...); got != line {
				t.Errorf("Place(Words(x)):\n got %q\nwant %q", got, line)
			}
		}
	})
}

func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"0.30", "0,30", "1,000", "-5", "98"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, ok := layout.ParseDecimal(text); ok && d.String() != text {
			t.Errorf("ParseDecimal(%q): prints as %q", text, d.String())
		}
	})
}
