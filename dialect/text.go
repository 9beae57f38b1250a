package dialect

import "strings"

// MaxText is the largest text a codec reads, in bytes. Real outputs stay below
// a few megabytes; what is longer is a mistake or an attack.
const MaxText = 64 << 20

var escape = Lazy("\x1b\\[[0-9;?]*[A-Za-z]")

// StripEscapes removes terminal escape sequences: some saved outputs went
// through a colouring pager.
func StripEscapes(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line
	}
	return escape.ReplaceAllString(line, "")
}
