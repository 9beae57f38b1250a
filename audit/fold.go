package audit

import (
	"slices"

	"seaworthy/inventory"
)

// fold takes consequences out of the findings and names them in their cause:
// one wrong setting is one finding. Which rule explains which is the rules' to
// say; a consequence stands on the cause's element or on one that it affects.
func (set *Set) fold(all []Finding) []Finding {
	explains := map[string][]string{}
	for i := range set.rules {
		if r := &set.rules[i].rule; len(r.Explains) > 0 {
			explains[r.ID] = r.Explains
		}
	}
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
	folded := map[int]bool{}
	for i := range all {
		cause := &all[i]
		if cause.Verdict != Found || folded[i] {
			continue
		}
		for _, rule := range explains[cause.Rule] {
			reached := slices.Clone(found[place{rule, cause.Element}])
			for _, r := range cause.Affects {
				reached = append(reached, found[place{rule, r}]...)
			}
			slices.Sort(reached)
			for _, k := range slices.Compact(reached) {
				if k != i && !folded[k] {
					folded[k] = true
					cause.Covers = append(cause.Covers, all[k].ID)
				}
			}
		}
	}
	if len(folded) == 0 {
		return all
	}
	kept := 0
	for i := range all {
		if !folded[i] {
			all[kept] = all[i]
			kept++
		}
	}
	clear(all[kept:])
	return all[:kept]
}
