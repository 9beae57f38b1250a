package spelling

import (
	"slices"
	"strings"
)

// Nearest is the name of those that there are which a misspelt one is most like; false if none
// is like it. Another number is another thing, no slip.
func Nearest(name string, there []string) (best string, ok bool) {
	least := 3
	if len(name) < 5 {
		least = 2
	}
	for _, t := range slices.Sorted(slices.Values(there)) {
		if strings.EqualFold(withoutZeros(name), withoutZeros(t)) {
			return t, true // r1 is R001
		}
		n := slip(strings.ToLower(name), strings.ToLower(t))
		numbered := len(name) == len(t) && strings.TrimRight(name, "0123456789") == strings.TrimRight(t, "0123456789")
		if !numbered && n < least {
			best, least = t, n
		}
	}
	return best, best != ""
}

// withoutZeros is a name without the zeros before its number: R001 is R1.
func withoutZeros(name string) string {
	letters := strings.TrimRight(name, "0123456789")
	return letters + strings.TrimLeft(name[len(letters):], "0")
}

// DidYouMean is ", did you mean NAME?" for a misspelt name; empty if none is like it.
func DidYouMean(name string, there []string) string {
	best, ok := Nearest(name, there)
	if !ok {
		return ""
	}
	return ", did you mean " + best + "?"
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
