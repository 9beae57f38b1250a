package report

import "seaworthy/internal/change/plan"

// Changes returns what a plan changes, by element.
func Changes(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for ; p != nil; p = p.Next {
		for _, s := range p.Steps {
			for _, c := range s.Changes {
				at := s.Host + ":" + s.Element
				out[at] = append(out[at], changeText(c))
			}
		}
	}
	return out
}
