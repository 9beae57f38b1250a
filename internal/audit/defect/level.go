package defect

import (
	"fmt"
	"slices"
	"strings"
	"time"

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

// Level holds what is known of a defect in a host's software.
type Level struct {
	State
	Why     string // what decided; of NotRead: what is missing
	Command string // prints what decided or, of NotRead, what is missing
	// Unpublished, of NotRead: no reading of the host decides, since no source says which levels have it.
	Unpublished bool
}

// InterimFixes is the command that lists installed interim fixes.
const InterimFixes = "emgr -l"

// LevelOf judges the software of a host: fixes first, then filesets, then the level as
// a whole, which says least. A defect of firmware is judged by all adapters of the host.
func LevelOf(d *knowledge.Defect, h *model.Host) Level {
	if len(d.Affected.Firmware) > 0 {
		return firmwareOf(d, h)
	}
	if !slices.Contains(d.Platforms, string(h.Platform)) {
		if slices.Contains(d.Platforms, "firmware") {
			return unpublished(d)
		}
		return Level{State: NotAffected, Why: "not a defect of this platform"}
	}
	if h.Platform == model.Linux {
		if d.Driver != "" && !uses(h, d.Driver) {
			return Level{State: NotAffected, Why: "no device uses the driver " + d.Driver, Command: "ethtool -i"}
		}
		return kernelOf(d, h)
	}
	if cured, decided := byFix(d, h); decided {
		return cured
	}
	if cured, decided := byBuild(d, h); decided {
		return cured
	}
	if level, decided := byFileset(d, h); decided {
		return level
	}
	return byLevel(d, h)
}

func unpublished(d *knowledge.Defect) Level {
	return Level{State: NotRead, Why: "which levels have " + d.ID + ": its source does not say", Unpublished: true}
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
			return Level{State: Cured, Why: "all filesets for " + name + " are installed", Command: "instfix -ik " + name}, true
		}
		if fix := interimFix(h, name); fix != "" {
			return Level{State: Cured, Why: "interim fix " + fix + " is installed", Command: InterimFixes}, true
		}
	}
	return Level{}, false
}

// byBuild asks whether the service pack was built after the day from which all have the fix.
func byBuild(d *knowledge.Defect, h *model.Host) (Level, bool) {
	if d.Fixed == nil || d.Fixed.BuiltFrom == "" {
		return Level{}, false
	}
	built, ok := knowledge.BuiltOn(h.Level)
	from, published := knowledge.BuiltOn("0000-00-00-" + d.Fixed.BuiltFrom)
	if !ok || !published || built.Before(from) {
		return Level{}, false
	}
	return Level{State: Cured, Why: "service packs built from " + from.Format("2006-01") + " on have the fix", Command: "oslevel -s"}, true
}

// interimFix is the label of an interim fix in force that begins with a text; empty if there is none.
func interimFix(h *model.Host, begins string) string {
	for _, x := range h.InterimFixes {
		if strings.HasPrefix(x.Label, begins) && x.Active() {
			return x.Label
		}
	}
	return ""
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
		return byServicePack(d, h)
	}
	if have == "" {
		return Level{State: NotRead, Why: "software level", Command: "oslevel -s, ioslevel"}
	}
	within := func(r knowledge.LevelRange) bool { return compare(have, r.From) >= 0 && compare(have, r.Below) < 0 }
	if !slices.ContainsFunc(ranges, within) {
		return Level{State: NotAffected, Why: "level " + have + " is not one that has it", Command: command}
	}
	if first, reached := fixedIn(d, h.Level); reached {
		return Level{State: Cured, Why: fmt.Sprintf("level %s has the fix, which came with %s", h.Level, first), Command: "oslevel -s"}
	}
	if len(a.BroughtBy) > 0 {
		return byBringing(d, h)
	}
	return uncured(d, h, Level{State: Affected, Why: "level " + have, Command: command})
}

// byServicePack judges a level by the service packs that brought the fix, where no source
// says which levels have the defect.
func byServicePack(d *knowledge.Defect, h *model.Host) Level {
	first, reached := fixedIn(d, h.Level)
	switch {
	case reached:
		return Level{State: Cured, Why: fmt.Sprintf("level %s has the fix, which came with %s", h.Level, first), Command: "oslevel -s"}
	case len(d.Affected.BroughtBy) > 0:
		return byBringing(d, h)
	case first != "":
		return uncured(d, h, Level{State: Affected, Why: fmt.Sprintf("level %s is older than %s, which has the fix", h.Level, first),
			Command: "oslevel -s"})
	}
	return byAge(d, h)
}

// byAge judges a level by when its service pack was built and when the APARs were opened.
func byAge(d *knowledge.Defect, h *model.Host) Level {
	age, why := ageOf(d, h.Level)
	switch {
	case age == older && d.Affected.Always:
		return Level{State: Affected, Why: why, Command: "oslevel -s"}
	case age == later:
		return Level{State: NotAffected, Why: why, Command: "oslevel -s"}
	case d.Affected.Always:
		return uncured(d, h, Level{State: Affected, Why: "every level before the fix has it", Command: "oslevel -s"})
	}
	level := unpublished(d)
	if age == older {
		level.Why += "; " + why
	}
	return level
}

