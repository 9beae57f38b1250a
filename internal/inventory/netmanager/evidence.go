package netmanager

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// ofDevice is the placeholder for a device. A line or a connection may have it; a section
// and unless are the same for all devices.
const ofDevice = "{d}"

// compile compiles the patterns that are the same for all devices.
func (e *Evidence) compile() {
	compiled := func(pattern string) *regexp.Regexp {
		if pattern == "" {
			return nil
		}
		return regexp.MustCompile(pattern) // it is part of the program
	}
	e.section, e.unless = compiled(e.Section), compiled(e.Unless)
	if pattern := cmp.Or(e.Line, e.Connection); !strings.Contains(pattern, ofDevice) {
		e.compiled = compiled(pattern)
	}
}

// Device is the device whose part of a file a line begins; false: it begins none.
func (e *Evidence) Device(line string) (string, bool) {
	m := e.section.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// Holds reports whether lines show that a device is the manager's, and what the manager calls
// it, if a line says so.
func (e *Evidence) Holds(lines []string, device string) (name string, ok bool) {
	if e.unless != nil {
		for _, l := range lines {
			if e.unless.MatchString(l) {
				return "", false
			}
		}
	}
	if e.Line == "" {
		return "", true
	}
	for _, l := range lines {
		if found, matches := e.match(l, device); matches { // the last line is in force
			name, ok = found, true
		}
	}
	return name, ok
}

// HoldsConnection reports whether the connection that is active on a device shows that the
// device is the manager's, and what the manager calls it, if the name says so.
func (e *Evidence) HoldsConnection(id, device string) (name string, ok bool) {
	if e.Connection == "" {
		return "", false
	}
	return e.match(id, device)
}

func (e *Evidence) match(line, device string) (name string, ok bool) {
	pattern := e.compiled
	if pattern == nil {
		text := strings.ReplaceAll(cmp.Or(e.Line, e.Connection), ofDevice, regexp.QuoteMeta(device))
		pattern = regexp.MustCompile(text) // it is part of the program, and a device is quoted
	}
	m := pattern.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	if group := pattern.SubexpIndex("name"); group >= 0 {
		name = m[group]
	}
	return name, true
}

// Claim holds what the evidence of a manager says of a device.
type Claim struct {
	Device, Index    string
	File             string // that shows it; empty: a connection does
	Connection, UUID string // of NetworkManager; empty: a file shows it
	Name             string // the manager's for the device; empty: it has none
}

// Fill puts what a claim says into the placeholders of a text of the table. A name between
// quotation marks is quoted as Go does.
func (c Claim) Fill(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return strings.NewReplacer(`"{n}"`, strconv.Quote(c.Name), `"{c}"`, strconv.Quote(c.Connection),
		"{d}", c.Device, "{i}", c.Index, "{f}", c.File, "{c}", c.Connection, "{u}", c.UUID, "{n}", c.Name).Replace(text)
}
