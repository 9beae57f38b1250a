package normalize

import (
	"html"
	"strings"
	"testing"
)

// wordOf is a document of Word with a title and a paragraph for each line of a text.
func wordOf(title, text string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="urn:w"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>` +
		title + `</w:t></w:r></w:p>`)
	for l := range strings.Lines(text) {
		l = strings.ReplaceAll(html.EscapeString(strings.TrimSuffix(l, "\n")), "\t", `</w:t><w:tab/><w:t xml:space="preserve">`)
		b.WriteString(`<w:p><w:r><w:t xml:space="preserve">` + l + `</w:t></w:r></w:p>`)
	}
	return b.String() + "</w:body></w:document>"
}

// A document of Word is read as what it shows: a line for each paragraph, titles as headings.
func TestWord(t *testing.T) {
	got := Text([]byte(wordOf("entstat -d ent0", printed)))
	want := "=== entstat -d ent0 ===\n" + printed
	if string(got.Text) != want || got.Refused != "" {
		t.Errorf("got %q, refused %q, want %q", got.Text, got.Refused, want)
	}
	if _, ok := fromWord([]byte(printed)); ok {
		t.Error("a text that is no document was read as one")
	}
}

// A document is read whatever is in it.
func FuzzWord(f *testing.F) {
	f.Add([]byte(wordOf("netstat -in", "en0 1500\n")))
	f.Fuzz(func(t *testing.T, text []byte) {
		text = append([]byte(`<w:document xmlns:w="urn:w">`), text...)
		if out, ok := fromWord(text); ok && len(out) > 9*len(text)+9 {
			t.Errorf("%d bytes of %d", len(out), len(text))
		}
	})
}

// A table with a column for each host is read host by host.
func TestColumnsOfHosts(t *testing.T) {
	page := func(heads ...string) string {
		return "<html><body><table><tr><th>Command</th><th>" + strings.Join(heads, "</th><th>") + "</th></tr>" +
			"<tr><td>netstat -in</td><td><pre>en0 1500\nen1 9000</pre></td><td><pre>en0 9000\nen1 1500</pre></td></tr></table></body></html>"
	}
	got := strings.TrimSpace(string(Text([]byte(page("lpar7", "erpdb"))).Text))
	want := "HOST: lpar7\n=== netstat -in ===\nen0 1500\nen1 9000\nHOST: erpdb\n=== netstat -in ===\nen0 9000\nen1 1500"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, heads := range [][]string{{"before", "after"}, {"lpar7", "lpar7"}, {"lpar7", "the other one 2"}} {
		if got := string(Text([]byte(page(heads...))).Text); strings.Contains(got, "HOST:") {
			t.Errorf("%v: columns read as hosts': %q", heads, got)
		}
	}
}
