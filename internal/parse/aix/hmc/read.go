package hmc

import (
	"strings"

	"seaworthy/internal/parse"
)

// Read reads a list with the command line that printed it: with -F and without
// --header only the command has the names of the columns.
func Read(command string, text []byte) (*List, error) {
	names := Option(command, "-F")
	if names == "" {
		return Parse(text)
	}
	asked, err := ParseFields(text, names)
	if err == nil && len(asked.Unknown) == 0 {
		return asked, nil
	}
	// A list with names of its own, though the command asked for none.
	if named, other := Parse(text); other == nil && named.Names == nil && len(named.Records) > 0 {
		return named, nil
	}
	return asked, err
}

// word is one of a command line; one in quotes may hold blanks.
var word = parse.Lazy(`'[^']*'|"[^"]*"|\S+`)

// Option is the word behind an option of a command line, without quotes; empty
// if there is none. -m names the managed system.
func Option(command, name string) string {
	words := word.Regexp().FindAllString(command, -1)
	for i, w := range words {
		if w == name && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			return strings.Trim(words[i+1], `'"`)
		}
	}
	return ""
}
