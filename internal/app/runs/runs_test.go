package runs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/runs"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/test/transcripts"
)

// A plan is made, carried out, found again and rolled back.
func TestRunsOfAPlan(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	ctx, names := t.Context(), []string{"lpar1", "vios1", "lpar2", "vios2"}
	change := findings.Change{Set: []string{"lpar1:en0:mtu_bypass=on"}}
	p, _, err := change.Make(ctx, access, names)
	if err != nil {
		t.Fatal(err)
	}
	r, closeAll, err := runs.Open(ctx, access, p.Senders())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	r.Exclusive = false // the transcripts have no lock
	applied, err := runs.Apply(ctx, r, p, execute.Confirmation{})
	if err != nil || applied.Outcome != execute.Applied {
		t.Fatalf("apply: got %v, %v", applied, err)
	}
	found, err := runs.Find(ctx, access, runs.Filter{Outcomes: []string{string(execute.Applied)}})
	if err != nil || len(found.Runs) != 1 || found.Runs[0].ID != applied.ID || found.Unchecked != 0 {
		t.Errorf("applied runs: got %+v, %v, want %s alone", found, err, applied.ID)
	}
	id, ended, err := runs.Resolve(ctx, access, found.IDs[applied.ID])
	if err != nil || id != applied.ID || ended == nil {
		t.Errorf("resolve %s: got %s, %v, %v, want the run that ended", found.IDs[applied.ID], id, ended, err)
	}
	again, closeAgain, err := runs.OpenRun(ctx, fleet.Access{}, id, nil) // by what the run was begun with
	if err != nil {
		t.Fatal(err)
	}
	defer closeAgain()
	again.Exclusive = false
	back, err := again.Rollback(ctx, id)
	if err != nil || back.Outcome != execute.RolledBack {
		t.Errorf("rollback: got %+v, %v", back, err)
	}
	foreign := filepath.Join(t.TempDir(), "hosts.yaml")
	err = os.WriteFile(foreign, []byte("hosts:\n  other: {platform: aix}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = runs.OpenRun(ctx, fleet.Access{HostsFile: foreign}, id, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "run "+id+": lpar1: not in ") || !strings.Contains(err.Error(), "without -i") {
		t.Errorf("inventory without the host: got %v, want the run and the host that is missing", err)
	}
	removed, kept, err := runs.Prune(ctx, access, 0)
	if err != nil || len(removed) != 1 || kept != 0 {
		t.Errorf("prune: got %v removed, %d kept, %v, want the run removed", removed, kept, err)
	}
}

func TestOpenRunThatNobodyKnows(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	_, _, err := runs.OpenRun(t.Context(), fleet.Access{}, "20260101-000000-aaaa", nil)
	if err == nil {
		t.Error("got no error, want that its hosts are to be named")
	}
}
