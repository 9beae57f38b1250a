package defect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// State says whether a host's software has a defect.
type State int

const (
	NotAffected State = iota // another platform or another level
	Affected                 // the level has it, and no fix is known to be installed
	Cured                    // a fix is installed
	NotRead                  // something that decides was not read, or no source gives it
)

// Level is what is known of a defect in a host's software.
type Level struct {
	State
	Why     string // what decided; of NotRead: what is missing
	Command string // prints what decided or, of NotRead, what is missing
}

// LevelOf judges the software of a host: fixes first, then filesets, then the level as
// a whole, which says least.
func LevelOf(d *knowledge.Defect, h *model.Host) Level {
	if !slices.Contains(d.Platforms, string(h.Platform)) {
		return Level{State: NotAffected, Why: "not a defect of this platform"}
	}
	if h.Platform == model.Linux {
		if d.Driver != "" && !uses(h, d.Driver) {
			return Level{NotAffected, "no device uses the driver " + d.Driver, "ethtool -i"}
		}
		return kernelOf(d, h.Level)
	}
	if cured, decided := byFix(d, h); decided {
		return cured
	}
	if level, decided := byFileset(d, h); decided {
		return level
	}
	return byLevel(d, h)
}

// uses says whether a device of the host has a driver, or one whose driver was not read may have it.
func uses(h *model.Host, driver string) bool {
	for _, e := range h.Elements {
		if e.Driver == driver || e.Driver == "" && e.Kind != model.Interface {
			return true
		}
	}
	return false
}

// byFix looks for an installed fix: a service pack's by instfix, an interim one by emgr.
func byFix(d *knowledge.Defect, h *model.Host) (Level, bool) {
	for _, name := range d.APARs() {
		if h.Fixes[name] {
			return Level{Cured, "all filesets for " + name + " are installed", "instfix -ik " + name}, true
		}
		for _, x := range h.InterimFixes {
			if strings.HasPrefix(x.Label, name) && x.Active() {
				return Level{Cured, "interim fix " + x.Label + " is installed", "emgr -l"}, true
			}
		}
	}
	return Level{}, false
}

// byFileset compares installed filesets with the ranges of those filesets: the first
// fixed level holds within its technology level.
func byFileset(d *knowledge.Defect, h *model.Host) (Level, bool) {
	const command = "lslpp -Lc"
	if d.Fixed != nil {
		for _, f := range d.Fixed.Filesets {
			have := h.Filesets[f.Fileset]
			if have != "" && sameRelease(have, f.Level) && compare(have, f.Level) >= 0 {
				return Level{Cured, fmt.Sprintf("%s %s has the fix, which came with %s", f.Fileset, have, f.Level), command}, true
			}
		}
	}
	outside := ""
	for _, f := range d.Affected.Filesets {
		have := h.Filesets[f.Fileset]
		if have == "" {
			continue
		}
		if compare(have, f.From) >= 0 && (f.Through == "" || compare(have, f.Through) <= 0) {
			return Level{Affected, f.Fileset + " " + have, command}, true
		}
		outside = f.Fileset + " " + have
	}
	if outside != "" {
		return Level{NotAffected, outside + " is not a level that has it", command}, true
	}
	return Level{}, false
}

// byLevel compares oslevel or ioslevel with the published ranges, and asks for the APARs
// that brought the defect.
func byLevel(d *knowledge.Defect, h *model.Host) Level {
	a := d.Affected
	ranges, have, command := a.AIX, h.Level, "oslevel -s"
	if h.Platform == model.VIOS && len(a.VIOS) > 0 {
		ranges, have, command = a.VIOS, h.IOSLevel, "ioslevel"
	}
	if len(ranges) == 0 {
		return byBringing(d, h)
	}
	if have == "" {
		return Level{NotRead, "software level", "oslevel -s, ioslevel"}
	}
	within := func(r knowledge.LevelRange) bool { return compare(have, r.From) >= 0 && compare(have, r.Below) < 0 }
	if !slices.ContainsFunc(ranges, within) {
		return Level{NotAffected, "level " + have + " is not one that has it", command}
	}
	if first := fixedIn(d, h.Level); first != "" {
		return Level{Cured, fmt.Sprintf("level %s has the fix, which came with %s", h.Level, first), "oslevel -s"}
	}
	if len(a.BroughtBy) > 0 {
		return byBringing(d, h)
	}
	return uncured(d, h, Level{Affected, "level " + have, command})
}

