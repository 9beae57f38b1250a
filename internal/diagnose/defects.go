package diagnose

import (
	"context"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
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
			if f.Defect == finding.MayBite && !f.Specific && len(d.Signs) > 0 {
				x.Certainty = "possible"
			}
			x.defect, x.shows = true, f.Defect == finding.Bites || f.Specific
			causes = append(causes, x)
		}
	}
	return causes, nil
}

// levelsNotRead are the known defects of the hosts of the path that may bite, for all that was read of their levels.
func levelsNotRead(ctx context.Context, set *rule.Set, in Input, facts map[string]float64) ([]rule.UnreadLevel, error) {
	all, err := set.UnreadLevels(ctx, in.Fleet, facts)
	if err != nil {
		return nil, err
	}
	hosts := []string{}
	for _, r := range refs(in.Path) {
		hosts = append(hosts, r.Host)
	}
	return slices.DeleteFunc(all, func(u rule.UnreadLevel) bool { return !slices.Contains(hosts, u.Host) }), nil
}

// explain lets a known defect rank as high as the causes that show by the very lines that it left.
func explain(all []Cause) {
	for i := range all {
		if !all[i].shows {
			continue
		}
		for k := range all {
			same := func(e finding.Evidence) bool { return slices.Contains(all[k].Evidence, e) }
			if !all[k].defect && all[k].Certainty != "possible" && slices.ContainsFunc(all[i].Evidence, same) {
				all[i].Harm = max(all[i].Harm, all[k].Harm)
			}
		}
	}
}

// explains is 1 for a known defect that left a sign, 0 for all other causes.
func (c Cause) explains() int {
	if c.shows {
		return 1
	}
	return 0
}
