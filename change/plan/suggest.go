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
		n := slip(strings.ToLower(name), strings.ToLower(t))
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

// slip is the number of letters of two names, or of parts of them, between what
// begins and what ends alike: small if one was mistyped at one place.
func slip(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}
