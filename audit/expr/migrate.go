package expr

import (
	"regexp"
	"slices"
	"strings"

	"seaworthy/catalog"
)

var (
	literal  = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	oldWords = regexp.MustCompile(`(#)|\b(and|or|not)\b|(\.?\w+)\(`) // a method, .name(, is in the new form
)

// newForm shows the new form of what an expression of the language before CEL
// holds; empty if there is nothing of it.
func newForm(source string) string {
	cat, err := catalog.Load()
	if err != nil {
		return ""
	}
	var hints []string
	for _, m := range oldWords.FindAllStringSubmatch(literal.ReplaceAllString(source, `""`), -1) {
		word := m[1] + m[2] + m[3]
		now := cat.OldWord(word)
		if _, ok := functions[word]; ok {
			now = "el." + word + "(…)"
		} else if cat.Definitions("element")[word] != "" || builtIn["element"][word].get != nil {
			now = "el." + word
		}
		if hint := word + " is now " + now; now != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	return strings.Join(hints, "; ")
}
