package parse

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// mostRequired bounds how many texts are looked for before an expression is tried.
const mostRequired = 64

// required gives texts of which every match of an expression contains one at least; nil where none
// are known. Looking for them costs little, and most texts that are tried hold none.
func required(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		if slices.Contains(e.Rune, utf8.RuneError) { // which stands for any byte that is not UTF-8
			return nil
		}
		foreign := func(r rune) bool { return r >= utf8.RuneSelf }
		if e.Flags&syntax.FoldCase != 0 && slices.ContainsFunc(e.Rune, foreign) {
			return nil
		}
		return []string{string(e.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(e.Sub[0])
	case syntax.OpRepeat:
		if e.Min == 0 {
			return nil
		}
		return required(e.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range e.Sub {
			one := required(sub)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		if len(all) > mostRequired {
			return nil
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range e.Sub {
			one := required(sub)
			if one != nil && rarer(one, best) {
				best = one
			}
		}
		return best
	}
	return nil
}

// rarer reports whether the texts of one list are likely to be seen less often than those of another.
func rarer(one, than []string) bool {
	if than == nil {
		return true
	}
	shortest := func(list []string) int {
		return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
	}
	return shortest(one) > shortest(than)
}

// foldsCase reports whether an expression, or a part of it, matches letters of either case.
func foldsCase(e *syntax.Regexp) bool {
	return e.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(e.Sub, foldsCase)
}

// longS is the one letter beyond ASCII that an s of either case matches and that does not become one in lower case.
const longS = "\u017f"

// lowerCase gives a text in which letters are equal that an expression without regard to case takes for equal to a letter of ASCII.
func lowerCase(b []byte) []byte {
	b = bytes.ToLower(b)
	if bytes.Contains(b, []byte(longS)) {
		return bytes.ReplaceAll(b, []byte(longS), []byte("s"))
	}
	return b
}