// byBringing asks whether an APAR or interim fix that brought the defect is installed.
func byBringing(d *knowledge.Defect, h *model.Host) Level {
	unasked := ""
	for _, name := range d.Affected.BroughtBy {
		there, asked := h.Fixes[name]
		label := interimFix(h, name)
		switch {
		case there:
			return uncured(d, h, Level{State: Affected, Why: name + ", which brought it, is installed", Command: "instfix -ik " + name})
		case label != "":
			return uncured(d, h, Level{State: Affected, Why: "interim fix " + label + ", which brought it, is installed", Command: InterimFixes})
		case !asked && unasked == "":
			unasked = name
		}
	}
	if age, why := ageOf(d, h.Level); age == later && unasked != "" {
		return Level{State: NotAffected, Why: why, Command: "oslevel -s"}
	}
	if unasked != "" {
		return Level{State: NotRead, Why: "fix " + unasked, Command: "instfix -ik " + unasked}
	}
	return Level{State: NotAffected, Why: "what brought it is not installed", Command: "instfix -ik " + d.Affected.BroughtBy[0]}
}

// uncured holds an affected level against the fixes that were asked for. One that
// nobody asked for may be there, unless the service pack was built before it or the defect
// destroys data: that must not wait for an answer.
func uncured(d *knowledge.Defect, h *model.Host, affected Level) Level {
	unasked := slices.DeleteFunc(d.APARs(), func(name string) bool {
		_, asked := h.Fixes[name]
		return asked
	})
	if d.Harm == "corruption" || exact(d) || len(unasked) == 0 {
		return affected
	}
	age, why := ageOf(d, h.Level)
	switch age {
	case older:
		affected.Why += "; " + why
		return affected
	case later:
		return Level{State: NotAffected, Why: why, Command: "oslevel -s"}
	}
	return Level{State: NotRead, Why: "fix " + unasked[0], Command: "instfix -ik " + unasked[0]}
}

// age is that of a service pack beside the APARs of a defect.
type age int

const (
	unknownAge age = iota
	older          // built before any of them was opened: none is in it
	later          // built long after all of them were opened: the one of its level is in it
)

// spread is after how long the service packs of all technology levels that still get some have a fix.
const spread = 2 * 365 * 24 * time.Hour

// ageOf compares the build of a service pack with the days between which the APARs of a defect
// were opened, and says what decided.
func ageOf(d *knowledge.Defect, level string) (age, string) {
	built, ok := knowledge.BuiltOn(level)
	all := d.APARs()
	if !ok || len(all) == 0 {
		return unknownAge, ""
	}
	first, last := openedBetween(all)
	switch {
	case !first.IsZero() && built.Before(first):
		return older, fmt.Sprintf("the service pack was built in %s, before %s was opened", built.Format("2006-01"), all[0])
	case !last.IsZero() && built.After(last.Add(spread)):
		return later, fmt.Sprintf("the service pack was built in %s, more than two years after %s was opened", built.Format("2006-01"), all[0])
	}
	return unknownAge, ""
}

// openedBetween gives the days between which APARs were opened, all of them; the zero time where one is not known.
func openedBetween(apars []string) (first, last time.Time) {
	for i, name := range apars {
		after, before := knowledge.APAROpened(name)
		if i == 0 || after.Before(first) {
			first = after
		}
		if i == 0 || !last.IsZero() && (before.IsZero() || before.After(last)) {
			last = before
		}
	}
	return first, last
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

// fixedIn is the service pack of the level's technology level that has the fix, and whether
// the level has reached it; empty if none is known of that technology level.
func fixedIn(d *knowledge.Defect, level string) (pack string, reached bool) {
	if d.Fixed == nil || level == "" {
		return "", false
	}
	packs := slices.Clone(d.Fixed.AIX)
	for _, f := range d.Fixed.Filesets {
		if f.ShipsIn != "" {
			packs = append(packs, f.ShipsIn)
		}
	}
	have, err := knowledge.ParseLevel(level)
	if err != nil || len(have) < 2 {
		return "", false
	}
	for _, p := range packs {
		first, err := knowledge.ParseLevel(p)
		if err == nil && len(first) >= 2 && slices.Equal(have[:2], first[:2]) {
			return p, slices.Compare(have, first) >= 0
		}
	}
	return "", false
}

// compare orders two levels of one platform; one that cannot be read is the lower.
func compare(a, b string) int {
	n, err := knowledge.CompareLevels(a, b)
	if err != nil {
		return -1
	}
	return n
}

func alike(a, b string, parts int) bool {
	x, err := knowledge.ParseLevel(a)
	y, err2 := knowledge.ParseLevel(b)
	return err == nil && err2 == nil && len(x) >= parts && len(y) >= parts && slices.Equal(x[:parts], y[:parts])
}
