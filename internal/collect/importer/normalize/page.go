package normalize

import (
	"bytes"
	"html"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// preformatted begins text that a page shows as it was printed.
	preformatted = parse.Lazy(`(?i)<pre\b[^<>]*>`)
	// folded are the marks around what a ticket shows only on demand, with its title.
	folded = parse.Lazy(`(?i)[ \t]*</?(?:details|summary)\b[^<>]*>[ \t]*`)
	// blockTag begins a line on a page, inlineTag does not.
	blockTag = parse.Lazy(`(?i)</?(?:html|head|body|title|div|p|br|hr|h[1-6]|ul|ol|li|table|tbody|thead|tr|td|th|details|summary|blockquote)` +
		`\b[^<>]*>`)
	// entity stands on a page for a character that begins a mark; foreignTag is a mark of a format that is none of a page.
	entity     = parse.Lazy(`&(?:lt|gt|amp|quot|nbsp|#39|#x27);`)
	foreignTag = parse.Lazy(`(?i)<(?:\?xml|w:document|html|body)\b`)
	inlineTag  = parse.Lazy(`(?i)</?(?:pre|code|span|b|i|u|em|strong|tt|samp|kbd|a|font|img|meta|link)\b[^<>]*>`)
)

// withoutTags is the text of a page, or of a ticket that folds its parts. False if a text is none of them.
func withoutTags(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '<') < 0 && bytes.IndexByte(text, '&') < 0 {
		return nil, false
	}
	if preformatted.Match(text) {
		text = blockTag.Regexp().ReplaceAll(text, []byte("\n"))
		text = inlineTag.Regexp().ReplaceAll(text, nil)
		return []byte(html.UnescapeString(string(text))), true
	}
	if entity.Match(text) && !foreignTag.Match(text) {
		return []byte(strings.ReplaceAll(html.UnescapeString(string(text)), "\u00a0", " ")), true
	}
	if folded.Match(text) {
		return folded.Regexp().ReplaceAll(text, []byte("\n")), true
	}
	return nil, false
}
