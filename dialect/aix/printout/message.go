package printout

import (
	"regexp"
	"strings"
)

var (
	// AIX message catalogues number their messages: "lsattr: 0514-519 ...".
	numbered = regexp.MustCompile(`^\s*(?:[\w./()\[\]-]+:\s*)*\d{4}-\d{3}[A-Z]?[ :\t]`)
	// Shells say what they cannot run, with or without their own name.
	shell = regexp.MustCompile(`^(?:\S*(?:sh|exec|sudo)(?:\[\d+\])?:\s.*|[\w./+-]+(?:\[\d+\])?:\s.*)(?:not found|cannot execute|[Pp]ermission denied|No such file or directory|not permitted)\.?\s*$`)
	// The preamble of ioscli and of device methods.
	preamble = regexp.MustCompile(`^(?:Some error messages may contain invalid information|for the Virtual I/O Server environment\.|Method error \(.*\):|Access to run command is not valid\.|Execution of this command did not complete.*|[Uu]sage:\s.*|USAGE:.*)\s*$`)
)

// Message tells whether an error message starts at line i, and how many lines
// it takes with its continuations, which are indented by a TAB or as far as
// one. It returns 0 where no message starts.
func Message(lines []string, i int) int {
	if !isMessage(lines[i]) {
		return 0
	}
	n := 1
	for i+n < len(lines) && continues(lines[i+n]) {
		n++
	}
	return n
}

func isMessage(line string) bool {
	line, _ = Plain(line)
	line = strings.TrimSuffix(line, "\r")
	return numbered.MatchString(line) || shell.MatchString(line) || preamble.MatchString(line)
}

func continues(line string) bool {
	if strings.TrimSpace(line) == "" || isMessage(line) {
		return false
	}
	return strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "        ")
}

// Joined is a message's lines as one, for a warning.
func Joined(lines []string) string {
	var words []string
	for _, l := range lines {
		l, _ = Plain(l)
		words = append(words, strings.Fields(l)...)
	}
	return strings.Join(words, " ")
}
