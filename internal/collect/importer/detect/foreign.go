package detect

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"seaworthy/internal/parse"
)

// trace holds what outputs of network commands hold in every language.
var trace = parse.Lazy(`\bent?[0-9]{1,5}\b|\bl-lan\b|\blcpu=|\bETHERNET\b|\blo0\b|\bShared-SMT\b|\bUncapped\b`)

// damages hold what people and programs do to an output that is then not
// recognised, by what is in nearly all of its lines.
var damages = []struct {
	line *parse.Pattern
	why  string
}{
	{parse.Lazy(`^[ \t]*[0-9]{1,7}(?:\t|[:|)]| )`), "line numbers before each line: save the output without them"},
	{parse.Lazy(`^[\[(]?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[ T]?|[A-Z][a-z]{2} [ 0-9][0-9] |)[0-9]{2}:[0-9]{2}:[0-9]{2}`),
		"a time before each line: save the output without it"},
	{parse.Lazy(`^[ \t]*[│┃║|]|[│┃║|][ \t]*$`), "the frame of a terminal's pane around the text: save the output itself"},
}

// page holds what a page or a ticket puts around an output or into it.
var page = parse.Lazy("(?m)</?(?:pre|code|html|body|table|td|br|p|div|span)\\b[^<>]*>|&(?:lt|gt|amp|quot|nbsp);|" +
	"^[ \t]*(?:```|~~~)|^\\{(?:code|noformat)")

// xsos holds lines that only xsos prints: the headings of its tables.
var xsos = parse.Lazy(`(?m)^  Interface  RxMiBytes  RxPackets|^  Interface Status:[ \t]*$|^  Distro:   \[\S+\] `)

// englishWord is one of the words of which a text in English has some.
var englishWord = parse.Lazy(`(?i)\b(?:the|and|with|this|that|from|have)\b`)

const leastEnglish = 3

func isEnglish(text []byte) bool {
	return len(englishWord.Regexp().FindAllIndex(text, leastEnglish)) == leastEnglish
}

// isForeignLetter reports whether a character is a letter that English has not, also in another encoding than UTF-8.
func isForeignLetter(r rune) bool {
	return r == utf8.RuneError || r >= utf8.RuneSelf && unicode.IsLetter(r)
}

// inEnglish asks for an output in the language that is read.
const inEnglish = "perhaps an output in another language: run the command again under LC_ALL=C"

// UnreadAnswer says why nothing in what a command printed may be recognised; empty if nothing shows.
func UnreadAnswer(command string, text []byte) string {
	why := Unread(text)
	if why != "" || ParseCommand(command).ID == "" || len(bytes.TrimSpace(text)) == 0 {
		return why
	}
	program := ParseCommand(command).Program
	for _, first := range beginnings(text) {
		if _, ok := Text(first, Hint{Command: command}); ok {
			return "it begins as " + program + " prints it, and other text follows: save the output alone, or put a heading above what follows"
		}
	}
	if IsFiltered(command) {
		return "these lines alone say too little: save the whole output of " + program + ", without what is behind the |"
	}
	return "this is not how " + program + " prints it: something changed the text, it is of another system, or it is in another language " +
		"(run the command again under LC_ALL=C)"
}

// beginnings are the first line and the first paragraph of a text that has more.
func beginnings(text []byte) (out [][]byte) {
	text = bytes.TrimLeft(text, "\r\n")
	if at := bytes.IndexByte(text, '\n'); at > 0 && at+1 < len(text) {
		out = append(out, text[:at+1])
	}
	if at := bytes.Index(text, []byte("\n\n")); at > 0 && at+2 < len(text) {
		out = append(out, text[:at+1])
	}
	return out
}

// formats are files that hold no text as it was printed, by how they begin.
var formats = []struct{ magic, name, instead string }{
	{"\xfd7zXZ\x00", "an xz archive", ""}, {"\x28\xb5\x2f\xfd", "a zstd archive", ""},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it (7z x FILE) and give the folder, or pack it as zip or tar.gz"},
	{"Rar!", "a RAR archive", "unpack it and give the folder, or pack it as zip or tar.gz"},
	{"%PDF-", "a PDF", ""}, {"\x89PNG\r\n", "a picture", ""}, {"\xff\xd8\xff", "a picture", ""},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a spreadsheet or document of an office program",
		"save the outputs as plain text; of HMC Scanner's table, what lssyscfg and lshwres of the HMC print"},
}

// Format says that a file is of a form that is not read, and what to do; empty if it is of none of those.
func Format(head []byte) string {
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name + ": " + cmp.Or(f.instead, "unpack it, or save the outputs as plain text")
		}
	}
	return ""
}

// Unread says why nothing in a text may be recognised; empty if nothing shows.
func Unread(text []byte) string {
	head := text[:min(len(text), maxMarked)]
	if why := Format(head); why != "" {
		return why
	}
	if xsos.Match(head) {
		return "a summary that xsos made of a sosreport: import the sosreport itself"
	}
	if bytes.Contains(head, []byte("<w:document")) {
		return "a word processor's document: save the outputs as plain text"
	}
	if Binary(head) {
		return ""
	}
	lines, filled, between := strings.Split(strings.TrimRight(string(head), "\n"), "\n"), 0, 0
	damaged := make([]int, len(damages))
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			between += i % 2
			continue
		}
		filled++
		for k, d := range damages {
			if d.line.MatchString(l) {
				damaged[k]++
			}
		}
	}
	for k, d := range damages {
		if filled > 2 && damaged[k]*100 >= filled*95 {
			return d.why
		}
	}
	switch {
	case page.Match(head):
		return "the marks of a page or a ticket in it: save the output as plain text"
	case len(lines) > 5 && between == len(lines)/2:
		return "a blank line behind each line: save the output as it was printed"
	case bytes.ContainsFunc(head, isForeignLetter) && trace.Match(head) && !isEnglish(head):
		return inEnglish
	}
	return ""
}
