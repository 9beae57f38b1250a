package normalize

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"seaworthy/internal/parse"
)

// typeset are letters that word processors, pages and messengers put in place of those that a command printed. Each stands for
// one: values come back as they were.
var typeset = strings.NewReplacer(
	"\u00a0", " ", "\u2000", " ", "\u2001", " ", "\u2002", " ", "\u2003", " ", "\u2004", " ", "\u2005", " ", "\u2006", " ", "\u2007", " ",
	"\u2008", " ", "\u2009", " ", "\u200a", " ", "\u202f", " ", "\u205f", " ", "\u3000", " ",
	"\u2028", "\n", "\u2029", "\n",
	"\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u200e", "", "\u200f", "", "\u202a", "", "\u202b", "", "\u202c", "",
	"\u202d", "", "\u202e", "", "\u2060", "", "\ufeff", "",
	"\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u201f", `"`,
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'",
)

// windows are the same letters in code page 1252.
var windows = map[byte]byte{0xa0: ' ', 0x91: '\'', 0x92: '\'', 0x93: '"', 0x94: '"'}

// dashedOption is an option whose dash became a longer one: "ip –s link".
var dashedOption = parse.Lazy(`(?m)([ \t])\x{2013}([A-Za-z])`)

// untypeset is a text with the letters of a command in place of those of a word processor. False if it has none.
func untypeset(text []byte) ([]byte, bool) {
	if !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text, false
	}
	out := typeset.Replace(string(text))
	out = dashedOption.Regexp().ReplaceAllString(out, "$1-$2")
	plain := ofWindows(out)
	return []byte(plain), plain != string(text)
}

// ofWindows is a text with the letters of code page 1252 replaced where they are no part of a letter in UTF-8.
func ofWindows(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	out := []byte(text)
	for i, r := range text {
		if plain, ok := windows[text[i]]; r == utf8.RuneError && ok {
			out[i] = plain
		}
	}
	return string(out)
}

var (
	// caretEscape is a sequence of colours as cat -v shows it; bareEscape is one whose first character got lost on its way.
	caretEscape = parse.Lazy(`\^\[\[[0-9;]*[mK]`)
	bareEscape  = parse.Lazy(`\[(?:[0-9]{1,2}(?:;[0-9]{1,3}){0,4})?[mK]`)
	bareReset   = parse.Lazy(`\[0?m`)
	bareColour  = parse.Lazy(`\[[0-9]{1,2}(?:;[0-9]{1,3}){0,4}m`) // without one, [m begins a name in brackets
)

// enoughResets is how many ends of colours show that a text lost the first characters of its colours.
const enoughResets = 3

// uncoloured is a text without the sequences of colours that something made visible. False if it has none.
func uncoloured(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '[') < 0 {
		return text, false
	}
	switch {
	case caretEscape.Match(text):
		return caretEscape.Regexp().ReplaceAll(text, nil), true
	case bareColour.Match(text) && len(bareReset.Regexp().FindAllIndex(text, enoughResets)) == enoughResets && bytes.IndexByte(text, 0x1b) < 0:
		return bareEscape.Regexp().ReplaceAll(text, nil), true
	}
	return text, false
}
