package entstat

import (
	"strings"

	"seaworthy/dialect/aix/printout"
)

// messages marks the lines that are error messages of a command or a shell.
func messages(lines []string) []bool {
	skip := make([]bool, len(lines))
	for i := 0; i < len(lines); i++ {
		if !mayBeMessage(lines[i]) {
			continue
		}
		// Continuations are indented like the data here, so only the message's
		// own line is taken; what follows it is read as what it looks like.
		skip[i] = printout.Message(lines[i:i+1], 0) > 0
	}
	return skip
}

func isMessage(text string) bool {
	return mayBeMessage(text) && printout.Message([]string{text}, 0) > 0
}

// mayBeMessage sorts out nearly all lines before the costly check: a message
// has a number such as 0909-002, or ends in a word or full stop and has no
// value of the tables here.
func mayBeMessage(text string) bool {
	for i := strings.IndexByte(text, '-'); i >= 0; {
		if i >= 4 && i+3 < len(text) && digits(text[i-4:i]) && digits(text[i+1:i+4]) {
			return true
		}
		n := strings.IndexByte(text[i+1:], '-')
		if n < 0 {
			break
		}
		i += 1 + n
	}
	text = strings.TrimRight(text, " \t\r.")
	for _, end := range []string{"not found", "cannot execute", "denied", "or directory", "not permitted"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return strings.HasPrefix(text, "Some error") || strings.HasPrefix(text, "for the Virtual") || strings.HasPrefix(text, "Method error") ||
		strings.HasPrefix(text, "Access to run") || strings.HasPrefix(text, "Execution of") || hasPrefixFold(text, "usage:")
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
