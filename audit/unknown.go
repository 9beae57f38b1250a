package audit

import (
	"slices"
	"strings"
)

// unknown is the error by which a word of the rule language says that the
// inventory does not hold what was asked. It is not a failure: it makes the
// verdict NOT_ASSESSED, unless the outcome does not depend on it.
type unknown struct{ what []string }

func (u *unknown) Error() string { return "not known: " + strings.Join(u.what, "; ") }

func missing(what string) error { return &unknown{[]string{what}} }

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

func (a answer) not() answer {
	switch a.truth {
	case yes:
		return answer{truth: no}
	case no:
		return answer{truth: yes}
	}
	return a
}

// join combines two answers of which one dominates: no for "and", yes for "or".
func join(dominant truth, a, b answer) answer {
	switch {
	case a.truth == dominant:
		return a
	case b.truth == dominant:
		return b
	case a.truth == open && b.truth == open:
		return answer{open, merge(a.missing, b.missing)}
	case a.truth == open:
		return a
	}
	return b
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
