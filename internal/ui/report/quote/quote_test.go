package quote_test

import (
	"html"
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
