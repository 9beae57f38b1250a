package normalize

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"seaworthy/internal/parse"
)

// Result is a text as it was printed.
type Result struct {
	Text    []byte
	Notes   []string // what was undone: "the quote marks of a mail were taken off"
	Refused string   // why the text cannot be read; then there is no Text
}

// refusals are signs that the values of a text may not be those that were
// printed.
var refusals = []struct {
	sign *parse.Pattern
	why  string
}{
	{parse.Lazy("\b|\r[^\r\n]|\x1b\\[[0-9;]*[A-HJKPX@d]"),
		"cursor movements of a terminal: clean the recording with col -bx, or write the output to a file"},
}

// Text normalizes a text.
func Text(raw []byte) *Result {
	r := &Result{}
	text, note := decode(raw)
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if bytes.IndexByte(text[:min(len(text), 4<<10)], 0) >= 0 {
		return &Result{Refused: "not a text: it holds zero bytes"}
	}
	text = r.undo(text, fromRTF, "what the RTF document shows was read")
	text = r.undo(text, fromWord, "what the document of Word shows was read")
	text = settled(text)
	text, note = lineEnds(text)
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if t, ok := recorded(text); ok {
		text = settled(t)
		r.Notes = append(r.Notes, "the recording of a terminal was read as what it shows")
	}
	text = r.undo(text, untypeset, "blanks and quotation marks of a word processor or a page were read as plain ones")
	text = r.undo(text, uncoloured, "what was left of colours was taken off")
	text = r.undo(text, panes, "panes side by side were put one below the other")
	text = r.undo(text, withoutTags, "the marks of a page around its text were taken off")
	if watched.Match(text) {
		text = watched.Regexp().ReplaceAll(text, []byte("root@$2:/# $1\n"))
		r.Notes = append(r.Notes, "the heading of watch was read as a prompt")
	}
	if padded(text) {
		text = padding.Regexp().ReplaceAll(text, []byte("$1"))
	}
	if bytes.Contains(text, []byte(rubout)) {
		text = rubbedOut(text)
		r.Notes = append(r.Notes, "characters that were erased while typing were taken out")
	}
	if bytes.ContainsFunc(text, func(r rune) bool { return r == '\b' || r == '\r' || r == 0x1b || r >= utf8.RuneSelf }) {
		for _, x := range refusals {
			if x.sign.Match(text) {
				return &Result{Refused: x.why}
			}
		}
	}
	r.Text = r.undo(text, printable, "the form in which mails are sent (quoted-printable) was undone")
	r.takeMarksOff()
	r.readForms()
	return r
}

// undo is a text after a change, which is noted if there was anything to change.
func (r *Result) undo(text []byte, change func([]byte) ([]byte, bool), note string) []byte {
	changed, ok := change(text)
	if !ok {
		return text
	}
	r.Notes = append(r.Notes, note)
	return changed
}

