package entstat

import "seaworthy/dialect/aix/printout"

// messages marks the lines that are error messages of a command or a shell.
// Continuations are indented like the data here, so only the message's own
// line is taken; what follows it is read as what it looks like.
func messages(lines []string) []bool {
	skip := make([]bool, len(lines))
	for i := range lines {
		skip[i] = printout.Message(lines[i:i+1], 0) > 0
	}
	return skip
}

func isMessage(text string) bool { return printout.Message([]string{text}, 0) > 0 }
