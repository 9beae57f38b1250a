package expr

import (
	"slices"

	"cel.dev/cel-go/common/types"
)

// missingIn lists what an unknown result misses, in the order it was asked for.
func missingIn(u *types.Unknown) []string {
	var all []string
	for _, id := range u.IDs() {
		trails, _ := u.GetAttributeTrails(id)
		for _, t := range trails {
			if !slices.Contains(all, t.Variable()) {
				all = append(all, t.Variable())
			}
		}
	}
	return all
}

// Truth is what is known of a condition.
type Truth int

const (
	No Truth = iota
	Yes
	Unknown
)

// Answer is a truth and, if it is unknown, what would have decided it.
type Answer struct {
	Truth
	Missing []string
}