// takeMarksOff undoes what mails, tickets and Markdown put into a text.
func (r *Result) takeMarksOff() {
	for range 6 { // a quote in a quote
		t, ok := unquoted(r.Text)
		if !ok {
			break
		}
		r.Text = t
		if len(r.Notes) == 0 || !strings.Contains(r.Notes[len(r.Notes)-1], "mail") {
			r.Notes = append(r.Notes, "the quote marks of a mail were taken off")
		}
	}
	r.Text = r.undo(r.Text, unshown, "the marks with which cat -A shows ends of lines and tabs were taken off")
	r.Text = r.undo(r.Text, added, "the marks of a patch before its lines were taken off")
	r.Text = r.undo(r.Text, quotedBlocks, "the quote marks of a ticket were taken off")
	r.Text = r.undo(r.Text, lazyQuotes, "the quote marks of a ticket were taken off")
	r.Text = r.undo(r.Text, spannedCode, "the marks of a ticket around its code were taken off")
	if literalEnd.Match(r.Text) {
		r.Text = literalEnd.Regexp().ReplaceAll(r.Text, []byte("$1"))
		r.Notes = append(r.Notes, "the \\n before headings, which a script's echo printed as it is, was taken off")
	}
	if escaped(r.Text) {
		r.Text = escape.Regexp().ReplaceAll(r.Text, []byte("$1"))
		r.Notes = append(r.Notes, "the marks with which Markdown escapes characters were taken off")
	}
	if markedTitle.Match(r.Text) {
		r.Text = markedTitle.Regexp().ReplaceAll(r.Text, []byte("=== $1$2$3 ===\n"))
		r.Notes = append(r.Notes, "the marks of a document around its titles were taken off")
	}
	if fence.Match(r.Text) || openFence.Match(r.Text) && (closeFence.Match(r.Text) || promptFence.Match(r.Text)) {
		r.Text = fenceTitle.Regexp().ReplaceAll(r.Text, []byte("=== $1 ===\n"))
		r.Text = foldTitle.Regexp().ReplaceAll(r.Text, []byte("=== $1 ===\n"))
		r.Text = fence.Regexp().ReplaceAll(r.Text, []byte("$1"))
		r.Text = openFence.Regexp().ReplaceAll(r.Text, []byte("$1"))
		r.Text = closeFence.Regexp().ReplaceAll(r.Text, []byte("$1$2"))
		r.Notes = append(r.Notes, "the marks of a ticket around its code were taken off")
	}
}

// literalEnd is the end of a line that echo did not make one, before a heading.
var literalEnd = parse.Lazy(`(?m)^(?:\\n)+([-=#*+~]{2,})`)

// fence is a mark with which tickets, forums and wikis begin and end what they show as it is, alone on its line.
var fence = parse.Lazy("(?m)^[ \t]*(?:(?:```+|~~~+)[ \t]*[\\w+-]*|\\{(?:code|noformat|quote)[^{}\n]*\\}|" +
	"/\\*|\\*/|#\\+(?i:begin|end)_(?i:example|src|quote)[^\n]*|::|\\.\\. code(?:-block)?::[^\n]*|\\{\\{\\{[^{}\n]*|\\}\\}\\}|" +
	"\\[/?(?i:code|quote|spoiler|details|pre|mono|tt|bash|font|size|stdout|stderr|out|err)(?:[ =][^\\]\n]*)?\\]|" +
	"\\\\(?:begin|end)\\{(?:verbatim|lstlisting)\\}|\\.(?:nf|fi)[ \t]*$|" +
	"</?(?i:code|file|syntaxhighlight|source|nowiki|poem)(?:[ \t][^<>\n]*)?>)[ \t\r]*(\n|$)")

// openFence and closeFence are such marks before or behind a text on the same line.
var (
	openFence = parse.Lazy("(?m)^[ \t]*(?:\\[(?i:code|pre|spoiler|mono)(?:=[^\\]\n]*)?\\]|```|\\{(?:code|noformat)[^{}\n]*\\}|" +
		"\\{\\{\\{|<(?i:code|syntaxhighlight|source)(?:[ \t][^<>\n]*)?>)([ \t]*\\S)")
	closeFence = parse.Lazy("(?m)(\\S[ \t]*)(?:\\[/(?i:code|pre|spoiler|mono)\\]|```|\\{(?:code|noformat)\\}|\\}\\}\\}|" +
		"</(?i:code|syntaxhighlight|source)>)[ \t\r]*(\n|$)")
)

// promptFence is such a mark before a prompt.
var promptFence = parse.Lazy("(?m)^[ \t]*```[ \t]*\\[?[\\w.-]{1,64}@[\\w.-]+[^\n]*[#$%>] ")

// markedTitle is a line that LaTeX, Textile or a wiki shows as a title or in another type: a command, or a host.
var markedTitle = parse.Lazy(`(?m)^[ \t]*(?:\\(?:sub){0,2}section\*?\{([^{}\n]{2,80})\}|` +
	`@([^@\n]{2,80})@|'''([^'\n]{2,80})''')[ \t\r]*(?:\n|$)`)

