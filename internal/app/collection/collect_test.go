package collection_test

import (
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/test/transcripts"
)

// One host that is down does not keep the other from being saved.
func TestCollect(t *testing.T) {
	hosts := transcripts.Start(t)
	hosts.Server("lpar2").Down()
	dir := filepath.Join(t.TempDir(), "saved")
	q := collection.Request{Names: []string{"lpar1", "lpar2"}, Dir: dir, NoPing: true}
	r, err := q.Run(t.Context(), fleet.Access{SSHConfig: hosts.Config})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kept != 1 || r.Failed == nil || r.Hosts[0].Error != "" || r.Hosts[0].Platform != "aix" || r.Hosts[1].Error == "" {
		t.Errorf("got %+v, want lpar1 kept and lpar2 failed", r)
	}
	_, err = os.Stat(filepath.Join(dir, "lpar1", "manifest.json"))
	if err != nil {
		t.Errorf("lpar1 was not saved: %v", err)
	}
}