// byBringing asks whether an APAR that brought the defect is installed.
func byBringing(d *knowledge.Defect, h *model.Host) Level {
	unasked := ""
	for _, name := range d.Affected.BroughtBy {
		there, asked := h.Fixes[name]
		if there {
			return uncured(d, h, Level{Affected, name + ", which brought it, is installed", "instfix -ik " + name})
		}
		if !asked && unasked == "" {
			unasked = name
		}
	}
	switch {
	case unasked != "":
		return Level{NotRead, "fix " + unasked, "instfix -ik " + unasked}
	case len(d.Affected.BroughtBy) > 0:
		return Level{NotAffected, "what brought it is not installed", "instfix -ik " + d.Affected.BroughtBy[0]}
	}
	return Level{NotRead, "which levels have " + d.ID + ": its source does not say", ""}
}

// uncured holds an affected level against the fixes that were asked for. One that
// nobody asked for may be there, unless the defect destroys data: that must not wait
// for an answer.
func uncured(d *knowledge.Defect, h *model.Host, affected Level) Level {
	if d.Harm == "corruption" || exact(d) {
		return affected
	}
	for _, name := range d.APARs() {
		if _, asked := h.Fixes[name]; !asked {
			return Level{NotRead, "fix " + name, "instfix -ik " + name}
		}
	}
	return affected
}

// exact says that the ranges name service packs, not whole technology levels, in which
// some have the fix.
func exact(d *knowledge.Defect) bool {
	ranges := slices.Concat(d.Affected.AIX, d.Affected.VIOS)
	return len(ranges) > 0 && !slices.ContainsFunc(ranges, func(r knowledge.LevelRange) bool {
		from, err := knowledge.ParseLevel(r.From)
		return err != nil || len(from) < levelParts
	})
}

// levelParts are those of a complete level: 7200-04-02-2015, 3.1.1.20.
const levelParts = 4

// fixedIn is the service pack of the level's technology level that has the fix, if the
// level has reached it.
func fixedIn(d *knowledge.Defect, level string) string {
	if d.Fixed == nil || level == "" {
		return ""
	}
	packs := slices.Clone(d.Fixed.AIX)
	for _, f := range d.Fixed.Filesets {
		if f.ShipsIn != "" {
			packs = append(packs, f.ShipsIn)
		}
	}
	for _, pack := range packs {
		have, err := knowledge.ParseLevel(level)
		first, err2 := knowledge.ParseLevel(pack)
		same := err == nil && err2 == nil && len(have) > 2 && len(first) > 2 && slices.Equal(have[:2], first[:2])
		if same && slices.Compare(have, first) >= 0 {
			return pack
		}
	}
	return ""
}

// upstream are the kernel releases whose number says which fixes they have: those of
// kernel.org. Distributions keep a number and carry fixes back.
var upstream = regexp.MustCompile(`^\d+\.\d+(?:\.\d+)?(?:-rc\d+)?\+?$`)

// kernelOf judges a Linux kernel by its release.
func kernelOf(d *knowledge.Defect, release string) Level {
	const changelog = "rpm -q --changelog kernel, or the distribution's changelog"
	if release == "" {
		return Level{NotRead, "kernel release", "uname -r"}
	}
	if d.Fixed != nil {
		if d.Fixed.Mainline != "" && compare(release, d.Fixed.Mainline) >= 0 {
			return Level{Cured, fmt.Sprintf("kernel %s is later than %s, which has the fix", release, d.Fixed.Mainline), "uname -r"}
		}
		for _, first := range d.Fixed.Stable {
			if upstream.MatchString(release) && sameBranch(release, first) && compare(release, first) >= 0 {
				return Level{Cured, fmt.Sprintf("kernel %s has the fix, which came with %s", release, first), "uname -r"}
			}
		}
	}
	switch {
	case !upstream.MatchString(release):
		return Level{NotRead, "whether kernel " + release + " has the fix: the number of a distribution's kernel does not say", changelog}
	case d.Affected.Kernel == "":
		return Level{NotRead, "which kernels have " + d.ID + ": its source does not say", ""}
	case compare(release, d.Affected.Kernel) < 0:
		return Level{NotAffected, "kernel " + release + " is older than the defect", "uname -r"}
	}
	return Level{Affected, "kernel " + release, "uname -r"}
}

// compare orders two levels of one platform; one that cannot be read is the lower.
func compare(a, b string) int {
	n, err := knowledge.CompareLevels(a, b)
	if err != nil {
		return -1
	}
	return n
}

// sameRelease says that two filesets are of one technology level: V.R.M of V.R.M.F.
func sameRelease(a, b string) bool { return alike(a, b, 3) }

// sameBranch says that two kernels are of one stable branch.
func sameBranch(a, b string) bool { return alike(a, b, 2) }

func alike(a, b string, parts int) bool {
	x, err := knowledge.ParseLevel(a)
	y, err2 := knowledge.ParseLevel(b)
	return err == nil && err2 == nil && len(x) >= parts && len(y) >= parts && slices.Equal(x[:parts], y[:parts])
}
