package execute

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A short id names its run and no other.
func TestShortIDs(t *testing.T) {
	js := Journals{Dir: t.TempDir()}
	want := map[string]string{
		"20260304-060607-94d129": "94d129",
		"20260304-060607-0a1b2c": "060607-0a1b2c",
		"20260304-050607-0a1b2c": "050607-0a1b2c",
		"20260305-070809-ffffff": "20260305-070809-ffffff",
		"20260306-070809-ffffff": "20260306-070809-ffffff",
		"old-77":                 "old-77",
	}
	var runs []Run
	for id := range want {
		runs = append(runs, Run{ID: id})
		if err := os.Mkdir(filepath.Join(js.Dir, id), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got := ShortIDs(runs)
	for id, short := range want {
		if got[id] != short {
			t.Errorf("%s: got %s, want %s", id, got[id], short)
		}
		if full, err := js.Resolve(got[id]); full != id || err != nil {
			t.Errorf("resolving %s: got %s, %v, want %s", got[id], full, err, id)
		}
	}
	if _, err := js.Resolve("0a1b2c"); err == nil {
		t.Error("0a1b2c is of two runs: got no error")
	}
	if _, err := (Journals{Dir: t.TempDir()}).Resolve("latest"); !errors.Is(err, ErrNoRun) {
		t.Errorf("latest of none: got %v", err)
	}
}

func TestLookupLab(t *testing.T) {
	for inventory, want := range map[string]string{"lab:ux": "ux", "lab": "lab", "/home/me/lab.yaml": "", "": ""} {
		if got := (Lookup{Inventory: inventory}).Lab(); got != want {
			t.Errorf("%q: got %q, want %q", inventory, got, want)
		}
	}
}
