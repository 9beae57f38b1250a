package report

import (
	"fmt"
	"io"
	"strings"

	"seaworthy/internal/audit/finding"
)

// Statuses of a plugin of Nagios, Icinga or Checkmk: https://nagios-plugins.org/doc/guidelines.html.
const (
	MonitorOK       = 0
	MonitorWarning  = 1
	MonitorCritical = 2
	MonitorUnknown  = 3
)

var monitorWords = [...]string{"OK", "WARNING", "CRITICAL", "UNKNOWN"}

// Monitor prints an audit as a monitoring plugin does: a line with the state and figures, then the findings at or above --fail-on,
// and returns the state. Critical and high findings are critical, lower ones a warning.
func Monitor(w io.Writer, a Inspection) (status int, err error) {
	counts := map[finding.Severity]int{}
	var lines []string
	for _, f := range a.Open() {
		counts[f.Severity]++
		if !a.Fails(f) {
			continue
		}
		lines = append(lines, plain(fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule, f.Element, f.Title)))
		if f.Severity.AtLeast(finding.High) {
			status = MonitorCritical
		}
		status = max(status, MonitorWarning)
	}
	said := fmt.Sprintf("%s at or above the limit on %s", Plural(len(lines), "finding"), Plural(len(a.Hosts), "host"))
	switch {
	case status == MonitorOK && len(a.NotRead) > 0:
		status, said = MonitorUnknown, Plural(len(a.NotRead), "host")+" not read to the end"
	case status == MonitorOK && a.NothingJudged():
		status, said = MonitorUnknown, "nothing could be judged"
	case status == MonitorOK:
		said = "no finding at or above the limit on " + Plural(len(a.Hosts), "host")
	case len(lines) > 0:
		said += ", first: " + lines[0]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "SEAWORTHY %s - %s |", monitorWords[status], said)
	for _, s := range []finding.Severity{finding.Critical, finding.High, finding.Medium, finding.Low} {
		fmt.Fprintf(&b, " %s=%d", s, counts[s])
	}
	fmt.Fprintf(&b, " not_assessed=%d hosts=%d not_read=%d\n", len(a.Lacks()), len(a.Hosts), len(a.NotRead))
	for _, text := range append(lines, a.NotRead...) {
		b.WriteString(plain(text) + "\n")
	}
	_, err = io.WriteString(w, b.String())
	return status, err
}

// MonitorFailed prints why a plugin could not answer.
func MonitorFailed(w io.Writer, why error) error {
	_, err := fmt.Fprintf(w, "SEAWORTHY UNKNOWN - %s\n", plain(why.Error()))
	return err
}

// plain keeps a text on its line, and out of the figures, which begin at a bar.
func plain(text string) string {
	return strings.NewReplacer("|", "/", "\n", "; ").Replace(Safe(text))
}
