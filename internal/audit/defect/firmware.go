package defect

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

var patterns sync.Map // by their text

// pattern is a compiled pattern of adapters; the file of defects was checked for those that are none.
func pattern(text string) *regexp.Regexp {
	have, ok := patterns.Load(text)
	if !ok {
		have, _ = patterns.LoadOrStore(text, regexp.MustCompile(text))
	}
	return have.(*regexp.Regexp)
}

// firmwareOf judges the firmware of a host's adapters, or of its system. One affected adapter is enough.
func firmwareOf(d *knowledge.Defect, h *model.Host) Level {
	best := Level{State: NotAffected, Why: "no such adapter"}
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		level := FirmwareOf(d, h, h.Elements[name])
		if level.State == Affected {
			return level
		}
		if best.State == NotAffected || best.State == Cured && level.State == NotRead {
			best = level
		}
	}
	if best.State == NotAffected {
		return systemFirmware(d, h)
	}
	return best
}

// FirmwareOf judges the firmware of one adapter.
func FirmwareOf(d *knowledge.Defect, h *model.Host, e *model.Element) Level {
	for _, f := range d.Affected.Firmware {
		if f.Adapter == "" || !pattern(f.Adapter).MatchString(strings.Join([]string{e.Driver, e.Product, e.Module}, " ")) {
			continue
		}
		command := "lscfg -vl " + e.Name
		if h.Platform == model.Linux {
			command = "ethtool -i " + e.Name
		}
		if e.Firmware == "" {
			return Level{State: NotRead, Why: "firmware of " + e.Name, Command: command}
		}
		return inFirmware(f, e.Name+": firmware ", e.Firmware, command)
	}
	return Level{State: NotAffected, Why: "no such adapter"}
}

// systemFirmware judges the firmware of the managed system: VH950_119 is of release VH950.
func systemFirmware(d *knowledge.Defect, h *model.Host) Level {
	for _, f := range d.Affected.Firmware {
		if f.Adapter != "" {
			continue
		}
		release, _, _ := strings.Cut(f.Below, "_")
		switch have, _, _ := strings.Cut(h.SystemFirmware, "_"); {
		case h.SystemFirmware == "":
			return Level{State: NotRead, Why: "system firmware", Command: "lsmcode -c"}
		case have == release:
			return inFirmware(f, "system firmware ", h.SystemFirmware, "lsmcode -c")
		}
	}
	return Level{State: NotAffected, Why: "no such adapter or system firmware"}
}

func inFirmware(f knowledge.Firmware, what, have, command string) Level {
	level := firmwareLevel(have)
	switch {
	case len(level) == 0:
		return Level{State: NotRead, Why: what + have + " is not of a form that is known", Command: command}
	case f.From != "" && slices.Compare(level, firmwareLevel(f.From)) < 0:
		return Level{State: NotAffected, Why: what + have + " is older than the defect", Command: command}
	case slices.Compare(level, firmwareLevel(f.Below)) < 0:
		return Level{State: Affected, Why: what + have + " is below " + f.Below + ", which has the fix", Command: command}
	}
	return Level{State: Cured, Why: what + have + " has the fix, which came with " + f.Below, Command: command}
}

var firmwareNumber = regexp.MustCompile(`^\d+(?:\.\d+)+|^\d+$`)

// digits are those of each number of a level that is printed without points, by its length.
var digits = map[int]int{12: 4, 20: 5}

// firmwareLevel gives the numbers of a level: 11.4.415.33, which lscfg prints as 00011000040041500033, or
// 22.40.1000, which is 002200401000; of VH950_119 what follows the release; nil for another form.
func firmwareLevel(text string) []int {
	if _, level, ofSystem := strings.Cut(text, "_"); ofSystem {
		text, _, _ = strings.Cut(level, "_")
	}
	text = firmwareNumber.FindString(strings.TrimSpace(text))
	group := digits[len(text)]
	if group > 0 && !strings.Contains(text, ".") {
		var parts []string
		for part := range slices.Chunk([]byte(text), group) {
			parts = append(parts, string(part))
		}
		text = strings.Join(parts, ".")
	}
	level, err := knowledge.ParseLevel(text)
	if err != nil {
		return nil
	}
	return level
}
