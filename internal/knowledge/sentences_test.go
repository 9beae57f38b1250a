package knowledge

import (
	"strings"
	"testing"
)

// Cautions are whole sentences: YAML splits a list in brackets at each comma that no quotation marks enclose.
func TestSentences(t *testing.T) {
	rules, err := LoadRules(t.Context(), "rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		for _, s := range append(r.Cautions, r.Corrections...) {
			if !strings.HasSuffix(s, ".") {
				t.Errorf("%s: not a sentence: %q", r.ID, s)
			}
		}
	}
}
