package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// Severities in falling order.
var order = []Severity{Critical, High, Medium, Low, Info}

// Rank gives 0 for critical up to 4 for info; anything else ranks last.
func (s Severity) Rank() int {
	if i := slices.Index(order, s); i >= 0 {
		return i
	}
	return len(order)
}

// ParseSeverity reads a severity a user typed.
func ParseSeverity(text string) (Severity, error) {
	s := Severity(strings.ToLower(text))
	if !slices.Contains(order, s) {
		return "", fmt.Errorf("severity %q: critical, high, medium, low or info", text)
	}
	return s, nil
}

// AtLeast says whether s is as severe as min, or more.
func (s Severity) AtLeast(min Severity) bool { return s.Rank() <= min.Rank() }

// ByImpact orders findings before what passed, the severe first, of those the
// ones that more elements suffer from; then by rule and element.
func ByImpact(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Verdict.Weight(), b.Verdict.Weight()),
		cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		cmp.Compare(len(b.Affects), len(a.Affects)),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Element.Host, b.Element.Host),
		inventory.Natural(a.Element.Element, b.Element.Element),
	)
}
