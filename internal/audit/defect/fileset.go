package defect

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// byFileset compares installed filesets with the ranges of those filesets, and with the
// first level that has the fix, each of which holds within its technology level.
func byFileset(d *knowledge.Defect, h *model.Host) (Level, bool) {
	const command = "lslpp -Lc"
	below := ""
	if d.Fixed != nil {
		for _, f := range d.Fixed.Filesets {
			have := h.Filesets[f.Fileset]
			if have == "" || !sameRelease(have, f.Level) {
				continue
			}
			if compare(have, f.Level) >= 0 {
				return Level{State: Cured, Why: fmt.Sprintf("%s %s has the fix, which came with %s", f.Fileset, have, f.Level), Command: command}, true
			}
			below = fmt.Sprintf("%s %s is below %s, which has the fix", f.Fileset, have, f.Level)
		}
	}
	outside := ""
	for _, f := range d.Affected.Filesets {
		have := h.Filesets[f.Fileset]
		if have == "" {
			continue
		}
		if compare(have, f.From) >= 0 && (f.Through == "" || compare(have, f.Through) <= 0) {
			return Level{State: Affected, Why: f.Fileset + " " + have, Command: command}, true
		}
		outside = f.Fileset + " " + have
	}
	switch {
	case outside != "":
		return Level{State: NotAffected, Why: outside + " is not a level that has it", Command: command}, true
	case below != "" && inRanges(d, h):
		return Level{State: Affected, Why: below, Command: command}, true
	}
	return Level{}, false
}

// inRanges says that the level of a host is one of the published ones, or that none were published.
func inRanges(d *knowledge.Defect, h *model.Host) bool {
	return len(d.Affected.AIX) == 0 || h.Level == "" || slices.ContainsFunc(d.Affected.AIX, func(r knowledge.LevelRange) bool {
		return compare(h.Level, r.From) >= 0 && compare(h.Level, r.Below) < 0
	})
}

// sameRelease says that two filesets are of one technology level: V.R.M of V.R.M.F.
func sameRelease(a, b string) bool { return alike(a, b, 3) }
