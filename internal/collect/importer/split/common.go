package split

import (
	"bytes"
	"strings"

	"seaworthy/internal/parse"
)

// stamped is the time that a line begins with, and the blank behind it.
var stamped = parse.Lazy(`^"?[\[(]?` + stamp + `[\])]?[",;:]*[ \t]?`)

// Of a text with the same words before its lines, nearly all lines have them, and they are no longer than a prefix is.
const (
	shareOfCommon = 80
	longestCommon = 120
)

// bracketed is a name in brackets at the end of what stands before each line.
var bracketed = parse.Lazy(`[\[(<]([A-Za-z][\w.-]*)[\])>]:? *$`)

// withoutCommon is a text without the words that stand before nearly all its lines, behind a time or without one: what a logger,
// a comment's mark or a reader's initials add; and the host, where the words name one in brackets. Nil if there are none.
func withoutCommon(text []byte) (plain []byte, host string) {
	if len(text) > longestMarked {
		return nil, ""
	}
	lines := split(text)
	bare := make([]string, len(lines))
	all := 0
	for i, l := range lines {
		b := strings.TrimRight(l, "\r\n")
		bare[i] = b[len(stamped.Regexp().FindString(b)):]
		if strings.TrimSpace(b) != "" {
			all++
		}
	}
	prefix := commonOf(bare, all)
	if prefix == "" {
		return nil, ""
	}
	if m := bracketed.FindStringSubmatch(prefix); m != nil && hostLike(m[1]) {
		host = m[1]
	}
	var out bytes.Buffer
	for i, l := range lines {
		end := l[len(strings.TrimRight(l, "\r\n")):]
		switch rest, ok := strings.CutPrefix(bare[i], prefix); {
		case ok:
			out.WriteString(rest + end)
		case strings.TrimRight(prefix, " \t") == bare[i]:
			out.WriteString(end)
		default:
			out.WriteString(l)
		}
	}
	return out.Bytes(), host
}

// commonOf is the longest prefix that ends in a blank, holds something else too, and stands before nearly all of some lines.
func commonOf(bare []string, all int) string {
	if all < leastMarked {
		return ""
	}
	sample := bare[len(bare)/2]
	for end := min(len(sample), longestCommon); end > 0; end-- {
		if sample[end-1] != ' ' || strings.TrimSpace(sample[:end]) == "" {
			continue
		}
		with := 0
		for _, b := range bare {
			if strings.HasPrefix(b, sample[:end]) || strings.TrimSpace(b) != "" && b == strings.TrimRight(sample[:end], " ") {
				with++
			}
		}
		if with >= leastMarked && with*100 >= all*shareOfCommon {
			return sample[:end]
		}
	}
	return ""
}
