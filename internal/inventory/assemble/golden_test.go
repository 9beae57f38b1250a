package assemble_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

// load reads a folder of outputs. A file is named after its command, device
// and attribute: lsattr-Rl.ent0.max_buf_small.txt.
func load(tb testing.TB, dir string) []assemble.Output {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("testdata/%s: %d files, %v", dir, len(files), err)
	}
	var out []assemble.Output
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		var o assemble.Output
		o.Text = text
		o.ID, o.Element, _ = strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), ".")
		if o.ID == "lsattr-Rl" {
			o.Element, o.Attribute, _ = strings.Cut(o.Element, ".")
		}
		o.Command = strings.TrimSpace(o.ID + " " + o.Element)
		out = append(out, o)
	}
	return out
}

var folders = []assemble.About{
	{Name: "aix-client", Platform: model.AIX, User: "root"},
	{Name: "vios-root", Platform: model.VIOS, User: "root"},
	{Name: "vios-padmin", Platform: model.VIOS, User: "padmin"},
	{Name: "linux-ibmveth", Platform: model.Linux, User: "admin"},
}

func TestWholeHosts(t *testing.T) {
	for _, about := range folders {
		t.Run(about.Name, func(t *testing.T) {
			about.Taken = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
			h := assemble.Host(about, load(t, about.Name))
			got, err := json.MarshalIndent(h, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			codectest.Golden(t, *update, about.Name+".golden.json", append(got, '\n'))
		})
	}
}

// The hosts of one managed system say its name in different forms; they must
// come to the same.
func TestHostsShareTheirSystem(t *testing.T) {
	for _, about := range folders {
		if h := assemble.Host(about, load(t, about.Name)); h.MachineID != "9119-MHE*21SEA01" {
			t.Errorf("%s: got managed system %q, want 9119-MHE*21SEA01", about.Name, h.MachineID)
		}
	}
}

// The order in which outputs come is the collector's business.
func TestOrderDoesNotMatter(t *testing.T) {
	for _, about := range folders {
		outputs := load(t, about.Name)
		want, _ := json.Marshal(assemble.Host(about, outputs))
		for i, j := 0, len(outputs)-1; i < j; i, j = i+1, j-1 {
			outputs[i], outputs[j] = outputs[j], outputs[i]
		}
		if got, _ := json.Marshal(assemble.Host(about, outputs)); string(got) != string(want) {
			t.Errorf("%s: outputs in reverse order give another host:\n got %.3000s\nwant %.3000s", about.Name, got, want)
		}
	}
}
