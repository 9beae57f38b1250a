package detect

import (
	"bytes"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// filter is a program in a command line that leaves out lines of the output before it.
var filter = parse.Lazy(`\| *(?:[ef]?grep|awk|sed|head|tail|cut)\b|^(?:sudo +)?[ef]?grep +(?:-\w+ +)*\S+ +/(?:proc|sys)/`)

// IsFiltered reports whether a command line leaves out lines of an output.
func IsFiltered(command string) bool { return filter.MatchString(command) }

// WithHeading puts the heading above the lines that a filter left of an output, where all of them are understood below it; false if
// there is none with which they are, or a label stands there twice, as in an output of several devices.
func WithHeading(text []byte, hint Hint) (whole []byte, ok bool) {
	if !IsFiltered(hint.Command) || repeatsLabel(text) {
		return nil, false
	}
	asked := ParseCommand(hint.Command)
	of := asked.Program
	if asked.File != "" {
		of = "cat " + asked.File
	}
	for _, e := range registry.Entries() {
		if e.Command != of && !strings.HasPrefix(e.Command, of+" ") {
			continue
		}
		for _, h := range e.Headings {
			if h.When != nil && !h.When.MatchString(hint.Command) || asked.Element == "" && strings.Contains(h.Text, "{device}") {
				continue
			}
			heading := strings.ReplaceAll(h.Text, "{device}", asked.Element) + "\n"
			whole := append([]byte(heading), text...)
			f, found := Text(whole, hint)
			if found && f.ID == e.ID && f.Known && len(f.Report.Unknown) == 0 {
				return whole, true
			}
		}
	}
	return nil, false
}

// repeatsLabel reports whether two lines have the same words before a colon.
func repeatsLabel(text []byte) bool {
	seen := map[string]bool{}
	for l := range bytes.Lines(text) {
		label, _, ok := strings.Cut(strings.TrimSpace(string(l)), ":")
		if ok && seen[label] {
			return true
		}
		seen[label] = ok
	}
	return false
}
