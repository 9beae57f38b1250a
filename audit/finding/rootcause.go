package finding

import (
	"slices"

	"seaworthy/inventory"
)

// SuppressSymptoms takes consequences out of the findings and names them in their
// cause: one wrong setting is one finding. Explains says which rules a rule
// explains; a consequence is on the cause's element or on one that it affects.
func SuppressSymptoms(all []Finding, explains map[string][]string) []Finding {
	type place struct {
		rule string
		at   inventory.Ref
	}
	found := map[place][]int{}
	for i := range all {
		if all[i].Verdict == Found {
			p := place{all[i].Rule, all[i].Element}
			found[p] = append(found[p], i)
		}
	}
	suppressed := map[int]bool{}
	for i := range all {
		cause := &all[i]
		if cause.Verdict != Found || suppressed[i] {
			continue
		}
		for _, rule := range explains[cause.Rule] {
			reached := slices.Clone(found[place{rule, cause.Element}])
			for _, r := range cause.Affects {
				reached = append(reached, found[place{rule, r}]...)
			}
			slices.Sort(reached)
			for _, k := range slices.Compact(reached) {
				if k != i && !suppressed[k] {
					suppressed[k] = true
					cause.Symptoms = append(cause.Symptoms, all[k].ID)
				}
			}
		}
	}
	if len(suppressed) == 0 {
		return all
	}
	kept := 0
	for i := range all {
		if !suppressed[i] {
			all[kept] = all[i]
			kept++
		}
	}
	clear(all[kept:])
	return all[:kept]
}
