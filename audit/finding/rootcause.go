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
	suppressed := map[string]bool{} // by id
	for i := range all {
		cause := &all[i]
		if cause.Verdict != Found || suppressed[cause.ID] {
			continue
		}
		for _, rule := range explains[cause.Rule] {
			reached := slices.Clone(found[place{rule, cause.Element}])
			for _, r := range cause.Affects {
				reached = append(reached, found[place{rule, r}]...)
			}
			slices.Sort(reached)
			for _, k := range slices.Compact(reached) {
				if id := all[k].ID; k != i && !suppressed[id] {
					suppressed[id] = true
					cause.Symptoms = append(cause.Symptoms, id)
				}
			}
		}
	}
	if len(suppressed) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(f Finding) bool { return suppressed[f.ID] })
}
