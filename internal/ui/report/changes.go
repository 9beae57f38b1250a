package report

import (
	"fmt"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
)

// Changes are what a plan changes, by element.
func Changes(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for ; p != nil; p = p.Next {
		for _, s := range p.Steps {
			for _, c := range s.Changes {
				at := s.Host + ":" + s.Element
				out[at] = append(out[at], fmt.Sprintf("%s: %s → %s", c.Name(), c.Before, c.After))
			}
		}
	}
	return out
}

// among says whether a finding is in a list.
func among(list []finding.Finding, f finding.Finding) bool {
	return slices.ContainsFunc(list, func(o finding.Finding) bool { return o.Rule == f.Rule && o.Element == f.Element })
}
