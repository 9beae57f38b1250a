package normalize

import (
	"bytes"
	"io"
	"mime/quotedprintable"

	"seaworthy/internal/parse"
)

var (
	// escapedByte is what stands for a byte in the body of a mail: an equals sign, a blank at a line's end, a letter that is not ASCII.
	// Values behind an equals sign look alike, as in ttl=64.
	escapedByte = parse.Lazy(`=(?:3D|20[ \t]*(?:\r?\n|\z)|09|[89A-F][0-9A-F]|[ \t]*(?:\r?\n|\z))`)
	// mailSign is what such a body has and values have not: an escaped equals sign, or a long line that goes on below.
	mailSign = parse.Lazy(`=3D|(?m:^.{60,}=[ \t]*$)`)
)

// printable is the text of a mail's body that was saved without the mail's head, as it was sent (RFC 2045, section 6.7).
func printable(text []byte) ([]byte, bool) {
	if !mailSign.Match(text) {
		return nil, false
	}
	if len(escapedByte.Regexp().FindAllIndex(text, -1)) != bytes.Count(text, []byte("=")) { // others than those
		return nil, false
	}
	plain, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(text)))
	return plain, err == nil
}
