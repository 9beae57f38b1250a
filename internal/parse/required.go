package parse

import (
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
		if e.Flags&syntax.FoldCase != 0 || slices.Contains(e.Rune, utf8.RuneError) { // which stands for any byte that is not UTF-8
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
