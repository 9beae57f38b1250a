package remotetest

import (
	"strings"

	"seaworthy/remote"
)

// Unmarked takes what remote.Marked added from a line, and what a shell prints for it.
func Unmarked(line string) (plain, printed string) {
	mark := remote.Marked("")
	if plain, ok := strings.CutPrefix(line, mark); ok {
		return plain, strings.TrimSuffix(strings.TrimPrefix(mark, "echo "), "; ") + "\n"
	}
	return line, ""
}
