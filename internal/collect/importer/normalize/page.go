package normalize

import (
	"bytes"
	"html"
	"strings"

	page "golang.org/x/net/html"

	"seaworthy/internal/parse"
)

var (
	// preformatted begins text that a page shows as it was printed.
	preformatted = parse.Lazy(`(?i)<pre\b[^<>]*>`)
	// folded are the marks around what a ticket shows only on demand, with its title.
	folded = parse.Lazy(`(?i)[ \t]*</?(?:details|summary)\b[^<>]*>[ \t]*`)
	// brokenLine ends a line on a page whose text is not preformatted; pageHead begins a page.
	brokenLine = parse.Lazy(`(?i)<br ?/?>`)
	pageHead   = parse.Lazy(`(?i)\A\s*<(?:!doctype html|html)\b`)
	// entity stands on a page for a character that begins a mark; foreignTag is a mark of a format that is none of a page.
	entity = parse.Lazy(`&(?:lt|gt|amp|quot|nbsp|#39|#x27);`)
	// markup begins a text of records in XML, which a decoder reads.
	markup     = parse.Lazy(`(?i)\A\s*<[a-z][\w.-]*(?:\s+[\w:.-]+="[^"<>]*")*\s*>\s*<`)
	foreignTag = parse.Lazy(`(?i)<(?:\?xml|w:document)\b`)
)

// Elements of a page: those that begin a line, those within one, and those whose text is not shown.
var (
	blocks = words("html body div p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tbody thead tr td th details summary blockquote " +
		"section article header footer main nav pre")
	headings = words("h1 h2 h3 h4 h5 h6")
	inlines  = words("code span b i u em strong tt samp kbd a font img meta link small sub sup mark label button svg path input form")
	hidden   = words("script style head title noscript template")
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// tableRule is the line below the head of a table in Markdown, whose cells may hold marks of a page: its reader knows them.
var tableRule = parse.Lazy(`(?m)^[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|){2,}[ \t\r]*$`)

// officeTag is a mark that word processors and wikis add to those of a page: o:p, ac:plain-text-body.
var officeTag = parse.Lazy(`^(?:o|w|v|m|x|st1|ac|ri):[a-z][a-z-]*$`)

// storedText is text of a wiki as its store has it: between marks that a page takes for a comment.
var storedText = parse.Lazy(`(?s)<ac:plain-text-body>\s*<!\[CDATA\[(.*?)\]\]>\s*</ac:plain-text-body>`)

// storedTitle is the title of such a text.
var storedTitle = parse.Lazy(`<ac:parameter ac:name="title">([^<\n]*)</ac:parameter>`)

// unstored puts such texts, and their titles, between marks of a page.
func unstored(text []byte) []byte {
	text = storedTitle.Regexp().ReplaceAll(text, []byte("<h4>$1</h4>"))
	return storedText.Regexp().ReplaceAllFunc(text, func(all []byte) []byte {
		inner := storedText.Regexp().FindSubmatch(all)[1]
		return []byte("<pre>" + html.EscapeString(string(inner)) + "</pre>")
	})
}

// leastBroken is how many ends of lines show that a text is a page's.
const leastBroken = 3

// isPage reports whether a text is a page, or the part of one.
func isPage(text []byte) bool {
	return preformatted.Match(text) || pageHead.Match(text) || len(brokenLine.Regexp().FindAllIndex(text, leastBroken)) == leastBroken
}

// shownOn is what a page shows. A mark that is none of a page stays: <BROADCAST,UP>.
func shownOn(text []byte) []byte {
	var out []byte
	z := page.NewTokenizer(bytes.NewReader(text))
	inside := "" // an element that is not shown
	ended := false
	heading, from := false, 0 // within one, and where it begins
	for {
		kind := z.Next()
		if kind == page.ErrorToken {
			return out
		}
		raw := bytes.Clone(z.Raw())
		tag, _ := z.TagName()
		name := string(tag)
		begins, ends := kind == page.StartTagToken, kind == page.EndTagToken
		switch {
		case inside != "":
			if ends && name == inside {
				inside = ""
			}
		case kind == page.CommentToken, kind == page.DoctypeToken:
		case kind == page.TextToken:
			shown := html.UnescapeString(string(raw))
			if ended {
				shown = strings.TrimPrefix(strings.TrimPrefix(shown, "\r"), "\n")
			}
			out = append(out, shown...)
			ended = false
		case hidden[name] && begins:
			inside = name
		case headings[name] && begins:
			heading = true
			from = len(out)
		case headings[name] && ends && heading:
			heading = false
			out = asHeading(out, from)
			ended = true
		case blocks[name]:
			if len(out) > 0 && (name == "br" || out[len(out)-1] != '\n') {
				out = append(out, '\n')
			}
			ended = true
		case !inlines[name] && !hidden[name] && !officeTag.MatchString(name):
			out = append(out, raw...)
		}
	}
}

// longestHeading bounds a heading that is marked as one, in bytes.
const longestHeading = 100

// asHeading marks what follows from a place as a heading: a line of its own, between marks.
func asHeading(out []byte, from int) []byte {
	words := strings.TrimSpace(string(out[from:]))
	if words == "" || len(words) > longestHeading || strings.Contains(words, "\n") {
		return append(out, '\n')
	}
	out = out[:from]
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return append(out, "=== "+words+" ===\n"...)
}

// withoutTags is the text of a page, or of a ticket that folds its parts. False if a text is none of them.
func withoutTags(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '<') < 0 && bytes.IndexByte(text, '&') < 0 {
		return nil, false
	}
	if bytes.Contains(text, []byte("<ac:plain-text-body>")) {
		text = unstored(text)
	}
	if !foreignTag.Match(text) && !tableRule.Match(text) && isPage(text) {
		text = byHostColumns(text)
		return []byte(strings.ReplaceAll(string(shownOn(text)), "\u00a0", " ")), true
	}
	if entity.Match(text) && !tableRule.Match(text) && !foreignTag.Match(text) && !markup.Match(text) {
		return []byte(strings.ReplaceAll(html.UnescapeString(string(text)), "\u00a0", " ")), true
	}
	if folded.Match(text) {
		return folded.Regexp().ReplaceAll(text, []byte("\n")), true
	}
	return nil, false
}
