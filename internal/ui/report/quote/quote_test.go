package quote_test

import (
	"encoding/json"
	"html"
	"reflect"
	"strings"
	"testing"

	"seaworthy/internal/ui/report/quote"
)

const hostile = "a\"b\\c<script>&'#\x1b[2J\u202e\u2028`|]end\ttab"

func TestQuotes(t *testing.T) {
	plain := "a\"b\\c<script>&'#·[2J··`|]end tab"
	if got := quote.Plain(hostile); got != plain {
		t.Errorf("plain: got %q, want %q", got, plain)
	}
	if got := quote.XML(hostile); html.UnescapeString(got) != plain || strings.ContainsAny(got, `<>"'`) {
		t.Errorf("XML: got %q", got)
	}
	if got, want := quote.DOT("two\nlines \" \\"), `"two\nlines \" \\"`; got != want {
		t.Errorf("DOT: got %s, want %s", got, want)
	}
	if got, want := quote.Mermaid("a\nb <i> \"x\" #9; `"), `"a<br>b #60;i#62; #34;x#34; #35;9#59; #96;"`; got != want {
		t.Errorf("Mermaid: got %s, want %s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"mtu_bypass _x_ *b* `c`": "mtu_bypass \\_x\\_ \\*b\\* \\`c\\`",
		"<b>|[l](http://x)&amp;": `\<b\>\|\[l\](http\://x)\&amp;`,
		"a\x1b[2Jb\n# c":         `a·\[2Jb·# c`,
	} {
		if got := quote.Markdown(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"# h": `\# h`, "12. x": `12\. x`, "  - x": `  \- x`, "=": `\=`, "1.5 s": `1\.5 s`, "text": "text"} {
		if got := quote.MarkdownStart(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "`": "`` ` ``"} {
		if got := quote.MarkdownCode(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	for in, want := range map[string]string{"-": "", "-5": "-5", "-5+1": "'-5+1", "=1": "'=1", " @x": "' @x", "＝1": "'＝1", "a=1": "a=1", "1 234": "1 234"} {
		if got := quote.CSV(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"1 234.5": "1234.5", "−1 000": "-1000", "+42 %": "42%", "±0 %": "0%", "×12": "×12", "<0.001": "<0.001", "=1": "'=1", "-": ""} {
		if got := quote.CSVNumber(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// What is encoded means the same afterwards, and nothing in it is hidden.
func FuzzJSON(f *testing.F) {
	f.Add(hostile)
	f.Add("\U000e0001 tag \u200b")
	f.Fuzz(func(t *testing.T, text string) {
		encoded, err := json.Marshal(map[string]string{"a": text})
		if err != nil {
			t.Fatal(err)
		}
		var before, after map[string]string
		got := quote.JSON(encoded)
		if json.Unmarshal(encoded, &before) != nil || json.Unmarshal(got, &after) != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q became %q", encoded, got)
		}
		if quote.Plain(string(got)) != string(got) {
			t.Errorf("%q still hides something", got)
		}
	})
}
