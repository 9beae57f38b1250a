package waiver

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"seaworthy/audit/finding"
)

// Waived is a finding that a site accepts.
type Waived struct {
	finding.Finding
	Reason string `json:"reason"`
	Until  string `json:"until"` // the last day
	Owner  string `json:"owner,omitempty"`
}

// Apply takes what is waived at a moment out of findings, whose order stays.
// Ineffective are messages about waivers that have expired or match no finding.
// One that matches a symptom of another finding is effective.
func Apply(findings []finding.Finding, waivers []Waiver, now time.Time) (left []finding.Finding, waived []Waived, ineffective []string) {
	if len(waivers) == 0 {
		return findings, nil, nil // no second list of a large fleet's
	}
	used := make([]bool, len(waivers))
	for _, f := range findings {
		i := -1
		if f.Verdict == finding.Found {
			i = slices.IndexFunc(waivers, func(w Waiver) bool { return w.matches(f.ID) && now.Before(w.Until) })
			for k := range waivers {
				used[k] = used[k] || waivers[k].matches(f.ID) || slices.ContainsFunc(f.Symptoms, waivers[k].matches)
			}
		}
		if i < 0 {
			left = append(left, f)
			continue
		}
		w := &waivers[i]
		waived = append(waived, Waived{Finding: f, Reason: w.Reason, Until: w.Last, Owner: w.Owner})
	}
	for i := range waivers {
		w := &waivers[i]
		switch {
		case !now.Before(w.Until) && used[i]:
			ineffective = append(ineffective, fmt.Sprintf("%s expired after %s", w, w.Last))
		case !now.Before(w.Until):
			ineffective = append(ineffective, fmt.Sprintf("%s expired after %s and matches no finding: remove it", w, w.Last))
		case !used[i]:
			ineffective = append(ineffective, fmt.Sprintf("%s matches no finding of this audit", w))
		}
	}
	return left, waived, ineffective
}

// matches says whether a waiver is about a finding, by its id: R012/lpar1:en0.
func (w *Waiver) matches(id string) bool {
	rule, at, _ := strings.Cut(id, "/")
	pattern := w.At
	if !strings.Contains(pattern, ":") {
		pattern += ":*"
	}
	there, _ := path.Match(pattern, at) // the pattern was checked when it was read
	return there && slices.Contains(w.Rules, rule)
}
