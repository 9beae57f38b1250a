package parse

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

// Indent is how many columns a line is indented; a TAB reaches to the next multiple of 8.
func Indent(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}
