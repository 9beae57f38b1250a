package finding

import (
	"fmt"
	"slices"
	"strconv"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// SuppressSymptoms takes consequences out of the findings and names them in their
// cause: one wrong setting is one finding. Explains says which rules a rule
// explains; a consequence is on the cause's element or on one that it affects.
func SuppressSymptoms(all []Finding, explains map[string][]string) []Finding {
	type place struct {
		rule string
		at   model.Ref
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

// LargestNeeds makes one advice of findings that ask for at least different
// values of one attribute: all ask for the largest, and a caution names the rule
// that needs it. The findings stay as they are where any asks for an exact value.
func LargestNeeds(all []Finding) {
	type place struct {
		at   model.Ref
		attr string
	}
	type need struct {
		value uint64
		rule  string // empty: an exact value is asked for
	}
	needs := map[place]need{}
	for _, f := range all {
		for _, s := range f.Remedy {
			at := place{s.Ref, s.Attr}
			n, err := strconv.ParseUint(s.Value, 10, 64)
			most, known := needs[at]
			switch {
			case f.Verdict != Found:
			case err != nil || !s.AtLeast:
				needs[at] = need{}
			case !known || most.rule != "" && n > most.value:
				needs[at] = need{n, f.Rule}
			}
		}
	}
	for i := range all {
		f := &all[i]
		for k, s := range f.Remedy {
			most := needs[place{s.Ref, s.Attr}]
			value := strconv.FormatUint(most.value, 10)
			if f.Verdict != Found || most.rule == "" || s.Value == value {
				continue
			}
			f.Remedy = slices.Clone(f.Remedy) // others may hold the finding too
			f.Remedy[k].Value = value
			f.Cautions = append(slices.Clip(f.Cautions),
				fmt.Sprintf("%s=%s would do here; %s needs %s.", s.Attr, s.Value, most.rule, value))
		}
	}
}

// Concerning keeps the verdicts that concern a path: on an element that carries it or stands by
// for one that does, on the options of their hosts, or on what affects one of them.
func Concerning(all []Finding, path *graph.Places) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return path.Of(f.Element, f.Affects...) == graph.OffPath })
}
