package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// didYouMean asks for the name that a misspelt one is most like; empty if none is
// like it. Another number is another thing, no slip.
func didYouMean(name string, there []string) string {
	best, least := "", 3
	if len(name) < 5 {
		least = 2
	}
	slices.Sort(there)
	for _, t := range there {
		n := levenshtein(strings.ToLower(name), strings.ToLower(t))
		numbered := len(name) == len(t) && strings.TrimRight(name, "0123456789") == strings.TrimRight(t, "0123456789")
		if !numbered && n < least {
			best, least = t, n
		}
	}
	if best == "" {
		return ""
	}
	return ": is " + best + " meant?"
}

// ofAnotherKind says of an attribute that an element lacks which one may be meant:
// one with almost the same name, or whose attribute it is.
func (b *builder) ofAnotherKind(name string, el *inventory.Element) string {
	if like := didYouMean(name, slices.Collect(maps.Keys(el.Attrs))); like != "" {
		return like
	}
	for _, kind := range []inventory.Kind{inventory.Interface, inventory.SEA, inventory.EtherChannel, inventory.Physical, inventory.Virtual} {
		if _, ok := b.attrs.Attribute(string(kind), name); ok && kind != el.Kind {
			return fmt.Sprintf(" (it is one of a %s)", kind)
		}
	}
	return ""
}

// levenshtein is the number of letters to insert, remove or replace between two
// names; of long ones, which nobody types, it is not counted.
func levenshtein(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
