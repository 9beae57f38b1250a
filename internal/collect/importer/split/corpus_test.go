package split

import (
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

// An output of one command must not be parted.
func TestCorpusWhole(t *testing.T) {
	several := map[string]Form{"nmon_file": Nmon, "lsseas_report": Report, "aix_snapshot": Headings, "vios_lsdev": Hosts}
	for _, file := range draw.OneIn(t, 8, codectest.Files(t, "*/*.txt")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Base(filepath.Dir(file))
		want := Whole
		if f, ok := several[folder]; ok {
			want = f
		}
		c := Text(t.Context(), text, "")
		if c.Form != want {
			t.Errorf("%s/%s: got %s in %d pieces, want %s", folder, filepath.Base(file), c.Form, len(c.Pieces), want)
		}
		if want == Whole {
			continue
		}
		for _, p := range c.Pieces {
			f, ok := detect.Text(p.Text, detect.Hint{Command: p.Command})
			if !ok {
				t.Logf("%s/%s:%d: %q %q: not recognised", folder, filepath.Base(file), p.Line, p.Command, p.Title)
				continue
			}
			t.Logf("%s/%s:%d: %q: %s, %d of %d", folder, filepath.Base(file), p.Line, p.Command, f.Kind, f.Understood(), f.Report.Lines)
		}
	}
}
