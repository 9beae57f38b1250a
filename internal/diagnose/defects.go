package diagnose

import (
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
)

// defects are the known defects whose conditions hold on the path. Without a measurement
// none is more than likely; one that left no sign though it has one is possible.
func (j judgement) defects() ([]Cause, error) {
	all, err := knowledge.Defects()
	if err != nil {
		return nil, err
	}
	var causes []Cause
	for i := range all {
		d := &all[i]
		for _, f := range j.byRule[d.ID] {
			if f.Verdict != finding.Found || j.on.Of(f.Element, f.Affects...) != graph.OnPath {
				continue
			}
			if f.Defect == finding.MayBite && f.Severity.Rank() >= finding.Low.Rank() {
				continue // it waits for a rare event, or does little: audit names it
			}
			of := knowledge.Cause{ID: d.ID, Title: f.Title, Symptoms: knowledge.Symptoms[:1], Do: d.Advice(),
				Verify: []string{"seaworthy defects check HOSTS"}}
			x := j.cause(of, f)
			x.Certainty = "likely"
			if f.Defect == finding.MayBite && len(d.Signs) > 0 {
				x.Certainty = "possible"
			}
			causes = append(causes, x)
		}
	}
	return causes, nil
}
