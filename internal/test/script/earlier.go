package script

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect"
)

// Earlier has the snapshots of a folder taken so much earlier: earlier DIR DURATION.
func Earlier(ts *testscript.TestScript, _ bool, args []string) {
	by, err := time.ParseDuration(args[1])
	ts.Check(err)
	ts.Check(MakeEarlier(ts.MkAbs(args[0]), by))
}

// MakeEarlier has the snapshots of a folder taken so much earlier.
func MakeEarlier(dir string, by time.Duration) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var m collect.Manifest
		err = decode.JSON("manifest", text, &m, decode.Newer)
		if err != nil {
			return err
		}
		m.Started, m.Finished = m.Started.Add(-by), m.Finished.Add(-by)
		text, err = json.Marshal(m)
		if err != nil {
			return err
		}
		err = os.WriteFile(file, text, 0o600)
		if err != nil {
			return err
		}
	}
	return nil
}
