package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/test/bombs"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

func TestBombs(t *testing.T) {
	bombs.Each(t, "replay", "replay.json", func(ctx context.Context, dir string) error {
		_, err := readReplay(ctx, filepath.Join(dir, "replay.json"))
		return err
	})
}

// Whatever a saved replay holds, it is refused or printed.
func FuzzReplay(f *testing.F) {
	saved, err := json.Marshal(replayed())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(saved)
	f.Add([]byte(`{"schema": "seaworthy.replay/3", "experiments": [{"claims": [{}], "results": [null]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "replay.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := readReplay(t.Context(), file); err == nil {
			var d report.Document
			printReplay(&d, r)
			if err := doc.WriteText(io.Discard, &d, doc.Screen{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
