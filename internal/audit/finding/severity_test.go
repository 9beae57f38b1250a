package finding

import (
	"strings"
	"testing"
)

func FuzzParseSeverity(f *testing.F) {
	f.Add("High")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSeverity(text)
		if err == nil && !strings.EqualFold(string(s), text) {
			t.Errorf("ParseSeverity(%q): got %q", text, s)
		}
	})
}
