package parse

import (
	"slices"
	"strings"
)

// Lines gives the lines of a text that can hold data: without line ends and
// terminal colours, and without blank lines and error messages. A message is
// reported as a warning, and so is a last line without line end, which may be
// cut off. A text longer than MaxText has no lines.
func Lines(text []byte, r *Report) []Line {
	if len(text) == 0 || len(text) > MaxText {
		return nil
	}
	body, ended := strings.CutSuffix(string(text), "\n")
	all := strings.Split(body, "\n")
	r.Lines, r.Open = len(all), !ended
	lines := make([]Line, 0, len(all))
	continued, blank := false, false // the line before is part of a message that can go on; is blank
	for i, s := range all {
		s = StripEscapes(strings.TrimSuffix(s, "\r"))
		number, words := messageNumber(s), strings.TrimSpace(s)
		switch {
		case words == "":
			continued, blank = false, true
		case number != "" || isShellMessage(s) || strings.HasPrefix(s, "Method error ("):
			r.Messages++
			r.Warn(i+1, messageWarning+words)
			continued = strings.HasPrefix(number, "0514") || strings.HasPrefix(s, "Method error (")
		case continued && (s[0] == '\t' || strings.HasPrefix(s, "        ")):
			last := &r.Warnings[len(r.Warnings)-1]
			last.Text += " " + words
		default:
			lines = append(lines, Line{Number: i + 1, Text: s, After: blank})
			continued, blank = false, false
		}
	}
	if n := len(lines); n > 0 && r.CutOff(lines[n-1]) {
		r.Warn(r.Lines, "no line end after the last line: it may be cut off")
	}
	return lines
}

var (
	numbered = Lazy(`^\s*(?:[\w./()\[\]-]+:\s*)*(\d{4}-\d{3})[A-Z]?[ :\t]`)
	// shellMessage holds what shells, ioscli and Linux commands print in place of
	// data; AIX's own messages are numbered.
	shellMessage = Lazy(`^(?:[\w./+-]+(?:\[\d+\])?: .*(?:not found|cannot execute|[Pp]ermission denied|No such file or directory|` +
		`not permitted|Invalid argument|Operation not supported)\.?\s*|Some error messages may contain invalid information|` +
		`for the Virtual I/O Server environment\.|Access to run command is not valid\.|Execution of this command did not complete.*|` +
		`(?:[Uu]sage|USAGE):\s.*)$`)
)

// saysNo are the words of a shellMessage that most lines lack.
var saysNo = []string{"ound", "ermission", "nvalid", "such", "xecut", "ermitted", "upported", "sage", "SAGE", "nvironment", "Access"}

func isShellMessage(s string) bool {
	return slices.ContainsFunc(saysNo, func(w string) bool { return strings.Contains(s, w) }) && shellMessage.MatchString(s)
}

// messageNumber is the number of an AIX message, 0514-519 of
// "lsattr: 0514-519 The following device was not found", or "". Messages of
// the device commands (0514) go on over indented lines.
func messageNumber(line string) (number string) {
	if strings.Contains(line, "-") { // few do
		numbered.Scan(line, &number)
	}
	return number
}
