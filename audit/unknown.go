package audit

import (
	"slices"

	"cel.dev/cel-go/common/types"
)

// unknown is the error by which a property or function says that the inventory
// does not hold what was asked. It is not a failure: it makes the verdict
// NOT_ASSESSED, unless the outcome does not depend on it.
type unknown struct{ what string }

func (u *unknown) Error() string { return "not known: " + u.what }

func missing(what string) error { return &unknown{what} }

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

// truth is what is known of a condition.
type truth int

const (
	no truth = iota
	yes
	open // not known
)

// answer is a truth with, if open, what would have decided it.
type answer struct {
	truth   truth
	missing []string
}

func known(v bool) answer {
	if v {
		return answer{truth: yes}
	}
	return answer{truth: no}
}

func merge(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
