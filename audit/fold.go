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
	found := map[string][]int{} // rule → its findings
	for i := range all {
		if all[i].Verdict == Found {
			found[all[i].Rule] = append(found[all[i].Rule], i)
		}
	}
	folded := map[int]bool{}
	for i := range all {
		cause := &all[i]
		if cause.Verdict != Found || folded[i] {
			continue
		}
		for _, rule := range explains[cause.Rule] {
			for _, k := range found[rule] {
				if k != i && !folded[k] && cause.reaches(all[k].Element) {
					folded[k] = true
					cause.Covers = append(cause.Covers, all[k].ID)
				}
			}
		}
	}
	if len(folded) == 0 {
		return all
	}
	out := make([]Finding, 0, len(all)-len(folded))
	for i := range all {
		if !folded[i] {
			out = append(out, all[i])
		}
	}
	return out
}

func (f *Finding) reaches(r inventory.Ref) bool {
	return f.Element == r || slices.Contains(f.Affects, r)
}
