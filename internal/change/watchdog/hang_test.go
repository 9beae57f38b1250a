package watchdog_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/remote/shellword"
)

// A command that only reads may hang, too: the rollback ends it and goes on.
func TestCheckHangs(t *testing.T) {
	m, k := newMachine(t, shells(t)[0])
	j := m.job("r-1", time.Minute)
	j.Limit = 2 * time.Second
	once := filepath.Join(m.bin, "once")
	before := &j.Tasks[0].Before[0]
	before.Command = "if [ -f " + shellword.Quote(once) + " ]; then rm " + shellword.Quote(once) + "; sleep 600; fi; " + before.Command
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	steps(t, k, "r-1")
	if err := os.WriteFile(once, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Errorf("revert: got %+v, %v", s, err)
	}
	if d := cmp.Diff(old, m.values()); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
}
