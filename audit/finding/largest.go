package finding

import (
	"fmt"
	"slices"
	"strconv"

	"seaworthy/inventory"
)

// LargestNeeds makes one advice of findings that ask for at least different
// values of one attribute: all ask for the largest, and a caution names the rule
// that needs it. The findings stay as they are where any asks for an exact value.
func LargestNeeds(all []Finding) {
	type place struct {
		at   inventory.Ref
		attr string
	}
	type need struct {
		value  uint64
		rule   string
		differ bool
	}
	needs := map[place]*need{}
	exact := map[place]bool{}
	for _, f := range all {
		if f.Verdict != Found {
			continue
		}
		for _, s := range f.Remedy {
			at := place{s.Ref, s.Attr}
			n, err := strconv.ParseUint(s.Value, 10, 64)
			most := needs[at]
			switch {
			case err != nil || !s.AtLeast:
				exact[at] = true
			case most == nil:
				needs[at] = &need{value: n, rule: f.Rule}
			case n != most.value:
				if most.differ = true; n > most.value {
					most.value, most.rule = n, f.Rule
				}
			}
		}
	}
	for i := range all {
		f := &all[i]
		for k, s := range f.Remedy {
			at := place{s.Ref, s.Attr}
			most := needs[at]
			if most == nil || !most.differ || exact[at] || f.Verdict != Found {
				continue
			}
			value := strconv.FormatUint(most.value, 10)
			if s.Value == value {
				continue
			}
			f.Remedy = slices.Clone(f.Remedy) // others may hold the finding too
			f.Remedy[k].Value = value
			f.Cautions = append(slices.Clip(f.Cautions),
				fmt.Sprintf("%s=%s would do here; %s needs %s.", s.Attr, s.Value, most.rule, value))
		}
	}
}
