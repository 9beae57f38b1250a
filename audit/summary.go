package audit

import (
	"fmt"
	"slices"
	"strings"
)

// Severities in falling order.
var order = []Severity{Critical, High, Medium, Low, Info}

// rank gives 0 for critical up to 4 for info; what is no severity ranks last.
func rank(s Severity) int {
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
func (s Severity) AtLeast(min Severity) bool { return rank(s) <= rank(min) }

// AtLeast gives the FINDINGs of a severity or above, in their order.
func AtLeast(findings []Finding, min Severity) []Finding {
	var out []Finding
	for _, f := range findings {
		if f.Verdict == Found && f.Severity.AtLeast(min) {
			out = append(out, f)
		}
	}
	return out
}
