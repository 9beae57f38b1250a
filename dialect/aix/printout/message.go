package printout

import (
	"strings"

	"seaworthy/dialect"
)

var (
	// AIX message catalogues number their messages: "lsattr: 0514-519 ...".
	numbered = dialect.Lazy(`^\s*(?:[\w./()\[\]-]+:\s*)*\d{4}-\d{3}[A-Z]?[ :\t]`)
	// Shells say what they cannot run, with or without their own name.
	shell = dialect.Lazy(`^(?:\S*(?:sh|exec|sudo)(?:\[\d+\])?:\s.*|[\w./+-]+(?:\[\d+\])?:\s.*)(?:not found|cannot execute|[Pp]ermission denied|No such file or directory|not permitted)\.?\s*$`)
	// The preamble of ioscli and of device methods.
	preamble = dialect.Lazy(`^(?:Some error messages may contain invalid information|for the Virtual I/O Server environment\.|Method error \(.*\):|Access to run command is not valid\.|Execution of this command did not complete.*|[Uu]sage:\s.*|USAGE:.*)\s*$`)
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
	return dialect.Numbered(line) && numbered.MatchString(line) ||
		endsAsShell(line) && shell.MatchString(line) ||
		startsAsPreamble(line) && preamble.MatchString(line)
}

// endsAsShell and startsAsPreamble sort out nearly all lines before the
// costly check; they let pass all that it could match.
func endsAsShell(line string) bool {
	end := len(line)
	for end > 0 && (line[end-1] == ' ' || line[end-1] == '.' || line[end-1] >= '\t' && line[end-1] <= '\r') {
		end--
	}
	line = line[:end]
	if end == 0 || strings.IndexByte("dey", line[end-1]) < 0 {
		return false
	}
	for _, words := range []string{"not found", "cannot execute", "ermission denied", "No such file or directory", "not permitted"} {
		if strings.HasSuffix(line, words) {
			return true
		}
	}
	return false
}

func startsAsPreamble(line string) bool {
	if line == "" {
		return false
	}
	switch line[0] {
	case 'S':
		return strings.HasPrefix(line, "Some error")
	case 'f':
		return strings.HasPrefix(line, "for the Virtual")
	case 'M':
		return strings.HasPrefix(line, "Method error")
	case 'A':
		return strings.HasPrefix(line, "Access to")
	case 'E':
		return strings.HasPrefix(line, "Execution of")
	case 'u', 'U':
		return strings.HasPrefix(line, "usage:") || strings.HasPrefix(line, "Usage:") || strings.HasPrefix(line, "USAGE:")
	}
	return false
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
