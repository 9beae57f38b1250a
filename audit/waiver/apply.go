package waiver

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/audit"
	"seaworthy/inventory"
)

// Waived is a finding that a site lives with.
type Waived struct {
	audit.Finding
	Reason string `json:"reason"`
	Until  string `json:"until"` // the last day
	Owner  string `json:"owner,omitempty"`
}

// Apply takes what is waived at a moment out of findings, whose order stays.
// Told are the waivers that do not work: expired ones, and those that match no
// finding. One that matches a consequence of another finding is of use.
func Apply(findings []audit.Finding, waivers []Waiver, now time.Time) (left []audit.Finding, waived []Waived, told []string) {
	if len(waivers) == 0 {
		return findings, nil, nil // a large fleet's are not there twice
	}
	used := make([]bool, len(waivers))
	for _, f := range findings {
		i := -1
		if f.Verdict == audit.Found {
			i = slices.IndexFunc(waivers, func(w Waiver) bool { return w.matches(f.Rule, f.Element) && now.Before(w.Until) })
		}
		if f.Verdict == audit.Found {
			for k := range waivers {
				used[k] = used[k] || waivers[k].matches(f.Rule, f.Element) || slices.ContainsFunc(f.Covers, waivers[k].matchesID)
			}
		}
		if i < 0 {
			left = append(left, f)
			continue
		}
		w := &waivers[i]
		waived = append(waived, Waived{Finding: f, Reason: w.Reason, Until: w.lastDay(), Owner: w.Owner})
	}
	for i := range waivers {
		w := &waivers[i]
		switch {
		case !now.Before(w.Until) && used[i]:
			told = append(told, fmt.Sprintf("%s expired after %s and no longer works", w, w.lastDay()))
		case !now.Before(w.Until):
			told = append(told, fmt.Sprintf("%s expired after %s; it matches no finding, it can go", w, w.lastDay()))
		case !used[i]:
			told = append(told, fmt.Sprintf("%s matches no finding of this audit", w))
		}
	}
	return left, waived, told
}

func (w *Waiver) lastDay() string { return w.Until.AddDate(0, 0, -1).Format(time.DateOnly) }

// matches says whether a waiver is about a rule's finding at a place.
func (w *Waiver) matches(rule string, at inventory.Ref) bool {
	if !slices.Contains(w.Rules, rule) {
		return false
	}
	host, element, ok := strings.Cut(w.At, ":")
	return glob(host, at.Host) && (!ok || glob(element, at.Element))
}

// matchesID is matches of a finding's id: R012/lpar1:en0.
func (w *Waiver) matchesID(id string) bool {
	rule, at, _ := strings.Cut(id, "/")
	host, element, _ := strings.Cut(at, ":")
	return w.matches(rule, inventory.Ref{Host: host, Element: element})
}

// glob matches a text in which * stands for any text.
func glob(pattern, text string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	for _, p := range parts[:len(parts)-1] {
		_, after, ok := strings.Cut(text, p)
		if !ok {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}
