package decode

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for has, want := range map[string]string{
		"seaworthy.plan/2":    "",
		"seaworthy.plan/1":    "older release; this one reads \"seaworthy.plan/2\": plan again, or use the release that wrote it",
		"seaworthy.plan/3":    "newer release; this one reads \"seaworthy.plan/2\": use that release, or plan again",
		"seaworthy.plan/10":   "newer release",
		"":                    "names no format",
		"seaworthy.result/1":  `its format is "seaworthy.result/1", expected "seaworthy.plan/2"`,
		"seaworthy.plan":      "expected",
		"seaworthy.plan/two":  "expected",
		"seaworthy.plan/-1":   "expected",
		"seaworthy.plan/9e99": "expected",
	} {
		err := Format(has, "seaworthy.plan/2", "plan again")
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", has, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: got %v, want %q", has, err, want)
		}
	}
}
