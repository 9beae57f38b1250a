package findings

import (
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
)

// onlyNew begins a threshold that counts only new findings.
const onlyNew = "new:"

// Threshold says which findings make an audit fail.
type Threshold struct {
	Severity finding.Severity // the least one
	New      bool             // only findings that the earlier reading did not have
	Never    bool

	text string
}

// ParseThreshold reads a severity, new:SEVERITY or never.
func ParseThreshold(text string) (Threshold, error) {
	level, fresh := strings.CutPrefix(text, onlyNew)
	t := Threshold{New: fresh, Never: text == "never", text: text}
	if t.Never {
		return t, nil
	}
	var err error
	t.Severity, err = finding.ParseSeverity(level)
	if err != nil {
		return t, app.Usage("--fail-on %s: the severities are critical, high, medium, low, info and never; "+
			"new:medium counts only new findings", text)
	}
	return t, nil
}

// Reached reports whether one of the findings is severe enough.
func (t Threshold) Reached(all []finding.Finding) bool {
	if t.Never {
		return false
	}
	for _, f := range all {
		if f.Verdict == finding.Found && f.Severity.AtLeast(t.Severity) && (!t.New || f.Change != diff.Still) {
			return true
		}
	}
	return false
}
