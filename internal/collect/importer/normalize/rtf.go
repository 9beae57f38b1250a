package normalize

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"seaworthy/internal/parse"
)

// rtfToken is the next piece of an RTF document: a control word with its number, a control sign, a byte in hexadecimal, the begin
// or end of a group, or plain text.
var rtfToken = parse.Lazy(`\\([a-z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-z'])|([{}])|[\r\n]+|[^\\{}\r\n]+`)

// rtfHidden begin groups that a document does not show.
var rtfHidden = words("fonttbl colortbl stylesheet info pict header footer listtable listoverridetable rsidtbl generator themedata " +
	"datastore latentstyles xmlnstbl filetbl revtbl fldinst object")

// rtfShown are control words that stand for characters.
var rtfShown = map[string]string{"par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": "\t",
	"emdash": "—", "endash": "–", "lquote": "'", "rquote": "'", "ldblquote": `"`, "rdblquote": `"`, "bullet": "•", "enspace": " ",
	"emspace": " "}

// rtfGroup is what holds within the braces of a document.
type rtfGroup struct {
	hidden bool
	skip   int // characters behind a \u that stand for it where Unicode is not known
}

// mostRTFGroups bounds how deep groups are nested.
const mostRTFGroups = 1000

// fromRTF is what an RTF document shows. False if a text is none.
func fromRTF(text []byte) ([]byte, bool) {
	if !bytes.HasPrefix(text, []byte(`{\rtf`)) {
		return nil, false
	}
	d := &rtfReader{now: rtfGroup{skip: 1}}
	for _, m := range rtfToken.Regexp().FindAllSubmatch(text, -1) {
		if len(d.around) > mostRTFGroups {
			return nil, false
		}
		d.take(m)
	}
	return []byte(d.out.String()), true
}

// rtfReader reads a document token by token.
type rtfReader struct {
	out    strings.Builder
	now    rtfGroup
	around []rtfGroup
	left   int // characters still to skip
}

// take reads one token: the parts of rtfToken.
func (d *rtfReader) take(m [][]byte) {
	word, code := string(m[1]), string(m[3])
	sign, brace := string(m[4]), string(m[5])
	switch {
	case word != "":
		d.word(word, string(m[2]))
	case code != "":
		b, err := strconv.ParseUint(code, 16, 8)
		if err == nil {
			d.show(string(charmap.Windows1252.DecodeByte(byte(b))))
		}
	case sign == "*":
		d.now.hidden = true
	case sign == "~":
		d.show(" ")
	case sign == "_":
		d.show("-")
	case sign == "\n", sign == "\r":
		d.show("\n")
	case sign != "" && strings.Contains(`\{}`, sign):
		d.show(sign)
	case brace == "{":
		d.around = append(d.around, d.now)
	case brace == "}" && len(d.around) > 0:
		d.now = d.around[len(d.around)-1]
		d.around = d.around[:len(d.around)-1]
	case sign == "" && brace == "" && m[0][0] != '\n' && m[0][0] != '\r':
		d.show(string(m[0]))
	}
}

// word obeys a control word.
func (d *rtfReader) word(word, number string) {
	n, err := strconv.Atoi(number)
	switch {
	case rtfHidden[word]:
		d.now.hidden = true
	case word == "u" && err == nil:
		if n < 0 {
			n += 1 << 16
		}
		d.left = 0
		d.show(string(rune(n)))
		d.left = d.now.skip
	case word == "uc" && err == nil:
		d.now.skip = n
	case rtfShown[word] != "":
		d.left = 0
		d.show(rtfShown[word])
	}
}

// show adds a text, without the characters that stand for one that was added.
func (d *rtfReader) show(text string) {
	if d.now.hidden {
		return
	}
	for d.left > 0 && text != "" {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		d.left--
	}
	d.out.WriteString(text)
}
