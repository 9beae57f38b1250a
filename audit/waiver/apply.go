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
	by := byPlace(waivers)
	for _, f := range findings {
		i := -1
		if f.Verdict == finding.Found {
			for _, k := range by.of(f.ID) {
				used[k] = true
				if now.Before(waivers[k].Until) && (i < 0 || k < i) {
					i = k
				}
			}
			for _, id := range f.Symptoms {
				for _, k := range by.of(id) {
					used[k] = true
				}
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

// places finds the waivers of a finding, by their place in the list: many name many
// findings.
type places struct {
	list  []Waiver
	plain map[string][]int // by "R012/lpar1:en0", or "R012/lpar1" for all of a host
	any   map[string][]int // by rule, those whose place is a pattern
}

func byPlace(list []Waiver) places {
	p := places{list, map[string][]int{}, map[string][]int{}}
	for i, w := range list {
		for _, rule := range w.Rules {
			if strings.ContainsAny(w.At, `*?[\`) {
				p.any[rule] = append(p.any[rule], i)
			} else {
				p.plain[rule+"/"+w.At] = append(p.plain[rule+"/"+w.At], i)
			}
		}
	}
	return p
}

// of are the waivers of a finding by its id, R012/lpar1:en0, in no order.
func (p places) of(id string) []int {
	rule, at, _ := strings.Cut(id, "/")
	host, _, whole := strings.Cut(id, ":")
	out := slices.Clone(p.plain[id])
	if whole {
		out = append(out, p.plain[host]...)
	}
	for _, i := range p.any[rule] {
		pattern := p.list[i].At
		if !strings.Contains(pattern, ":") {
			pattern += ":*"
		}
		if there, _ := path.Match(pattern, at); there { // the pattern was checked when it was read
			out = append(out, i)
		}
	}
	return out
}
