package entstat_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/codectest"
)

// TestWithoutPlaces prints real outputs from their values alone: a JSON round
// trip drops where they stood.
func TestWithoutPlaces(t *testing.T) {
	for _, file := range codectest.Files(t, "entstat_*/*") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := entstat.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		bare := new(entstat.Statistics)
		if err := json.Unmarshal(data, bare); err != nil {
			t.Fatal(err)
		}
		want, got := string(text), string(entstat.Format(bare))
		if want != got {
			// VIOS 3 and 4 put one blank line more into the two columns.
			t.Logf("%s: differs in blank lines", filepath.Base(file))
			want, got = withoutBlankLines(want), withoutBlankLines(got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filepath.Base(file), diff)
		}
	}
}

func withoutBlankLines(text string) string {
	var kept []string
	for l := range strings.SplitSeq(text, "\n") {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