// fenceTitle is such a line of a wiki with a title of several words, which may be the command.
var fenceTitle = parse.Lazy(`(?m)^[ \t]*\{(?:code|noformat):(?:[^{}\n]*\|)?title=([^{}|\s]+[ \t]+[^{}|\n]+)[^{}\n]*\}[ \t\r]*(?:\n|$)`)

// foldTitle is what forums show in place of a text that is folded: a command, or a host.
var foldTitle = parse.Lazy(`(?m)^[ \t]*\[(?i:details|spoiler|collapse|expand)=["“]?([^\]"”\n]{2,80})["”]?\][ \t\r]*(?:\n|$)`)

// escape is a character that Markdown would take for a mark, with the one that keeps it from that.
var escape = parse.Lazy("\\\\([_*#<>\\[\\]()~|`+-])")

// enoughEscapes is how many of them show that a text came out of Markdown.
const enoughEscapes = 3

// escaped reports whether Markdown escaped characters of a text: then no other mark of that kind is in it.
func escaped(text []byte) bool {
	all := bytes.Count(text, []byte("\\"))
	return all >= enoughEscapes && len(escape.Regexp().FindAllIndex(text, -1)) == all
}

// watched is the line above what watch shows, with the command and the host.
var watched = parse.Lazy(`(?m)^[A-Z]\w+ \d+[.,]\d+ ?s?: (\S[^\n]*?)[ \t]+([A-Za-z][\w.-]*): [^\n:]*\d\d:\d\d:\d\d[^\n:]*(?:\n|\z)`)

// rubout is how a terminal erases the character before the cursor.
const rubout = "\b \b"

// rubbedOut takes out each character that was erased at once.
func rubbedOut(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		last, n := utf8.DecodeLastRune(out)
		if bytes.HasPrefix(text, []byte(rubout)) && n > 0 && last >= ' ' {
			out, text = out[:len(out)-n], text[len(rubout):]
			continue
		}
		out, text = append(out, text[0]), text[1:]
	}
	return out
}

// decode makes UTF-8 of what an editor or a shell of Windows saved as UTF-16,
// and drops marks of the encoding. Bytes of an older encoding stay.
func decode(text []byte) (out []byte, note string) {
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return text[3:], ""
	case bytes.HasPrefix(text, []byte("\xff\xfe")) && len(text)%2 == 0:
		return wide(text[2:], binary.LittleEndian), ""
	case bytes.HasPrefix(text, []byte("\xfe\xff")) && len(text)%2 == 0:
		return wide(text[2:], binary.BigEndian), ""
	}
	// UTF-16 without its mark: plain letters have a zero on the same side.
	head := text[:min(len(text), 4096)&^1]
	zeros := [2]int{}
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	most := len(head) / 2 * 9 / 10
	switch {
	case len(head) < 8:
	case zeros[1] > most && zeros[0] == 0:
		return wide(text, binary.LittleEndian), "read as UTF-16 without its mark"
	case zeros[0] > most && zeros[1] == 0:
		return wide(text, binary.BigEndian), "read as UTF-16 without its mark"
	}
	return text, ""
}

func wide(text []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

// silent are bytes that show nothing: shifts of the character set, with which
// tput ends colours, bells and form feeds.
const silent = "\x07\x0e\x0f\f"

// lineEnds brings line ends to line feeds where they are of several kinds. A
// text in which every line ends in CR LF stays one.
func lineEnds(text []byte) (out []byte, note string) {
	if bytes.ContainsAny(text, silent) {
		text = slices.DeleteFunc(bytes.Clone(text), func(c byte) bool { return strings.IndexByte(silent, c) >= 0 })
	}
	crs, feeds := bytes.Count(text, []byte("\r")), bytes.Count(text, []byte("\n"))
	switch {
	case crs == 0 || crs == feeds && bytes.Count(text, []byte("\r\n")) == feeds:
		return text, ""
	case feeds == 0 || crs > 2 && crs > feeds*20:
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		return bytes.ReplaceAll(text, []byte("\r"), []byte("\n")), "carriage returns were taken for line ends"
	}
	return crlf.Regexp().ReplaceAll(text, []byte("\n")), ""
}

var crlf = parse.Lazy(`\r+\n`)
