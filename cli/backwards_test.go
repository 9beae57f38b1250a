package cli

import (
	"strings"
	"testing"
)

// A distance back in time is a value, wherever the flags stand.
func TestBackwards(t *testing.T) {
	for line, want := range map[string]string{
		"lab break lpar1 clock-jump -15m":           "lab break lpar1 clock-jump -- -15m",
		"lab break lpar1 clock-jump -15m --lab tmp": "lab break lpar1 clock-jump --lab tmp -- -15m",
		"lab break lpar1 clock-jump -- -15m":        "lab break lpar1 clock-jump -- -15m",
		"lab break lpar1 clock-jump 15m":            "lab break lpar1 clock-jump 15m",
		"lab break lpar1 clock-jump":                "lab break lpar1 clock-jump",
		"lab break lpar1 clock-jump -f json":        "lab break lpar1 clock-jump -f json",
		"lab mend lpar1 clock-jump -h":              "lab mend lpar1 clock-jump -h",
		"lab exec lpar1 -- clock-jump -1":           "lab exec lpar1 -- clock-jump -1",
	} {
		if got := strings.Join(backwards(strings.Fields(line)), " "); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
