package findings_test

import (
	"strings"
	"testing"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/audit/finding"
)

// A setting that is accepted is all of what was written, and names one attribute.
func FuzzParseSettings(f *testing.F) {
	for _, text := range []string{"lpar1:en0:mtu_bypass=on", "lpar1:no:rfc1323=1", "h:e:a=b=c", "h:e:a=", "h:e=a", ":::=", "", "=:::"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := findings.ParseSettings([]string{text})
		if err != nil {
			if got != nil || !strings.Contains(err.Error(), "--set") {
				t.Errorf("%q: got %+v and the error %q, want no setting and the flag's name", text, got, err)
			}
			return
		}
		if len(got) != 1 {
			t.Fatalf("%q: got %d settings, want 1", text, len(got))
		}
		s := got[0].Setting
		if back := s.Host + ":" + s.Element + ":" + s.Attr + "=" + s.Value; back != text {
			t.Errorf("%q: got %q", text, back)
		}
		if s.Host == "" || s.Element == "" || s.Attr == "" {
			t.Errorf("%q: got %+v, want a host, an element and an attribute", text, s)
		}
	})
}

// A threshold that is accepted is reached by a new finding of its severity, unless it
// is never, and by none where there are no findings.
func FuzzParseThreshold(f *testing.F) {
	for _, text := range []string{"critical", "high", "medium", "low", "info", "never", "new:medium", "new:never", "new:new:low", "new:", "", "High"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		threshold, err := findings.ParseThreshold(text)
		if err != nil {
			return
		}
		if threshold.Reached(nil) {
			t.Errorf("%q: is reached by no finding", text)
		}
		severe := []finding.Finding{{Verdict: finding.Found, Severity: threshold.Severity}}
		if threshold.Reached(severe) == threshold.Never {
			t.Errorf("%q: got %t for a new finding of severity %s", text, !threshold.Never, threshold.Severity)
		}
	})
}
