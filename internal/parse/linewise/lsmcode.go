package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// MicrocodeList is the output of lsmcode -c or lsmcode -A.
type MicrocodeList struct {
	parse.Report
	Devices []*Microcode `json:"devices,omitempty"`
	// System is the firmware that runs: VL950_111.
	System string `json:"system,omitempty"`
	booted string
	images map[string]string // by side, temporary or permanent
}

// Microcode is one line of lsmcode -A.
type Microcode struct {
	Device string `json:"device" from:"device"` // ent0, sys0
	Type   string `json:"type" from:"type"`     // as the microcode's file is called: system, df1028e21410
	Level  string `json:"level" from:"level"`
}

var (
	microcodeRow    = parse.Lazy(`^(?P<device>[a-z]+[0-9]+)!(?P<type>[A-Za-z0-9_-]+)[.:](?P<level>\S.*?)\s*$`)
	microcodeImage  = parse.Lazy(`^The current (permanent|temporary) system firmware image is (\S+?)\.?\s*$`)
	microcodeBooted = parse.Lazy(`^The system is currently booted from the (permanent|temporary) (?:system )?firmware image\.\s*$`)
	microcodeOld    = parse.Lazy(`^(?:System|Platform) Firmware level is (\S+?)\.?\s*$`)
)

var microcodeOutput = &output[MicrocodeList]{
	name:    "lsmcode",
	ignored: parse.Lazy(`^\s*DISPLAY MICROCODE LEVEL.*$|^\s*IBM,\S+\s*$`),
	reader:  func(*MicrocodeList) line[MicrocodeList] { return readMicrocode },
	finish:  (*MicrocodeList).inUse,
	message: true,
}

func readMicrocode(l *MicrocodeList, text parse.Line) bool {
	m := &Microcode{}
	if microcodeRow.Fill(text.Text, m) {
		l.Devices = append(l.Devices, m)
		return true
	}
	if image := microcodeImage.FindStringSubmatch(text.Text); image != nil {
		if l.images == nil {
			l.images = map[string]string{}
		}
		l.images[image[1]] = image[2]
		return true
	}
	if booted := microcodeBooted.FindStringSubmatch(text.Text); booted != nil {
		l.booted = booted[1]
		return true
	}
	if old := microcodeOld.FindStringSubmatch(text.Text); old != nil {
		l.System = old[1]
		return true
	}
	return false
}

// inUse finds the firmware that runs: -A prints the sides and, last, the one that the system was booted from.
func (l *MicrocodeList) inUse() {
	for _, m := range l.Devices {
		if words := strings.Fields(m.Level); m.Type == "system" && len(words) >= 2 {
			l.System = words[max(0, len(words)-2)]
		}
	}
	if image := l.images[l.booted]; image != "" {
		l.System = image
	}
}

// ParseMicrocode reads lsmcode -c or -A; parse.ErrNotRecognised if no line is about microcode and none is a message.
func ParseMicrocode(text []byte) (*MicrocodeList, error) { return microcodeOutput.parse(text) }
